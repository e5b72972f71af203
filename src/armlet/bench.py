"""`armlet bench`: the command, its table and its picture; speed.py, which loads all algorithms, measures."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .kconf.errors import KconfError
from .kconf.table import WIDTH, columns, encodable, width_of

if TYPE_CHECKING:
    from .speed import Point

SIZES = (16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20)  # bytes
MAX_SIZE = 1 << 30
UNITS = {"K": 1 << 10, "M": 1 << 20}
PICTURES = (".svg", ".png")


def add_bench(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "bench",
        help="what each backend that this CPU can run takes, by the size of the message",
        description="Measures every backend that this CPU can run, and hashlib where it has the algorithm: nanoseconds "
        "of a call, megabytes (10^6 bytes) in a second, and how many times as fast as the portable C it is.",
    )
    parser.add_argument(
        "algorithm", nargs="*", metavar="ALG", help="sha512, sha3, SHA3-384, Speck128XTS, ...; all by default"
    )
    sizes = ",".join(map(_written, SIZES))
    parser.add_argument("--sizes", type=_sizes, default=SIZES, help=f"of the message in bytes: {sizes} by default")
    parser.add_argument(
        "--time", type=_seconds, default=0.1, metavar="SECONDS", help="of each measurement: 0.1 by default"
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument(
        "--plot", type=_picture, metavar="FILE", help="draw the speeds into FILE, .svg or .png (needs armlet[plot])"
    )
    parser.set_defaults(run=bench)


def _sizes(text: str) -> tuple[int, ...]:
    sizes = []
    for word in text.split(","):
        number, unit = (word[:-1], UNITS[word[-1]]) if word[-1:] in UNITS else (word, 1)
        if not (number.isascii() and number.isdecimal() and 0 < int(number[:12]) * unit <= MAX_SIZE):
            raise argparse.ArgumentTypeError(f"{word!r} is no size from 1 to 1024M, as 64, 16K or 1M")
        sizes.append(int(number) * unit)
    return tuple(sizes)


def _written(size: int) -> str:
    unit = next((unit for unit in ("M", "K") if size % UNITS[unit] == 0), "")
    return f"{size // UNITS.get(unit, 1)}{unit}"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is no time from 0 to 3600 seconds")
    return seconds


def _picture(path: str) -> str:
    if not path.endswith(PICTURES):
        raise argparse.ArgumentTypeError(f"{path!r} ends neither in .svg nor in .png")
    return path


def bench(arguments: argparse.Namespace) -> int:
    """Measure, and print or draw what was found; 2 for an unknown algorithm or a size that a cipher cannot have."""
    try:
        from . import speed
    except (ImportError, Warning) as error:  # the package refuses this CPU; a warning that -W makes an error
        raise KconfError(f"armlet: {error}") from None
    try:
        functions = [speed.function_of(name) for name in arguments.algorithm or speed.built()]
        speed.check_sizes(functions, arguments.sizes)
    except ValueError as error:
        print(f"armlet bench: {error}", file=sys.stderr)
        return 2
    draw = _drawing(arguments.plot) if arguments.plot else None
    points = list(speed.points(functions, arguments.sizes, arguments.time, _progress))
    if arguments.json:
        print(json.dumps(speed.as_dict(points), indent=2))
    else:
        heading = ("function", " size", "backend", "    ns/call", "     MB/s", f"x {speed.BASE}")
        rows = [heading, *map(_cells, points)]
        print(encodable("\n".join(columns(rows, max(width_of(sys.stdout), WIDTH))), sys.stdout))
    if draw:
        draw(points)
    return 0


def _cells(point: "Point") -> tuple[str, ...]:
    name = point.function if point.operation == "digest" else f"{point.function} {point.operation}"
    ratio = "" if point.ratio is None else f"{point.ratio:9.2f}"
    speed = f"{point.megabytes_per_second:9.1f}"
    return (name, f"{_written(point.size):>5}", point.backend, f"{point.nanoseconds:11,.0f}", speed, ratio)


def _progress(text: str) -> None:
    if sys.stderr and sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _drawing(path: str) -> Callable[["list[Point]"], None]:
    """Return what draws into a file; that it can is found out before anything is measured."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise KconfError(f"--plot needs matplotlib: {sys.executable} -m pip install 'armlet[plot]'") from None
    folder = os.path.dirname(path) or "."
    if not os.access(folder, os.W_OK):
        raise KconfError(f"--plot {path}: {folder} cannot be written")

    def draw(points: "list[Point]") -> None:
        names = list(dict.fromkeys((point.function, point.operation) for point in points))
        figure = Figure(figsize=(7, 3.5 * len(names)), layout="constrained")
        for axes, name in zip(figure.subplots(len(names), squeeze=False)[:, 0], names, strict=True):
            own = [point for point in points if (point.function, point.operation) == name]
            for backend in dict.fromkeys(point.backend for point in own):
                line = [point for point in own if point.backend == backend]
                speeds = [point.megabytes_per_second for point in line]
                axes.plot([point.size for point in line], speeds, marker="o", label=backend)
            axes.set(title=" ".join(name), xlabel="bytes", ylabel="MB/s", xscale="log", yscale="log")
            axes.legend()
        with tempfile.NamedTemporaryFile(dir=folder, suffix=os.path.splitext(path)[1], delete=False) as file:
            figure.savefig(file, format=path.rpartition(".")[2])
        os.replace(file.name, path)

    return draw
