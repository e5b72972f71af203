"""Measure every implementation that there is, inside the Python that has them; `python inside.py RESULT --help`.

This file stands alone: it runs in an emulated Python too, with nothing but the standard library and the built package.
There, its measure is a counter of executed instructions (icount.c), else a clock. `timeit` takes either.
"""

import argparse
import ctypes
import hashlib
import json
import mmap
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from timeit import Timer
from typing import Any

# What stands for each algorithm: a digest, or a cipher with the length of its key, the tweak's key included.
DIGESTS = {"sha256": "sha256", "sha512": "sha512", "sha3": "sha3_256"}
CIPHERS = {"speck64_xts": ("Speck64XTS", 32), "speck128_xts": ("Speck128XTS", 64)}
ALGORITHMS = (*DIGESTS, *CIPHERS)

CALLED = "sha256"  # of this, the cost of a call without data is measured
FEW, MANY = 20, 220  # calls

# A whole number of blocks of every algorithm (64, 128 and 136 bytes), and too many bytes to keep the GIL.
BLOCKS = 64 * 2 * 17
SMALL, LARGE = 8 * BLOCKS, 32 * BLOCKS

MESSAGES = (0, 64, 1024, 16384)  # bytes, for the clock
BULK = 1 << 20
REPEATS = 7
SHORTEST = 0.02  # seconds that a repeat takes at least


@dataclass(frozen=True)
class Implementation:
    """One implementation of a function, and the statement that calls it with the bytes `data`."""

    algorithm: str
    function: str
    name: str
    backend: str | None  # of the package; None for a peer
    statement: str
    names: dict[str, Any]  # what the statement refers to

    def timer(self, data: bytes, clock: Callable[[], Any] | None = None) -> Timer:
        """Return what runs the statement on these data."""
        names = {**self.names, "data": data}
        return Timer(self.statement, globals=names, timer=clock) if clock else Timer(self.statement, globals=names)

    def identity(self) -> dict[str, str | None]:
        """Return what tells this implementation from the others."""
        return {"algorithm": self.algorithm, "function": self.function, "name": self.name, "backend": self.backend}


def own(algorithms: list[str]) -> Iterator[Implementation]:
    """List the backends of the package that this CPU can run."""
    from armlet import config

    for algorithm in algorithms:
        for backend in config.backends(algorithm):
            if backend.usable:
                # Named only where it must be: a call without the argument is what most callers make.
                choice = "" if backend.selected else f", backend={backend.name!r}"
                yield from own_functions(algorithm, backend.name, choice)


def own_functions(algorithm: str, backend: str, choice: str) -> Iterator[Implementation]:
    """List the functions of the algorithm that are measured, served by one backend."""
    name = f"armlet {backend}"
    if algorithm in DIGESTS:
        from armlet import digest

        function = DIGESTS[algorithm]
        names = {"new": getattr(digest, function)}
        yield Implementation(algorithm, function, name, backend, f"new(data{choice}).digest()", names)
    else:
        from armlet import cipher

        type_name, key_size = CIPHERS[algorithm]
        made = getattr(cipher, type_name)(bytes(range(key_size)), backend=backend)
        for operation in ("encrypt", "decrypt"):
            names = {"operation": getattr(made, operation), "tweak": bytes(made.block_size)}
            yield Implementation(algorithm, operation, name, backend, "operation(data, tweak)", names)


def openssl(algorithms: list[str]) -> Iterator[Implementation]:
    """List the digests that hashlib has of OpenSSL."""
    for algorithm in algorithms:
        if function := DIGESTS.get(algorithm):
            names = {"new": getattr(hashlib, function)}
            yield Implementation(algorithm, function, "OpenSSL", None, "new(data).digest()", names)


def openssl_version() -> str:
    """Return the version of OpenSSL, or an empty text if hashlib does without."""
    try:
        import ssl
    except ImportError:
        return ""
    return ".".join(map(str, ssl.OPENSSL_VERSION_INFO[:3]))


