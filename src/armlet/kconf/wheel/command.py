"""`wheel` and `targets`: wheels for many targets, and the list of targets."""

import argparse
import contextlib
import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from ..errors import KconfError
from ..record import built_backends
from .build import Wish, Workshop, source_date_epoch
from .check import read_report, require_sound
from .headers import write_headers
from .processes import Failed, Output, Processes
from .progress import Progress
from .targets import WheelTarget, all_targets, find_target, github_matrix, search_path

SCHEMA = 1
LOGS = os.path.join("build", "wheel")
# What the extra [wheel] installs, by the names under which it is imported, and the programs of it that are run.
MODULES = (
    *("abi3info", "auditwheel", "build", "capstone", "elftools", "macholib"),
    *("mesonbuild", "mesonpy", "packaging", "ziglang"),
)


class Result(NamedTuple):
    """What came of one target."""

    target: str
    file: str | None
    size: int | None
    backends: dict[str, list[str]]
    tried: list[str]
    not_tried: str | None
    error: str | None
    log: str | None  # of a target that failed
    seconds: float


def add_targets(commands: Any) -> None:
    """Add the command `targets` to an argparse subparsers object."""
    parser = commands.add_parser(
        "targets",
        help="the machines that wheels are made for",
        description="Lists the files targets/*.ini: Meson cross files that say how wheels are tagged and tried too.",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the same, and more, for programs")
    form.add_argument("--github-matrix", action="store_true", help="the matrix of a GitHub workflow, a job for each")
    parser.set_defaults(run=_targets)


def _targets(arguments: argparse.Namespace) -> int:
    targets = all_targets(os.getcwd())
    if not targets:
        raise KconfError(f"{os.getcwd()} has no targets/*.ini: run this in a source tree")
    if arguments.json:
        print(json.dumps({"schema": SCHEMA, "targets": [target.as_dict() for target in targets]}, indent=2))
    elif arguments.github_matrix:
        print(json.dumps(github_matrix(targets)))
    else:
        print(*_columns([(t.name, t.platform, t.description) for t in targets]), sep="\n")
    return 0


def add_wheel(commands: Any) -> None:
    """Add the command `wheel` to an argparse subparsers object."""
    parser = commands.add_parser(
        "wheel",
        help="wheels for other machines, checked and tried",
        description="Builds the source tree in which it runs for each target, tags and repairs the wheel, checks it "
        "against its tag, and leaves in the output folder what passed. Nothing is compiled before every target was "
        "configured.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--target", action="append", default=[], metavar="NAME", help="targets/NAME.ini, or the path of a cross file"
    )
    which.add_argument("--all", action="store_true", help="every file in targets/")
    parser.add_argument("--out", default="dist", metavar="DIR", help="where the wheels go; dist by default")
    parser.add_argument("--config", action="append", default=[], metavar="NAME", help="a configuration, in order")
    parser.add_argument("--set", action="append", default=[], metavar="SYMBOL=VALUE", help="applied last")
    parser.add_argument("--build-tag", metavar="TAG", help="by default one made of --config and --set, if given")
    parser.add_argument(
        "--compiler", choices=("cross-file", "gcc"), default="cross-file", help="gcc: the one that the target names"
    )
    parser.add_argument("--try", dest="try_it", action="store_true", help="import each in a Python of its architecture")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="targets at a time")
    parser.add_argument("-v", "--verbose", action="store_true", help="what the compilers print, too")
    parser.add_argument("--json", action="store_true", help="the result for programs, on standard output")
    parser.set_defaults(run=_wheel)


