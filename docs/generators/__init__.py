"""What is done to pages before they are read.

`<!-- generated: NAME -->` stands for what NAME generates of what the project says of itself. A link to Markdown outside
of docs/, which is no page of the site, gives the file.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import commands, cpus, docstrings, kconfig, meson_options

SOURCE = Path(__file__).resolve().parent.parent.parent

GENERATORS: dict[str, Callable[[Path], str]] = {
    "commands": commands.markdown,
    "cpus": cpus.markdown,
    "cpu-sources": cpus.sources_markdown,
    "kconfig": kconfig.markdown,
    "meson-options": meson_options.markdown,
}


def expand(text: str, name: str) -> str:
    """Return the text of a page, as it is to be read."""
    text = re.sub(r"<!-- generated: ([\w-]+) -->", lambda found: GENERATORS[found[1]](SOURCE), text)
    above = "../" * (name.count("/") + 1)  # from the folder of the page to that of the project
    return re.sub(rf"\]\({above}(?=[^)]+\.md\))", f"](path:{above}", text)


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", _on_source_read)
    app.connect("autodoc-process-docstring", docstrings.on_docstring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _on_source_read(_app: Any, name: str, content: list[str]) -> None:
    content[0] = expand(content[0], name)
