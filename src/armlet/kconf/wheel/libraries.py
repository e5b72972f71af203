"""What the libraries define that a module may rely on: Python's stable ABI, and C libraries as zig describes them."""

import functools
import importlib.util
import os
import re

from ..errors import KconfError

# Functions that musl has since a version after 1.2.0, the one of musllinux_1_2.
YOUNG_IN_MUSL = {
    **dict.fromkeys(("_Fork", "gettid", "reallocarray", "tcgetwinsize", "tcsetwinsize"), (1, 2, 2)),
    **dict.fromkeys(("qsort_r", "pthread_getname_np"), (1, 2, 3)),
    **dict.fromkeys(("statx", "preadv2", "pwritev2"), (1, 2, 5)),
}


@functools.cache
def stable_abi() -> dict[str, tuple[int, int]]:
    """Return the symbols of Python's stable ABI, and since which version each is part of it."""
    from abi3info import DATAS, FUNCTIONS

    entries = [*FUNCTIONS.items(), *DATAS.items()]
    return {symbol.name: (entry.added.major, entry.added.minor) for symbol, entry in entries}


def why_not_python(symbol: str, tag: str) -> str | None:
    """Why a symbol of Python may not be used by a module tagged cp311, or None."""
    since = stable_abi().get(symbol)
    if since is None:
        return f"{symbol} is no part of the stable ABI"
    digits = tag.removeprefix("cp")
    if digits.isdecimal() and since > (int(digits[0]), int(digits[1:])):
        return f"{symbol} is part of the stable ABI since Python {since[0]}.{since[1]} only"
    return None


@functools.cache
def musl() -> frozenset[str]:
    """Return what musl's library defines."""
    return frozenset(re.findall(r"^(\w+):$", _read_of_zig("lib/libc/musl/libc.S"), re.MULTILINE))


@functools.cache
def macos() -> frozenset[str]:
    """Return what the library of macOS defines, with the leading underscore of its symbols."""
    return frozenset(re.findall(r"[\w$]+", _read_of_zig("lib/libc/darwin/libSystem.tbd")))


def _read_of_zig(path: str) -> str:
    found = importlib.util.find_spec("ziglang")
    if found is None or not found.submodule_search_locations:
        raise KconfError("the check needs ziglang, which lists the symbols of C libraries: pip install 'armlet[wheel]'")
    with open(os.path.join(found.submodule_search_locations[0], *path.split("/")), encoding="utf-8") as file:
        return file.read()
