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
from timeit import Timer, default_timer
from typing import Any

# What stands for each algorithm: a digest, or a cipher with the length of its key, the tweak's key included.
DIGESTS = {"sha256": "sha256", "sha512": "sha512", "sha3": "sha3_256"}
CIPHERS = {"speck64_xts": ("Speck64XTS", 32), "speck128_xts": ("Speck128XTS", 64)}
ALGORITHMS = (*DIGESTS, *CIPHERS)

CALLED = "sha256"  # of this, the cost of a call without data is measured
SIMPLE_CALL = "new(data).digest()"
FEW, MANY = 20, 220  # such calls

# A whole number of blocks of every algorithm (64, 128 and 136 bytes), and too many bytes to keep the GIL.
BLOCKS = 64 * 2 * 17
SMALL, LARGE = 8 * BLOCKS, 32 * BLOCKS

# As in gcrypt.h.
GCRYCTL_DISABLE_HWF, GCRYCTL_INITIALIZATION_FINISHED = 63, 38
GCRY_MD = {"sha256": 8, "sha512": 10, "sha3_256": 313}

MESSAGES = (0, 64, 1024, 16384)  # bytes, for the clock
BULK = 65536
REPEATS = 51
SHORTEST = 0.001  # seconds that a repeat takes at least, and seldom so many that the system interrupts it
PAIRS = 1001  # of two repeats of PAIRED calls, for the ratio of two times
PAIRED = 300


@dataclass(frozen=True)
class Implementation:
    """One implementation of a function, and the statement that calls it with the bytes `data`."""

    algorithm: str
    function: str
    name: str
    backend: str | None  # of the package; None for a peer
    statement: str
    names: dict[str, Any]  # what the statement refers to

    def timer(self, data: bytes, clock: Callable[[], float] = default_timer) -> Timer:
        """Return what runs the statement on these data, and reads the clock before and after."""
        return Timer(self.statement, globals={**self.names, "data": data}, timer=clock)

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


def standard(algorithms: list[str]) -> Iterator[Implementation]:
    """List the digests of hashlib, which are those of OpenSSL unless Python was built without it."""
    try:
        import ssl
    except ImportError:
        name = "hashlib"
    else:
        name = " ".join(ssl.OPENSSL_VERSION.split()[:2])
    for algorithm in algorithms:
        if function := DIGESTS.get(algorithm):
            names = {"new": getattr(hashlib, function)}
            yield Implementation(algorithm, function, name, None, SIMPLE_CALL, names)


def libgcrypt(algorithms: list[str], hidden: list[str]) -> Iterator[Implementation]:
    """List the digests of libgcrypt, if the system has it; HIDDEN names what it shall not use of the CPU."""
    try:
        library = ctypes.CDLL("libgcrypt.so.20")
    except OSError:
        return
    for feature in hidden:
        library.gcry_control(GCRYCTL_DISABLE_HWF, feature.encode(), None)
    library.gcry_check_version.restype = ctypes.c_char_p
    name = f"libgcrypt {library.gcry_check_version(None).decode()}"  # it is ready from here on
    library.gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0)
    hash_buffer = library.gcry_md_hash_buffer
    hash_buffer.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    hash_buffer.restype = None
    for algorithm in algorithms:
        if function := DIGESTS.get(algorithm):
            names = {"hash": hash_buffer, "number": GCRY_MD[function], "out": ctypes.create_string_buffer(64)}
            yield Implementation(algorithm, function, name, None, "hash(number, out, data, len(data))", names)


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
    is_called = made.function == CALLED and made.statement == SIMPLE_CALL
    return {
        **made.identity(),
        "per_byte": per_byte(made, counter),
        "per_call": per_call(made, counter) if is_called else None,
    }


def timed(measured: list[Implementation]) -> list[dict[str, Any]]:
    """Return the figures of all implementations by the clock."""
    seconds = {size: median_seconds(measured, size) for size in (*MESSAGES, BULK)}
    return [
        {
            **made.identity(),
            "nanoseconds_per_call": {str(size): seconds[size][number] * 1e9 for size in MESSAGES},
            "megabytes_per_second": BULK / seconds[BULK][number] / 1e6,
            "call_ratio": call_ratio(made, measured),
        }
        for number, made in enumerate(measured)
    ]


def call_ratio(made: Implementation, measured: list[Implementation]) -> float | None:
    """Return the time of a call without data as a share of hashlib's, for one function of the package."""
    peers = [other for other in measured if other.function == CALLED and other.backend is None]
    if made.function != CALLED or made.backend is None or not peers:
        return None
    timers = made.timer(b""), peers[0].timer(b"")
    ratios = []
    for number in range(PAIRS):  # now one is the first, now the other; a pair is so short that the machine is the same
        order = (0, 1) if number % 2 else (1, 0)
        taken = {which: timers[which].timeit(PAIRED) for which in order}
        ratios.append(taken[0] / taken[1])
    return statistics.median(ratios)


def median_seconds(measured: list[Implementation], size: int) -> list[float]:
    """Return what each takes for so many bytes. They take turns: what slows the machine down meets them all."""
    timers = [made.timer(pattern(size)) for made in measured]
    runs = [enough_runs(timer) for timer in timers]
    rounds = [[timer.timeit(n) / n for timer, n in zip(timers, runs, strict=True)] for _ in range(REPEATS)]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def enough_runs(timer: Timer) -> int:
    """Return how often the statement must run to be timed well."""
    runs = 1
    while timer.timeit(runs) < SHORTEST:
        runs *= 2
    return runs


def pattern(size: int) -> bytes:
    """Return so many bytes."""
    return (bytes(range(256)) * (size // 256 + 1))[:size]


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure every implementation that this Python has.")
    parser.add_argument("result", type=Path, help="the JSON file to write")
    parser.add_argument("--counter", type=Path, help="the counter's file: count instructions, and take no time")
    parser.add_argument("--algorithm", action="append", choices=ALGORITHMS, help="only this one (repeatable)")
    parser.add_argument("--peers-only", action="store_true", help="leave out the package's own backends")
    parser.add_argument("--hide", action="append", default=[], help="a CPU feature that libgcrypt shall not use")
    return parser.parse_args()


def main() -> None:
    """Measure, and write the result."""
    options = parse()
    algorithms = options.algorithm or list(ALGORITHMS)
    measured = [] if options.peers_only else list(own(algorithms))
    measured += standard(algorithms)
    if options.counter:
        measured += libgcrypt(algorithms, options.hide)
        counter = instructions(options.counter)
        figures = [counted(made, counter) for made in measured]
    else:  # by the clock, a call through ctypes would be no fair comparison
        figures = timed(measured)
    options.result.write_text(json.dumps(figures))


if __name__ == "__main__":
    main()
