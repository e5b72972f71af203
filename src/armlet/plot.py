"""The picture of `armlet bench`: a panel for each function, a line for each backend; drawn with matplotlib."""

import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .bench import written
from .kconf.errors import KconfError
from .kconf.files import replace_file

if TYPE_CHECKING:
    from .speed import Point

COLUMNS = 2  # of panels
PANEL = (5.0, 3.5)  # inches


def prepare(path: str) -> None:
    """Find out that a picture can be drawn into a file, before time is spent on measuring."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        install = f"{sys.executable} -m pip install 'armlet[plot]'"
        raise KconfError(f"--plot needs matplotlib: {install} ({error})") from None
    folder = os.path.dirname(os.path.realpath(path))
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK)) or os.path.isdir(path):
        raise KconfError(f"--plot {path}: cannot be written")


def draw(points: "Sequence[Point]", path: str, title: str) -> None:
    """Draw the speeds into a file, which is complete or not there; its suffix says what kind."""
    import matplotlib
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(point.name for point in points))
    columns = min(COLUMNS, len(names))
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(columns * PANEL[0], rows * PANEL[1] + 0.4), layout="constrained")
    figure.suptitle(title)
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for name, axes in zip(names, panels, strict=False):
        _panel(axes, [point for point in points if point.name == name])
    for axes in panels:  # the last row may not be full
        axes.axis("off")
    written = io.BytesIO()
    kind = os.path.splitext(path)[1][1:].lower()
    with matplotlib.rc_context({"svg.hashsalt": "armlet"}):  # the same figures give the same file
        figure.savefig(written, format=kind, metadata={"Date": None} if kind == "svg" else None)
    replace_file(path, written.getvalue())


def _panel(axes: Any, points: "Sequence[Point]") -> None:
    for backend in dict.fromkeys(point.backend for point in points):
        line = sorted((point.size, point.megabytes_per_second) for point in points if point.backend == backend)
        style = {"color": "grey", "linestyle": "--"} if backend == "hashlib" else {}
        axes.plot(*zip(*line, strict=True), marker=".", label=backend, **style)
    sizes = sorted({point.size for point in points})
    axes.set_title(points[0].name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [written(size) for size in sizes], minor=False)
    axes.set_xlabel("bytes of the message")
    axes.set_ylabel("MB/s")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
