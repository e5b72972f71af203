"""Wheels of several targets, made at the same time: what fails with one is said, and the others go on."""

import contextlib
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, NoReturn

from ..cross import write_headers
from ..errors import KconfError
from ..record import built_backends
from .archive import files_in, unpack
from .build import Wish, Workshop
from .check import read_report, require_sound
from .processes import Failed, Output, Processes
from .progress import Progress
from .targets import WheelTarget
from .tries import Trials, summary, try_wheel

LOGS = os.path.join("build", "wheel")


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
        with _folder_of_work() as folder, _ended_by_signals(), ThreadPoolExecutor(jobs) as pool:
            headers = write_headers(folder)
            try:
                with contextlib.ExitStack() as logs:
                    workshops = [self._workshop(target, headers, folder, logs) for target in self._targets]
                    for step in (self._configure, self._finish):
                        left = [workshop for workshop in workshops if workshop.target.name not in self._results]
                        list(pool.map(step, left))
            except BaseException:
                self._progress.close()
                self._processes.stop()
                pool.shutdown(cancel_futures=True)
                raise
            self._progress.close()
        for target in self._targets:
            if not self._results[target.name].error:
                os.remove(_log_of(target))
        return [self._results[target.name] for target in self._targets]

    def _workshop(self, target: WheelTarget, headers: str, folder: str, logs: contextlib.ExitStack) -> Workshop:
        own = os.path.join(folder, "targets", target.name)  # apart from the headers
        os.makedirs(own)
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
            file = deliver(wheel, self._out)
            tried = f"tried in {summary(trials.tried)}" if trials.tried else f"not tried: {trials.not_tried}"
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
            words = said_by_system(error) if isinstance(error, OSError) else str(error)
            if isinstance(error, Failed):
                words += f": {_last_error(error.output)}"
            seconds = self._progress.end(name, f"FAILED: {words} (log: {log})")
            self._results[name] = Result(name, None, None, {}, [], None, words, log, seconds)


@contextlib.contextmanager
def _folder_of_work() -> Iterator[str]:
    """A folder for all that is made on the way, which is short-lived whatever happens."""
    try:
        with tempfile.TemporaryDirectory(prefix="wheel-") as folder:
            yield folder
    except OSError as error:  # what concerns a single target ends that target alone
        words = said_by_system(error)
        hint = " (TMPDIR names another place for what is made on the way)" if tempfile.gettempdir() in words else ""
        raise KconfError(words + hint) from None


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """End as by Ctrl-C when the terminal is closed or the system stops: nothing is left half-made or running."""
    numbers = (signal.SIGTERM, signal.SIGHUP)

    def end(number: int, _: Any) -> NoReturn:
        raise SystemExit(128 + number)

    before = [signal.signal(number, end) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def said_by_system(error: OSError) -> str:
    """Return what went wrong and where: "No space left on device: dist/x.whl"."""
    if isinstance(error, shutil.Error):  # of many files; the first tells
        _, where, words = error.args[0][0]
        return re.sub(r"^\[Errno \d+\] |: '.*", "", words) + f": {where}"
    where = error.filename2 or error.filename
    return ": ".join(filter(None, (error.strerror or str(error), where and str(where))))


def _log_of(target: WheelTarget) -> str:
    return os.path.join(LOGS, f"{target.name}.log")


def _last_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it said nothing"])[0 if errors else -1]


def _report_in(tree: str) -> str:
    return os.path.join(tree, next(file for file in files_in(tree) if os.path.basename(file) == "_config.py"))


def deliver(wheel: str, out: str) -> str:
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
