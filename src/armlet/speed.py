"""What each backend that this CPU can run takes, by the size of the message, against portable C and hashlib."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from . import cipher, config, digest
from .kconf.timing import measure

SCHEMA = 1
OTHER = "hashlib"  # beside the backends, where it has the algorithm
BASE = "generic"  # what the others are compared with

# What is called of an algorithm that is named as such.
_FUNCTION = {"sha3": "sha3_256", "speck128_xts": "Speck128XTS", "speck64_xts": "Speck64XTS"}


class Point(NamedTuple):
    """What one call of a function takes with one backend."""

    function: str  # "sha512", "Speck128XTS"
    operation: str  # "digest", "encrypt" or "decrypt"
    size: int  # bytes of the message
    backend: str  # or "hashlib"
    nanoseconds: float
    megabytes_per_second: float  # of 10**6 bytes
    ratio: float | None  # how many times as fast as generic, where that is built


def as_dict(points: list[Point]) -> dict[str, Any]:
    """Return what was measured in JSON's types: "schema", "version", "cpu", and "points" with the fields of Point."""
    cpu = config.as_dict()["cpu"]
    return {"schema": SCHEMA, "version": config.version, "cpu": cpu, "points": [point._asdict() for point in points]}


def built() -> list[str]:
    """Return the algorithms of this build."""
    return [name for name in config.algorithms if any(backend.built for backend in config.backends(name))]


def function_of(name: str) -> str:
    """Return the function that is meant: "SHA3-384" is itself, "sha3" the one that stands for its algorithm."""
    if not any(backend.built for backend in config.backends(name)):
        raise ValueError(f"{name} is not in this build")
    key = name.lower().replace("-", "_")
    known = {function.lower(): function for function in (*digest.algorithms_available, *cipher.__all__)}
    return known.get(key) or _FUNCTION[key]


def check_sizes(functions: list[str], sizes: tuple[int, ...]) -> None:
    """Raise ValueError for a size that one of the functions does not take."""
    for function in functions:
        block = _disk(function).block_size if function in cipher.__all__ else 1
        wrong = [size for size in sizes if size % block]
        if wrong:
            raise ValueError(f"{function} takes whole blocks of {block} bytes: not {', '.join(map(str, wrong))}")


def points(
    functions: list[str], sizes: tuple[int, ...], seconds: float, progress: Callable[[str], None]
) -> Iterator[Point]:
    """Measure each of the functions with messages of each size, each point for so many seconds."""
    for function in functions:
        for operation in ("encrypt", "decrypt") if function in cipher.__all__ else ("digest",):
            for size in sizes:
                progress(f"{function} {operation}, {size} bytes")
                yield from _compare(function, operation, size, seconds)
    progress("")


def _compare(function: str, operation: str, size: int, seconds: float) -> list[Point]:
    calls = _calls(function, operation, size)
    taken = dict(zip(calls, measure(list(calls.values()), seconds), strict=True))
    return [
        Point(
            function,
            operation,
            size,
            backend,
            round(time * 1e9, 1),
            round(size / time / 1e6, 1),
            round(taken[BASE] / time, 2) if BASE in taken else None,
        )
        for backend, time in taken.items()
    ]


def _calls(function: str, operation: str, size: int) -> dict[str, Callable[[], object]]:
    """Return what is to be measured, by backend."""
    usable = [backend.name for backend in config.backends(function) if backend.usable]
    data = bytes(size)
    if function in cipher.__all__:
        disks = {name: _disk(function, name) for name in usable}
        return {name: partial(getattr(disk, operation), data, bytes(disk.block_size)) for name, disk in disks.items()}
    length = (32,) if function.startswith("shake") else ()
    make = getattr(digest, function)
    calls = {name: partial(_digest, partial(make, data, backend=name), length) for name in usable}
    other = _of_hashlib(function)
    return {**calls, OTHER: partial(_digest, partial(other, data), length)} if other else {**calls}


def _disk(function: str, backend: str | None = None) -> Any:
    return getattr(cipher, function)(bytes(range(32)), backend=backend)


def _digest(make: Callable[[], Any], length: tuple[int, ...]) -> object:
    return make().digest(*length)


def _of_hashlib(function: str) -> Callable[..., Any] | None:
    try:
        hashlib.new(function, usedforsecurity=False)
    except (ValueError, TypeError):  # it does not have it, or may not give it
        return None
    return getattr(hashlib, function, None) or partial(hashlib.new, function)