class Libgcrypt:
    """The library, if the system has it; numbers as in its gcrypt.h."""

    DISABLE_HWF, INITIALIZATION_FINISHED = 63, 38
    DIGESTS = {"sha256": (8, 32), "sha512": (10, 64), "sha3_256": (313, 32)}  # noqa: RUF012  # a constant

    def __init__(self, hidden: list[str]) -> None:
        """Load the library; HIDDEN names what it shall not use of the CPU."""
        self.version = ""
        try:
            self.library = ctypes.CDLL("libgcrypt.so.20")
        except OSError:
            return
        for feature in hidden:
            self.library.gcry_control(self.DISABLE_HWF, feature.encode(), None)
        self.library.gcry_check_version.restype = ctypes.c_char_p
        self.version = self.library.gcry_check_version(None).decode()
        self.library.gcry_control(self.INITIALIZATION_FINISHED, 0)

    def implementations(self, algorithms: list[str]) -> Iterator[Implementation]:
        """List the digests."""
        for algorithm in algorithms:
            if self.version and algorithm in DIGESTS:
                function = DIGESTS[algorithm]
                number, size = self.DIGESTS[function]
                hash_buffer = self.library.gcry_md_hash_buffer
                hash_buffer.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
                hash_buffer.restype = None
                names = {"new": hash_buffer, "number": number, "out": ctypes.create_string_buffer(size)}
                statement = "new(number, out, data, len(data))"
                yield Implementation(algorithm, function, "libgcrypt", None, statement, names)


def instructions(file: Path) -> Callable[[], int]:
    """Return a function that reads the counter of the plugin."""
    with file.open("rb") as counter:
        mapped = mmap.mmap(counter.fileno(), 8, access=mmap.ACCESS_READ)
    cells = memoryview(mapped).cast("Q")
    return lambda: cells[0]


def cost(timer: Timer, few: int, many: int) -> float:
    """Return what one run of the statement takes; the loop's beginning and the reading of the counter cancel out."""
    timer.timeit(many)  # the first calls bind symbols, and let the interpreter adapt
    fewer = timer.timeit(few)
    return (timer.timeit(many) - fewer) / (many - few)


def per_byte(made: Implementation, counter: Callable[[], int]) -> float:
    """Return the instructions per byte; what does not depend on the size cancels out."""
    small, large = (cost(made.timer(pattern(size), counter), 1, 3) for size in (SMALL, LARGE))
    return (large - small) / (LARGE - SMALL)


def per_call(made: Implementation, counter: Callable[[], int]) -> float:
    """Return the instructions of a call without data."""
    return cost(made.timer(b"", counter), FEW, MANY)


def counted(made: Implementation, counter: Callable[[], int]) -> dict[str, Any]:
    """Return the figures of one implementation."""
    figures: dict[str, Any] = {**made.identity(), "per_byte": per_byte(made, counter)}
    if made.function == CALLED and made.statement == "new(data).digest()":
        figures["per_call"] = per_call(made, counter)
    return figures


def timed(made: Implementation) -> dict[str, Any]:
    """Return the figures of one implementation by the clock."""
    seconds = {size: median_seconds(made.timer(pattern(size))) for size in (*MESSAGES, BULK)}
    return {
        **made.identity(),
        "nanoseconds_per_call": {str(size): seconds[size] * 1e9 for size in MESSAGES},
        "megabytes_per_second": BULK / seconds[BULK] / 1e6,
    }


def median_seconds(timer: Timer) -> float:
    """Return what one run of the statement takes, the median of several repeats."""
    number = 1
    while (taken := timer.timeit(number)) < SHORTEST:
        number = max(2 * number, int(number * SHORTEST / max(taken, 1e-6)))
    return statistics.median(timer.repeat(REPEATS, number)) / number


def pattern(size: int) -> bytes:
    """Return so many bytes."""
    return (bytes(range(256)) * (size // 256 + 1))[:size]


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure every implementation that this Python has.")
    parser.add_argument("result", type=Path, help="the JSON file to write")
    parser.add_argument("--counter", type=Path, help="count instructions, with this file of icount.c; else take the time")
    parser.add_argument("--algorithm", action="append", choices=ALGORITHMS, help="only this one (repeatable)")
    parser.add_argument("--peers-only", action="store_true", help="leave out the package's own backends")
    parser.add_argument("--hide", action="append", default=[], help="a CPU feature that libgcrypt shall not use")
    return parser.parse_args()


def main() -> None:
    """Measure, and write the result."""
    options = parse()
    algorithms = options.algorithm or list(ALGORITHMS)
    measured = [] if options.peers_only else list(own(algorithms))
    measured += openssl(algorithms)
    peers = {"OpenSSL": openssl_version()}
    if options.counter:
        libgcrypt = Libgcrypt(options.hide)
        measured += libgcrypt.implementations(algorithms)
        peers["libgcrypt"] = libgcrypt.version
        counter = instructions(options.counter)
        figures = [counted(made, counter) for made in measured]
    else:
        figures = [timed(made) for made in measured]
    options.result.write_text(json.dumps({"peers": peers, "figures": figures}))


if __name__ == "__main__":
    main()
