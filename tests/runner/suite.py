"""One run of the test suite: in the machine's own Python, or in that of an emulated CPU."""

import json
import os
import shlex
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from runner.commands import Command, CommandError, run, status_of
from runner.console import say, show
from runner.results import Result, from_junit
from runner.sysroot import Sysroot
from runner.targets import Run, Target

NO_TESTS_COLLECTED = 5

REPORT = """\
import json, pathlib, sys, armlet.config
pathlib.Path(sys.argv[1]).write_text(json.dumps(armlet.config.as_dict()))
"""

Backends = frozenset[tuple[str, str, str]]  # (architecture, algorithm, backend)


@dataclass(frozen=True)
class Build:
    """The built package, and the Python that imports it."""

    python: Path
    path: tuple[Path, ...]  # PYTHONPATH
    sysroot: Sysroot | None = None  # of another architecture

    def python_on(self, target: Target | None, cpu: str) -> list[str]:
        """Return the command that is this Python, on an emulated CPU where it is of another architecture."""
        if target is None or self.sysroot is None:
            return [str(self.python)]
        return [target.qemu, "-cpu", cpu, "-L", str(self.sysroot.tree), str(self.python)]


@dataclass(frozen=True)
class Outcome:
    """What came of a row: its counts, what its build contains, and what its tests say that they tested."""

    row: Run
    result: Result
    built: Backends = frozenset()
    tested: Backends = frozenset()


@dataclass(frozen=True)
class Suite:
    """A row of the table of runs, and the build that it tests."""

    row: Run
    build: Build
    project: Path
    folder: Path  # for all that is written
    require_all: bool = False

    def run(self, arguments: Sequence[str]) -> Outcome:
        """Ask the build for its report under the CPU of the row, run the tests, and compare what was selected."""
        say(f"{self.row.name}: testing")
        start = time.monotonic()
        self._clear()
        report = self._report()
        architecture, algorithms = report["target"]["cpu_family"], report["algorithms"]
        result = self._pytest(arguments)
        faults = list(self._wrong_selections(algorithms))
        seconds = time.monotonic() - start
        result = replace(result, failed=result.failed + len(faults), note="; ".join(faults), seconds=seconds)
        say(f"{self.row.name}: {result.passed} passed, {result.failed} failed, {result.skipped} skipped")
        if result.failed:
            show(f"{self.row.name}: {self.log}", self.log.read_text(errors="replace"))
        return Outcome(self.row, result, _built(architecture, algorithms), self._tested(architecture))

    @property
    def log(self) -> Path:
        """The file of what pytest prints."""
        return self.folder / "output.txt"

    @cached_property
    def _python(self) -> list[str]:
        """The command that is this row's Python."""
        return self.build.python_on(self.row.target, self.row.cpu)

    @cached_property
    def _environment(self) -> dict[str, str]:
        programs = [self.build.path[0] / "bin", *([] if self.build.sysroot else [self.build.python.parent])]
        return {
            "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join(map(str, self.build.path)),
            "PYTHONDONTWRITEBYTECODE": "",  # under emulation, compiling costs more than running
            "ARMLET_CPU_MASK": "",
            "ARMLET_TEST_PYTHON": shlex.join(self._python),
            "ARMLET_TEST_REQUIRE_ALL": "1" if self.require_all else "",
            **self.row.environment,
        }

    def _clear(self) -> None:
        """Remove what an earlier run wrote, so that it is not taken for an answer of this one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("output.txt", "report.txt", "armlet.json", "junit.xml", "tested-backends.txt"):
            (self.folder / name).unlink(missing_ok=True)

    def _report(self) -> dict[str, Any]:
        """Return what `armlet show --json` says in that Python."""
        report = self.folder / "armlet.json"
        run([*self._python, "-W", "error", "-c", REPORT, report], self.folder / "report.txt", self._environment)
        answer: dict[str, Any] = json.loads(report.read_text())
        return answer

    def _pytest(self, arguments: Sequence[str]) -> Result:
        junit, tested = self.folder / "junit.xml", self.folder / "tested-backends.txt"
        options = ["-q", f"--rootdir={self.project}", "-o", f"cache_dir={self.folder / 'cache'}"]
        options += [f"--junitxml={junit}", f"--tested-backends={tested}"]
        if self.row.target:
            options += ["-m", "not native"]
        command: Command = [*self._python, "-m", "pytest", *options, self.project / "tests", *arguments]
        status = status_of(command, self.log, self._environment, self.project)
        expected = {0, 1, NO_TESTS_COLLECTED} if arguments else {0, 1}
        if status not in expected or not junit.is_file():
            raise CommandError(command, f"exited with status {status}", self.log)
        return from_junit(self.row.name, junit)

    def _wrong_selections(self, algorithms: dict[str, Any]) -> Iterator[str]:
        for algorithm, wanted in self.row.selects.items():
            selected = algorithms.get(algorithm, {}).get("selected")
            if selected != wanted:
                yield f"{algorithm} is served by {selected}, not by {wanted}"

    def _tested(self, architecture: str) -> Backends:
        """Return what the tests themselves wrote down."""
        rows = (self.folder / "tested-backends.txt").read_text().splitlines()
        return frozenset((architecture, algorithm, backend) for algorithm, backend in map(str.split, rows))


def _built(architecture: str, algorithms: dict[str, Any]) -> Backends:
    return frozenset(
        (architecture, name, backend["name"])
        for name, algorithm in algorithms.items()
        for backend in algorithm["backends"]
        if backend["built"]
    )
