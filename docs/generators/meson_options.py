"""The project's own Meson options, as Meson reads them."""

import json
import subprocess
import sys
from pathlib import Path


def markdown(source: Path) -> str:
    """Return an entry for each option."""
    command = [
        sys.executable,
        "-m",
        "mesonbuild.mesonmain",
        "introspect",
        "--buildoptions",
        str(source / "meson.build"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    options = [option for option in json.loads(done.stdout) if option["section"] == "user"]
    return "\n\n".join(
        f"`-D{option['name']}`\n: {option['description'].replace('<', '&lt;')}. "
        f"Type {option['type']}, default `{json.dumps(option['value'])}`."
        for option in options
    )
