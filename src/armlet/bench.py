"""`armlet bench`: the command and its table. speed.py, which loads all algorithms, measures; plot.py draws."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .kconf.errors import KconfError
from .kconf.table import WIDTH, columns, encodable, width_of

if TYPE_CHECKING:
    from .speed import Point

SIZES = (16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20)  # bytes
MAX_SIZE = 1 << 30
UNITS = {"K": 1 << 10, "M": 1 << 20}
SECONDS = 0.1
MAX_SECONDS = 3600
PICTURES = (".svg", ".png")


def add_bench(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "bench",
        help="what each backend that this CPU can run takes, by the size of the message",
        description="Measures every backend that this CPU can run, and hashlib where it has the algorithm: nanoseconds "
        "of a call, megabytes (10^6 bytes) in a second, and how many times as fast as the portable C that is. Each "
        "figure is the median of several turns, which the backends take in rotation. A cipher has its longest key.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="ALG", help="sha512, sha3, SHA3-384, Speck128XTS, ...; all by default"
    )
    parser.add_argument(
        "--backend",
        dest="backends",
        action="append",
        default=[],
        metavar="NAME",
        help="this backend alone, or hashlib; repeatable. A ratio needs generic among them",
    )
    sizes = ",".join(map(written, SIZES))
    parser.add_argument("--sizes", type=_sizes, default=SIZES, help=f"bytes of the message: {sizes} by default")
    parser.add_argument(
        "--time",
        type=_seconds,
        default=SECONDS,
        metavar="SECONDS",
        help=f"that each measurement of a backend at a size is given: {SECONDS} by default",
    )
    parser.add_argument("--json", action="store_true", help="the same, and more, for programs")
    parser.add_argument(
        "--plot", type=_picture, metavar="FILE", help="draw the speeds into FILE, .svg or .png, too: needs armlet[plot]"
    )
    parser.set_defaults(run=_bench)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted({_size(word.strip()) for word in text.split(",")}))


def _size(word: str) -> int:
    unit = word[-1:].upper()
    digits = word[:-1] if unit in UNITS else word
    size = int(digits) * UNITS.get(unit, 1) if digits.isascii() and digits.isdecimal() and len(digits) <= 10 else 0
    if not 0 < size <= MAX_SIZE:
        raise argparse.ArgumentTypeError(f"{word[:40]!r} is no size from 1 to {written(MAX_SIZE)}, as 64, 16K or 1M")
    return size


def written(size: int) -> str:
    """Return a size as people write it: 64, 16K or 1M."""
    unit = next((unit for unit in ("M", "K") if size % UNITS[unit] == 0), "")
    return f"{size // UNITS.get(unit, 1)}{unit}"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= MAX_SECONDS:  # nor nan
        raise argparse.ArgumentTypeError(f"{text!r} is no time from 0 to {MAX_SECONDS} seconds")
    return seconds


def _picture(path: str) -> str:
    if not path.lower().endswith(PICTURES):
        raise argparse.ArgumentTypeError(f"{path!r} ends neither in .svg nor in .png")
    return path


def _bench(arguments: argparse.Namespace) -> int:
    """Measure, and print or draw what was found; 2 for an unknown name or a size that a cipher cannot have."""
    try:
        from . import speed
    except (ImportError, Warning) as error:  # the package refuses this CPU; a warning that -W makes an error
        raise KconfError(f"armlet: {error}") from None
    try:
        tasks = speed.tasks(arguments.names, arguments.backends)
        speed.check_sizes(tasks, arguments.sizes)
    except ValueError as error:
        print(f"armlet bench: {error}", file=sys.stderr)
        return 2
    if arguments.plot:
        from . import plot

        plot.prepare(arguments.plot)
    steps = [(task, size) for task in tasks for size in arguments.sizes]
    points: list[Point] = []
    with _Progress(len(steps)) as progress:
        for task, size in steps:
            progress.begin(f"{task.name}, {written(size)}")
            points += speed.points(task, size, arguments.time)
    report = speed.as_dict(points, arguments.time)
    if arguments.plot:
        plot.draw(points, arguments.plot, f"{report['package']} {report['version']}, {_machine(report)}")
    print(json.dumps(report, indent=2) if arguments.json else _table(report, points))
    return 0


def _machine(report: dict[str, Any]) -> str:
    features = ", ".join(report["cpu"]["features"])
    return f"{report['target']['system']} {report['target']['cpu_family']}" + (f" with {features}" if features else "")


def _table(report: dict[str, Any], points: "Sequence[Point]") -> str:
    heading = ("function", " size", "backend", "    ns/call", "     MB/s", "x generic")
    lines = columns([heading, *map(_cells, points)], max(width_of(sys.stdout), WIDTH) if sys.stdout else WIDTH)
    peer = f"; hashlib has {' '.join(report['openssl'].split()[:2])}" if report["openssl"] else ""
    text = "\n".join([f"{_machine(report)}; MB are 10^6 bytes{peer}", "", *lines])
    return encodable(text, sys.stdout) if sys.stdout else text


def _cells(point: "Point") -> tuple[str, ...]:
    ratio = "" if point.ratio is None else f"{point.ratio:9.2f}"
    speed = f"{point.megabytes_per_second:9.1f}"
    return (point.name, f"{written(point.size):>5}", point.backend, f"{point.nanoseconds:11,.0f}", speed, ratio)


class _Progress:
    """A line on a terminal that says what is being measured, and is not there any more at the end."""

    def __init__(self, steps: int) -> None:
        self._steps, self._done, self._shown = steps, 0, 0
        self._stream = sys.stderr if sys.stderr and sys.stderr.isatty() else None

    def __enter__(self) -> "_Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._show("")
        if self._stream:
            print(end="\r", file=self._stream, flush=True)

    def begin(self, what: str) -> None:
        """Say what comes next."""
        self._done += 1
        self._show(f"{self._done}/{self._steps}  {what}")

    def _show(self, text: str) -> None:
        if self._stream:
            print(f"\r{text.ljust(self._shown)}", end="", file=self._stream, flush=True)
            self._shown = len(text)
