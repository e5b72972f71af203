"""Docstrings are plain text: nothing in them is markup but paragraphs, indented code, and examples after >>>."""

import re
from typing import Any


def on_docstring(_app: Any, _what: str, _name: str, _item: Any, _options: Any, lines: list[str]) -> None:
    """Replace the lines of a docstring with the reStructuredText that shows it as it is."""
    lines[:] = [line for paragraph in _paragraphs(lines) for line in [*_as_markup(paragraph), ""]]


def _paragraphs(lines: list[str]) -> list[list[str]]:
    text = "\n".join(lines).strip("\n")
    return [paragraph.split("\n") for paragraph in re.split(r"\n\s*\n", text)] if text else []


def _as_markup(paragraph: list[str]) -> list[str]:
    if paragraph[0].startswith(">>>"):
        return paragraph
    if all(line.startswith((" ", "{")) for line in paragraph):
        return ["::", "", *(f"    {line}" for line in paragraph)]
    return [re.sub(r"([*`|\\_])", r"\\\1", line) for line in paragraph]
