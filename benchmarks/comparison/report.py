"""What is printed: tables for people, JSON for programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from comparison.inside import CALLED, MESSAGES
from comparison.verdict import Judged

Row = Sequence[str]

COUNTED = "Executed instructions per byte in bulk; > marks what is above its bound."
CALLS = f'Executed instructions per call of {CALLED}(b"").digest().'
TIMED = f"Nanoseconds per call for messages of {', '.join(map(str, MESSAGES))} bytes, and MB/s in bulk."


def counted(judged: Sequence[Judged]) -> str:
    """Return the table of figures and bounds, and that of calls."""
    head = ("cpu", "function", "implementation", "per byte", "bound", "best", "peer")
    lines = [COUNTED, "", *columns([head, *map(counted_row, judged)], "<<<>>><")]
    figures = [row.figure for row in judged]
    calls = [(figure.cpu, figure.name, f"{figure.per_call:.0f}") for figure in figures if figure.per_call is not None]
    if calls:
        lines += ["", CALLS, "", *columns([("cpu", "implementation", "per call"), *calls], "<<>")]
    return "\n".join(lines)


def counted_row(row: Judged) -> Row:
    """Return the cells of one figure."""
    figure = row.figure
    per_byte = f"{'> ' if row.is_above else ''}{figure.per_byte:.2f}"
    limit = "" if row.limit is None else f"{row.limit:.2f}"
    best, peer = (f"{row.bound.best:.2f}", row.bound.peer) if row.bound else ("", "")
    return (figure.cpu, function_name(figure.algorithm, figure.function), figure.name, per_byte, limit, best, peer)


def counted_json(judged: Sequence[Judged], missed: Sequence[str]) -> str:
    """Return the same for programs."""
    return json.dumps({"schema": 1, "figures": [counted_object(row) for row in judged], "missed": missed}, indent=2)


def counted_object(row: Judged) -> dict[str, Any]:
    """Return all that is known of one figure."""
    best, peer = (row.bound.best, row.bound.peer) if row.bound else (None, None)
    return {**asdict(row.figure), "bound": row.limit, "above": row.is_above, "best": best, "peer": peer}


def timed(figures: Sequence[dict[str, Any]], imports: Mapping[str, float]) -> str:
    """Return the table of the clock's figures, and what the imports take."""
    head = ("function", "implementation", *(f"{size} B" for size in MESSAGES), "MB/s")
    rows = map(timed_row, in_order(figures))
    lines = [TIMED, "", *columns([head, *rows], "<<" + ">" * (len(head) - 2)), ""]
    for figure in figures:
        if figure["call_ratio"] is not None:
            lines.append(f'{CALLED}(b"").digest() with {figure["name"]}: {figure["call_ratio"]:.3f} of hashlib\'s time')
    lines += [f"import {name}: {milliseconds:.2f} ms" for name, milliseconds in imports.items()]
    return "\n".join(lines)


def timed_row(figure: dict[str, Any]) -> Row:
    """Return the cells of one implementation."""
    times = [f"{figure['nanoseconds_per_call'][str(size)]:.0f}" for size in MESSAGES]
    function = function_name(figure["algorithm"], figure["function"])
    return (function, figure["name"], *times, f"{figure['megabytes_per_second']:.0f}")


def timed_json(figures: Sequence[dict[str, Any]], imports: Mapping[str, float], missed: Sequence[str]) -> str:
    """Return the same for programs."""
    answer = {"schema": 1, "figures": figures, "import_milliseconds": imports, "missed": missed}
    return json.dumps(answer, indent=2)


def in_order(figures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put the implementations of a function side by side, the fastest first."""
    order = list(dict.fromkeys((figure["algorithm"], figure["function"]) for figure in figures))
    return sorted(
        figures, key=lambda f: (order.index((f["algorithm"], f["function"])), -float(f["megabytes_per_second"]))
    )


def function_name(algorithm: str, function: str) -> str:
    """Return "sha3_256" of a digest, "speck64_xts encrypt" of a cipher."""
    return f"{algorithm} {function}" if function in ("encrypt", "decrypt") else function


def columns(rows: Sequence[Row], alignment: str) -> Iterator[str]:
    """Lay out rows, each column to the left (<) or to the right (>); names that repeat are left out."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in without_repeats(rows, alignment.index(">") - 1):
        cells = zip(row, alignment, widths, strict=True)
        yield "  ".join(f"{cell:{side}{width}}" for cell, side, width in cells).rstrip()


def without_repeats(rows: Sequence[Row], leading: int) -> Iterator[Row]:
    """Empty the first cells, so many at most, that are those of the row above."""
    above: Row = ()
    for row in rows:
        same = 0
        while same < leading and row[: same + 1] == above[: same + 1]:
            same += 1
        yield [*[""] * same, *row[same:]]
        above = row
