"""What the runner says: a line of progress for each step, and a table at the end."""

import threading
import time
from collections.abc import Sequence

START = time.monotonic()
_lock = threading.Lock()


def say(text: str) -> None:
    """Print a line of progress with the seconds since the start, whole whichever thread says it."""
    with _lock:
        print(f"[{time.monotonic() - START:4.0f} s] {text}", flush=True)


def show(title: str, text: str) -> None:
    """Print a block of text under a title, for the output of something that failed."""
    with _lock:
        print(f"\n=== {title}\n{text.rstrip()}\n", flush=True)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Lay out rows of equal length, the first column aligned to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]
        lines.append("  ".join(cells))
    return "\n".join(lines)
