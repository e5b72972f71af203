"""Pages that are made of what the project says of itself: `<!-- generated: NAME -->` stands for what NAME generates."""

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


def expand(text: str) -> str:
    """Return the text of a page with what is generated in its place."""
    return re.sub(r"<!-- generated: ([\w-]+) -->", lambda found: GENERATORS[found[1]](SOURCE), text)


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", _on_source_read)
    app.connect("autodoc-process-docstring", docstrings.on_docstring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _on_source_read(_app: Any, _name: str, content: list[str]) -> None:
    content[0] = expand(content[0])
