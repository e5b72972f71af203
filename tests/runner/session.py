"""One call of the runner: tools, environment, builds, and all that is run with them, side by side on all cores."""

import contextlib
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from runner import environment, sysroot, tools
from runner.build import Builder
from runner.commands import CommandError, UnavailableError
from runner.console import say, show
from runner.lint import lint
from runner.results import Result, without_excuse
from runner.suite import Backends, Build, Outcome, Suite
from runner.sysroot import Sysroot
from runner.targets import Run, Target


@dataclass(frozen=True)
class Session:
    """What the runs have in common."""

    project: Path
    folder: Path  # for all that is made
    install_tools: bool = False
    require_all: bool = False
    pytest_arguments: tuple[str, ...] = ()

    def run(self, rows: Sequence[Run], *, style: bool, complete: bool) -> list[Result]:
        """Run the rows and the checks; `complete` says that the rows should have tested every backend."""
        targets = list(dict.fromkeys(row.target for row in rows))
        self._install_tools(targets)
        python = environment.make(self.project, self.folder / "venv", self._log("environment"))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            builds = {pool.submit(self._build, target, python): target for target in targets}
            linted = [pool.submit(lint, self.project, python, self.folder / "lint")] if style else []
            suites: dict[str, Future[Outcome]] = {}
            for built in as_completed(builds):
                for row in rows:
                    if row.target is builds[built]:
                        suites[row.name] = pool.submit(self._outcome, row, built)
        outcomes = [suites[row.name].result() for row in rows]
        results = [outcome.result for outcome in outcomes] + [future.result() for future in linted]
        if complete:
            results.append(every_backend_was_tested(outcomes))
        return [without_excuse(result) for result in results] if self.require_all else results

    def _install_tools(self, targets: Iterable[Target | None]) -> None:
        if self.install_tools:
            needed = [t for target in targets for t in (tools.cross_tools(target) if target else tools.NATIVE_TOOLS)]
            tools.install(needed, self._log("tools"))

    def _unpack_sysroots(self, targets: Iterable[Target | None]) -> None:
        """Do it before all else, since tests of the native run use them too; what fails is told where it is lacking."""
        for target in targets:
            if target and self.install_tools:
                with contextlib.suppress(UnavailableError):
                    self._sysroot(target)
                with contextlib.suppress(*([] if self.require_all else [UnavailableError])):
                    sysroot.find_newer(target, self._log(f"{target.name}-newer-python"))

    def _sysroot(self, target: Target) -> Sysroot:
        return sysroot.find(target, self._log(f"{target.name}-python"), may_download=self.install_tools)

    def _build(self, target: Target | None, python: Path) -> Build:
        """Build the package for a target, or for this machine."""
        try:
            return self._build_for(target, python) if target else self._build_natively(python)
        except CommandError as error:
            show(f"{target.name if target else 'native'}: {error}", error.output())
            raise

    def _build_natively(self, python: Path) -> Build:
        say("native: building")
        return Build(python, (self._builder("native", python).build_natively(),))

    def _build_for(self, target: Target, python: Path) -> Build:
        if lacking := tools.missing(tools.cross_tools(target)):
            raise UnavailableError(not_found(lacking))
        tree = self._sysroot(target)
        say(f"{target.name}: building")
        builder = self._builder(target.name, python)
        site = builder.build_for(target, tree)
        needed = environment.requirements(self.project)
        pure = environment.make_pure(python, tree.version, needed, builder.folder / "pure", builder.log)
        return Build(tree.python, (site, pure), tree)

    def _outcome(self, row: Run, built: Future[Build]) -> Outcome:
        """Run the row if its build came about."""
        try:
            made = built.result()
        except UnavailableError as reason:
            say(f"{row.name}: skipped: {reason}")
            return Outcome(row, Result(row.name, skipped=1, lacking=str(reason)))
        except CommandError:
            return Outcome(row, Result(row.name, failed=1, note="could not be built"))
        try:
            outcome = Suite(row, made, self.project, self.folder / "runs" / row.name).run(self.pytest_arguments)
        except CommandError as error:
            show(f"{row.name}: {error}", error.output())
            return Outcome(row, Result(row.name, failed=1, note=str(error)))
        if row.target is None and (lacking := tools.missing(tools.NATIVE_TOOLS)):
            return replace(outcome, result=replace(outcome.result, lacking=not_found(lacking)))
        return outcome

    def _builder(self, name: str, python: Path) -> Builder:
        return Builder(self.project, python, self.folder / "builds" / name, self._log(f"{name}-build"))

    def _log(self, name: str) -> Path:
        """Name a new file for the output of what is run."""
        log = self.folder / "logs" / f"{name}.txt"
        log.unlink(missing_ok=True)
        return log


def not_found(lacking: Sequence[tools.Tool]) -> str:
    """Name the tools that this machine lacks."""
    return f"{' and '.join(tool.command for tool in lacking)} not found (--install-tools installs them)"


def every_backend_was_tested(outcomes: Sequence[Outcome]) -> Result:
    """Check that each backend of each build passed a test in some run on its architecture."""
    built = Backends().union(*(outcome.built for outcome in outcomes))
    tested = Backends().union(*(outcome.tested for outcome in outcomes))
    untested = [f"{algorithm} {backend} on {machine}" for machine, algorithm, backend in sorted(built - tested)]
    note = f"no run tested {', '.join(untested)}" if untested else ""
    return Result("backends", passed=len(built & tested), failed=len(untested), note=note)