def _wheel(arguments: argparse.Namespace) -> int:
    source_dir = os.getcwd()
    for file in ("meson.build", "pyproject.toml"):
        if not os.path.exists(file):
            raise KconfError(f"{source_dir} has no {file}: run this in a source tree")
    _require_tools()
    targets = _chosen(source_dir, arguments)
    jobs = max(1, min(arguments.jobs, len(targets)))
    wish = Wish(
        source_dir,
        arguments.config,
        arguments.set,
        _build_tag(arguments),
        arguments.compiler,
        source_date_epoch(source_dir),
        max(1, (os.cpu_count() or 1) // jobs),
    )
    order = Order(targets, wish, os.path.abspath(arguments.out), arguments.try_it, arguments.verbose)
    results = order.carry_out(jobs)
    if arguments.json:
        print(json.dumps({"schema": SCHEMA, "wheels": [result._asdict() for result in results]}, indent=2))
    else:
        print(_table(results))
    return 1 if any(result.error for result in results) else 0


def _require_tools() -> None:
    lacking = [name for name in MODULES if importlib.util.find_spec(name) is None]
    lacking += [name for name in ("ninja", "patchelf") if not shutil.which(name, path=search_path())]
    if lacking:
        raise KconfError(f"{', '.join(lacking)} not found: {sys.executable} -m pip install 'armlet[wheel]'")


def _chosen(source_dir: str, arguments: argparse.Namespace) -> list[WheelTarget]:
    targets = all_targets(source_dir) if arguments.all else [find_target(source_dir, n) for n in arguments.target]
    targets = list({target.name: target for target in targets}.values())
    if not targets:
        raise KconfError(f"--all: {source_dir} has no targets/*.ini")
    for target in targets if arguments.compiler == "cross-file" else []:
        if not shutil.which(target.compiler, path=search_path()):
            raise KconfError(f"{target.path}: the compiler {target.compiler} is not found")
    return targets


def _build_tag(arguments: argparse.Namespace) -> str:
    """Return what keeps wheels of two configurations apart: the default one has no build tag."""
    if arguments.build_tag is not None:
        if not re.fullmatch(r"\d[\w.]*", arguments.build_tag, re.ASCII):
            raise KconfError(f"--build-tag {arguments.build_tag}: a digit, then letters, digits, . and _")
        return str(arguments.build_tag)
    if not arguments.config and not arguments.set:
        return ""
    names = [os.path.basename(name).removesuffix(".config") or "config" for name in arguments.config]
    entries = f"{zlib.crc32(chr(10).join(sorted(arguments.set)).encode()):08x}"
    return re.sub(r"\W+", "_", "_".join(["1", *names, *([entries] if arguments.set else [])]))


class Order:
    """Wheels of several targets, made at the same time."""

    def __init__(self, targets: list[WheelTarget], wish: Wish, out: str, try_it: bool, verbose: bool) -> None:
        self._targets = targets
        self._wish = wish
        self._out = out
        self._try_it = try_it
        self._verbose = verbose
        self._processes = Processes()
        self._progress = Progress([target.name for target in targets])
        self._results: dict[str, Result] = {}

    def carry_out(self, jobs: int) -> list[Result]:
        """Configure all, then build, check and try those that could be configured."""
        with tempfile.TemporaryDirectory(prefix="wheel-") as folder, ThreadPoolExecutor(jobs) as pool:
            headers = write_headers(folder)
            try:
                with contextlib.ExitStack() as logs:
                    workshops = [self._workshop(target, headers, folder, logs) for target in self._targets]
                    for step in (self._configure, self._finish):
                        left = [workshop for workshop in workshops if workshop.target.name not in self._results]
                        list(pool.map(step, left))
            except BaseException:
                self._processes.stop()
                pool.shutdown(cancel_futures=True)
                raise
            finally:
                self._progress.close()
        for target in self._targets:
            if not self._results[target.name].error:
                os.remove(_log_of(target))
        return [self._results[target.name] for target in self._targets]

    def _workshop(self, target: WheelTarget, headers: str, folder: str, logs: contextlib.ExitStack) -> Workshop:
        own = os.path.join(folder, target.name)
        os.mkdir(own)
        os.makedirs(LOGS, exist_ok=True)
        log = open(_log_of(target), "w", encoding="utf-8")  # noqa: SIM115  # closed with the others
        logs.push(log)
        echo = (lambda line: self._progress.say(f"{target.name}: {line}")) if self._verbose else None
        return Workshop(target, self._wish, headers, Output(own, self._processes, log, echo))

    def _configure(self, workshop: Workshop) -> None:
        name = workshop.target.name
        with self._failures(workshop):
            self._progress.step(name, "configures")
            workshop.configure()
            self._progress.pause(name)

    def _finish(self, workshop: Workshop) -> None:
        from .archive import unpack
        from .tries import Trials, try_wheel

        target = workshop.target
        with self._failures(workshop):
            self._progress.step(target.name, "compiles")
            wheel = workshop.build()
            self._progress.step(target.name, "is checked")
            tree = os.path.join(workshop.folder, "checked")
            unpack(wheel, tree)
            require_sound(wheel, tree, [self._wish.source_dir, workshop.folder, os.path.expanduser("~/")])
            trials = Trials([], "--try was not given")
            if self._try_it:
                self._progress.step(target.name, "is tried")
                trials = try_wheel(wheel, tree, target, workshop)
            file = _deliver(wheel, self._out)
            tried = f"tried in {', '.join(trials.tried)}" if trials.tried else f"not tried: {trials.not_tried}"
            seconds = self._progress.end(target.name, f"built and checked; {tried}")
            backends = built_backends(read_report(_report_in(tree)))
            size = os.path.getsize(file)
            self._results[target.name] = Result(target.name, file, size, backends, *trials, None, None, seconds)

    @contextlib.contextmanager
    def _failures(self, workshop: Workshop) -> Iterator[None]:
        """What goes wrong with one target is said, and the others go on."""
        name, log = workshop.target.name, _log_of(workshop.target)
        try:
            yield
        except (KconfError, OSError) as error:
            words = str(error)
            if isinstance(error, Failed):
                words += f": {_last_error(error.output)}"
            seconds = self._progress.end(name, f"FAILED: {words} (log: {log})")
            self._results[name] = Result(name, None, None, {}, [], None, words, log, seconds)


def _log_of(target: WheelTarget) -> str:
    return os.path.join(LOGS, f"{target.name}.log")


def _last_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it said nothing"])[0 if errors else -1]


def _report_in(tree: str) -> str:
    from .archive import files_in

    return os.path.join(tree, next(file for file in files_in(tree) if os.path.basename(file) == "_config.py"))


def _deliver(wheel: str, out: str) -> str:
    """Put a wheel into the output folder, all of it or nothing."""
    os.makedirs(out, exist_ok=True)
    destination = os.path.join(out, os.path.basename(wheel))
    partial = f"{destination}.{os.getpid()}.part"
    try:
        shutil.copyfile(wheel, partial)
        os.replace(partial, destination)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(partial)
    return destination


def _table(results: list[Result]) -> str:
    rows = [("target", "size", "file", "backends", "tried")]
    for result in results:
        if result.error:
            rows.append((result.target, "", "none", "", "failed"))
            continue
        count = sum(map(len, result.backends.values()))
        backends = f"{count} of {len(result.backends)} algorithms"
        size = f"{(result.size or 0) / 1000:.0f} kB"
        tried = ", ".join(result.tried) or f"not tried: {result.not_tried}"
        rows.append((result.target, size, os.path.basename(result.file or ""), backends, tried))
    return "\n".join(_columns(rows))


def _columns(rows: list[Any]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return ["  ".join([*map(str.ljust, row[:-1], widths), row[-1]]).rstrip() for row in rows]
