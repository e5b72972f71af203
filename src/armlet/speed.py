"""What each backend that this CPU can run takes, by the size of the message, against portable C and hashlib."""

import hashlib
import itertools
import platform
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from . import cipher, config, digest
from .kconf.errors import KconfError, nearest
from .kconf.timing import Loop, calling, measure

SCHEMA = 1
PEER = "hashlib"  # beside the backends, where it has the algorithm
BASE = "generic"  # what the others are compared with

# What is called where an algorithm is named whose functions have other names.
_STANDS_FOR = {"sha3": "sha3_256", "speck128_xts": "Speck128XTS", "speck64_xts": "Speck64XTS"}
_XOF_LENGTHS = {"shake_128": 32, "shake_256": 64}  # bytes of output that have their full strength


class Task(NamedTuple):
    """What is measured with messages of several sizes."""

    function: str  # "sha512", "Speck128XTS"
    operation: str  # "digest", "encrypt" or "decrypt"
    backends: tuple[str, ...]  # and hashlib, where it has the function

    @property
    def name(self) -> str:
        """What a person calls it: "sha512", "Speck128XTS encrypt"."""
        return _name(self.function, self.operation)


class Point(NamedTuple):
    """What one call takes."""

    function: str  # "sha512", "Speck128XTS"
    operation: str  # "digest", "encrypt" or "decrypt"
    size: int  # bytes of the message
    backend: str  # or "hashlib"
    nanoseconds: float  # of a call
    megabytes_per_second: float  # of 10**6 bytes
    ratio: float | None  # how many times as fast as generic; None if that was not measured

    @property
    def name(self) -> str:
        """That of the task."""
        return _name(self.function, self.operation)


def _name(function: str, operation: str) -> str:
    return function if operation == "digest" else f"{function} {operation}"


def as_dict(points: list[Point], seconds: float) -> dict[str, Any]:
    """Return what was measured in JSON's types.

    {"schema": 1, "package": "armlet", "version": "0.1.0", "target": as in config.target,
     "cpu": {"features": ["neon"], "masked": []}, "python": "3.11.2", "openssl": "OpenSSL 3.0.17 ..." or None,
     "seconds": that each measurement was given, "points": [an object with the fields of Point, ...]}
    """
    return {
        "schema": SCHEMA,
        "package": config.package,
        "version": config.version,
        "target": dict(config.target),
        "cpu": config.as_dict()["cpu"],
        "python": platform.python_version(),
        "openssl": _openssl(),
        "seconds": seconds,
        "points": [point._asdict() for point in points],
    }


def _openssl() -> str | None:
    """Tell whose digests hashlib has, unless Python was built without OpenSSL."""
    try:
        from ssl import OPENSSL_VERSION
    except ImportError:
        return None
    return OPENSSL_VERSION


def tasks(names: Sequence[str], wanted: Sequence[str]) -> list[Task]:
    """Return what is to be measured: of all functions if no names are given, with the backends wanted, or with all.

    Raises ValueError for an unknown name, KconfError where nothing is left.
    """
    functions = [_function_of(name) for name in names] or _built_functions()
    if not functions:
        raise KconfError(f"{config.package} bench: there is no algorithm in this build")
    known = {backend.name for function in functions for backend in config.backends(function)} | {PEER}
    for name in wanted:
        if name not in known:
            raise ValueError(f"there is no backend {name!r}{nearest(name, known) or ': known are ' + _listed(known)}")
    found = [task for function in dict.fromkeys(functions) for task in _tasks_of(function, wanted)]
    if not found:
        raise KconfError(f"{config.package} bench: nothing that was named is usable here: see {config.package} show")
    return found


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _built_functions() -> list[str]:
    return [_function_of(name) for name in config.algorithms if any(b.built for b in config.backends(name))]


def _function_of(name: str) -> str:
    """Return the function that is meant: "SHA3-384" is itself, "sha3" the one that stands for its algorithm."""
    key = name.lower().replace("-", "_")
    if not any(backend.built for backend in config.backends(name)):
        symbol = config.FUNCTIONS.get(key, key).upper()
        raise KconfError(f"{config.package} bench: {name} is not in this build: {symbol}=n")
    known = {function.lower(): function for function in (*digest.algorithms_available, *cipher.__all__)}
    return known.get(key) or _STANDS_FOR[key]


def _tasks_of(function: str, wanted: Sequence[str]) -> Iterator[Task]:
    is_cipher = function in cipher.__all__
    served = [backend.name for backend in config.backends(function) if backend.usable]
    if not is_cipher and _is_in_hashlib(function):
        served.append(PEER)
    backends = tuple(name for name in served if not wanted or name in wanted)
    for operation in ("encrypt", "decrypt") if is_cipher else ("digest",):
        if backends:
            yield Task(function, operation, backends)


def check_sizes(tasks: Sequence[Task], sizes: Sequence[int]) -> None:
    """Raise ValueError for a size that one of the functions does not take."""
    for function in dict.fromkeys(task.function for task in tasks if task.operation != "digest"):
        block = _disk(function).block_size
        wrong = [size for size in sizes if size % block]
        if wrong:
            raise ValueError(f"{function} takes whole blocks of {block} bytes: not {', '.join(map(str, wrong))}")


def points(task: Task, size: int, seconds: float) -> list[Point]:
    """Measure every backend of a task with messages of one size."""
    data = (bytes(range(256)) * (size // 256 + 1))[:size]
    loops = _hashing(task, data) if task.operation == "digest" else _ciphering(task, data)
    try:
        times = dict(zip(task.backends, measure(loops, seconds), strict=True))
    finally:
        if task.operation == "digest":
            config.use(task.function, None)
    return [
        Point(
            task.function,
            task.operation,
            size,
            backend,
            _significant(time * 1e9),
            _significant(size / time / 1e6),
            _significant(times[BASE] / time) if BASE in times else None,
        )
        for backend, time in times.items()
    ]


def _significant(number: float) -> float:
    """Leave out the digits that no measurement gives."""
    return float(f"{number:.4g}")


def _hashing(task: Task, data: bytes) -> list[Loop]:
    return [_hashing_with(backend, task.function, data) for backend in task.backends]


def _hashing_with(backend: str, function: str, data: bytes) -> Loop:
    """Return a loop whose calls are as most are written: they do not name the backend, which would take time too."""
    make = _of_hashlib(function) if backend == PEER else getattr(digest, function)
    length = [_XOF_LENGTHS[function]] if function in _XOF_LENGTHS else []

    def loop(count: int) -> None:
        if backend != PEER:
            config.use(function, backend)
        for _ in itertools.repeat(None, count):
            make(data).digest(*length)

    return loop


def _ciphering(task: Task, data: bytes) -> list[Loop]:
    """Encrypt or decrypt in place: what memory takes to be had is not measured."""
    disks = [_disk(task.function, backend) for backend in task.backends]
    buffer = bytearray(data)
    return [calling(getattr(disk, f"{task.operation}_into"), buffer, bytes(disk.block_size), buffer) for disk in disks]


def _disk(function: str, backend: str | None = None) -> Any:
    """Return a cipher with the longest key that it takes."""
    size = 64 if function == "Speck128XTS" else 32
    return getattr(cipher, function)(bytes(range(size)), backend=backend)


def _of_hashlib(function: str) -> Callable[[bytes], Any]:
    return getattr(hashlib, function, None) or partial(hashlib.new, function)


def _is_in_hashlib(function: str) -> bool:
    """Whether hashlib has a function, and gives it: not, say, under FIPS."""
    try:
        _of_hashlib(function)(b"")
    except (ValueError, TypeError):
        return False
    return True
