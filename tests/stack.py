"""What functions leave on the stack of this thread, of the main one on Linux."""

from collections.abc import Callable
from pathlib import Path

DEPTH = 30  # calls from C to Python and back, so that what comes later does not reach down to what was left


def stack_after(function: Callable[[], object]) -> bytes:
    """Call a function, and return the whole stack as it is then."""
    _call_deep(_nothing, 2 * DEPTH)  # the stack grows now or never
    line = next(line for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith("[stack]"))
    begin, end = (int(address, 16) for address in line.split()[0].split("-"))
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        # At a first call the dynamic linker stores all registers on the stack; not one of them after.
        memory.seek(begin)
        memory.read(end - begin)
        memory.seek(begin)
        _call_deep(function, DEPTH)
        return memory.read(end - begin)


def _nothing() -> None:
    pass


def _call_deep(function: Callable[[], object], depth: int) -> None:
    if depth:
        next(map(lambda _: _call_deep(function, depth - 1), (None,)))  # noqa: C417  (a call from C is what is wanted)
    else:
        function()


def words_in(stack: bytes, secret: bytes) -> list[bytes]:
    """Return those words of a secret that a stack has somewhere."""
    return [secret[i : i + 8] for i in range(0, len(secret), 8) if secret[i : i + 8] in stack]
