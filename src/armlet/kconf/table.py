"""Tables for people: columns on a terminal of any width, in colour where that is wanted."""

import os
import shutil
import textwrap
from collections.abc import Callable, Sequence
from typing import TextIO

WIDTH = 80  # columns, where no terminal says otherwise
MIN_LAST = 20  # columns that the last one has in any case

_COLOURS = {"selected": "32", "passed": "32", "usable": "36", "failed": "1;31", "not usable": "33", "not built": "2"}
_ASCII = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\"--")  # what compilers quote with


def columns(rows: Sequence[Sequence[str]], width: int = WIDTH, colour: bool = False) -> list[str]:
    """Align all columns; the last one is wrapped, and in the first a name that repeats is left out.

    With COLOUR a cell that says a state, "selected" or "failed", has the colour of it.
    """
    last = len(rows[0]) - 1
    widths = [max(len(row[column]) for row in rows) for column in range(last)]
    room = max(width - sum(widths) - 2 * last, MIN_LAST)
    paint: Callable[[str, str], str] = _painted if colour else lambda _, text: text
    lines, above = [], ""
    for row in rows:
        cells = ["" if row[0] == above else row[0], *row[1:last]]
        start = "".join(paint(cell, cell.ljust(w)) + "  " for cell, w in zip(cells, widths, strict=True))
        wrapped = textwrap.wrap(row[last], room) or [""]
        lines.append((start + wrapped[0]).rstrip())
        lines += [" " * (sum(widths) + 2 * last) + more for more in wrapped[1:]]
        above = row[0]
    return lines


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align all columns, whatever width that takes: each row is a line."""
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    return ["  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() for row in rows]


def listed(rows: Sequence[Sequence[str]], stream: TextIO) -> list[str]:
    """Align all columns, for a terminal as wide as it is; elsewhere a program may read it."""
    return columns(rows, width_of(stream)) if stream.isatty() else aligned(rows)


def _painted(cell: str, text: str) -> str:
    return f"\033[{_COLOURS[cell]}m{text}\033[0m" if cell in _COLOURS else text


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal, and the user has not asked for no colour (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width_of(stream: TextIO) -> int:
    """Return the columns of the terminal; WIDTH for a file or a pipe."""
    return shutil.get_terminal_size((WIDTH, 0)).columns if stream.isatty() else WIDTH


def encodable(text: str, stream: TextIO) -> str:
    """Return a text that a stream can write: in ASCII where its encoding has no quotation marks, say."""
    encoding = stream.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text
