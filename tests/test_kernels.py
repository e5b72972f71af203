"""Each kernel by itself, called by native/kernels: it computes what it should, and does nothing else.

The program walks the tables of a build, linked with the objects that Meson compiles for the module. The answers that it
knows come from hashlib, and from Speck-XTS in plain Python.
"""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from native.kernels import answers
from runner.build import CROSS_FILE
from runner.targets import RUNS, Target
from runner.tools import cross_tools, missing

pytestmark = pytest.mark.native

PROJECT = Path(__file__).resolve().parent.parent
HARNESS = PROJECT / "tests/native/kernels"
CORRECT = [PROJECT / "digest/sha256-generic.c", PROJECT / "cipher/speck64-xts-generic.c"]
DETECTION = PROJECT / "src/armlet/kconf/native/cpu.c"

TARGETS = list(dict.fromkeys(run.target for run in RUNS))
CPUS = {target: list(dict.fromkeys(run.cpu for run in RUNS if run.target is target)) for target in TARGETS}

Kernel = tuple[str, str]  # algorithm, backend


def run(command: list[str], folder: Path) -> None:
    """Run a command, in which the programs beside this Python come first; show what it says if it fails."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@dataclass(frozen=True)
class Build:
    """A build folder that Meson has set up, and what it wrote there."""

    target: Target | None
    folder: Path
    record: dict[str, Any]
    commands: list[dict[str, str]]

    @property
    def kernels(self) -> dict[Kernel, bool]:
        """All kernels of Kconfig, in order, and whether they are built."""
        algorithms = self.record["algorithms"].items()
        return {(name, backend["name"]): backend["built"] for name, a in algorithms for backend in a["backends"]}

    def is_correct(self, kernel: Kernel, verdict: str) -> bool:
        """Tell whether nothing is wrong with a kernel; C may leave secrets in registers, but not on the stack."""
        name = "-".join(kernel).replace("_", "-") + ".S"
        is_assembler = any(Path(command["file"]).name == name for command in self.commands)
        ok, _, leaves = verdict.partition(", but leaves ")
        return ok == "ok" and not (leaves if is_assembler else "stack" in leaves.split())

    def objects(self) -> list[str]:
        """Compile what the algorithms are made of: all of the module but what needs Python."""
        families = {algorithm["family"] for algorithm in self.record["algorithms"].values()}
        mine = [c for c in self.commands if Path(c["file"]).parent.name in families or c["file"].endswith("/cpu.c")]
        objects = [command["output"] for command in mine]
        meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
        run([*meson, "compile", "-C", str(self.folder), f"--ninja-args={','.join(objects)}"], self.folder)
        return [str(self.folder / name) for name in objects]

    def link(self, name: str, kernels: Iterable[str | Path], headers: Iterable[Path] = ()) -> Path:
        """Make a program of the harness and kernels, in C, assembler or objects."""
        architecture = self.record["target"]["cpu_family"]
        (self.folder / "answers.h").write_text(answers.header(self.record["target"]["endian"]))
        compiler = [*self.record["compiler"]["argv"], *(["-static"] if self.target else [])]
        flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"]
        include = [f"-I{folder}" for folder in (*headers, self.folder, DETECTION.parent)]
        harness = [str(HARNESS / name) for name in ("kernels.c", "call.c", f"call-{architecture}.S")]
        program = self.folder / name
        run([*compiler, *flags, *include, *harness, *map(str, kernels), "-o", str(program)], self.folder)
        return program

    def run(self, program: Path, cpu: str) -> Iterator[tuple[Kernel, str]]:
        """Run a program, and return what it says of each kernel."""
        emulator = [self.target.qemu, "-cpu", cpu] if self.target else []
        done = subprocess.run([*emulator, str(program)], capture_output=True, text=True, check=False, timeout=900)
        print(cpu, done.stdout, done.stderr, sep="\n")
        assert done.returncode in {0, 1}
        for line in done.stdout.splitlines():
            algorithm, backend, verdict = line.split(" ", 2)
            yield (algorithm, backend), verdict


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Target | None], Build]:
    """Set up a build for a target, or for this machine, once."""

    @functools.cache
    def set_up(target: Target | None) -> Build:
        folder = tmp_path_factory.mktemp(target.name if target else "native")
        options = ["-Dconfig=default"]
        if target:
            if lacking := missing(cross_tools(target)):
                pytest.skip(f"{' and '.join(tool.command for tool in lacking)} not found")
            (folder / "cross.ini").write_text(CROSS_FILE.format(target=target))
            options.append(f"--cross-file={folder / 'cross.ini'}")
        run([sys.executable, "-m", "mesonbuild.mesonmain", "setup", *options, str(folder), str(PROJECT)], PROJECT)
        record = json.loads((folder / "kconf.json").read_text())
        architecture = record["target"]["cpu_family"]
        if not (HARNESS / f"call-{architecture}.S").is_file():
            pytest.skip(f"native/kernels has no call-{architecture}.S")
        return Build(target, folder, record, json.loads((folder / "compile_commands.json").read_text()))

    return set_up


every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name if target else "native")


@every_target
def test_every_kernel(target: Target | None, set_up: Callable[[Target | None], Build]) -> None:
    """What is built is correct on each CPU that can run it; emulated, there must be one for each kernel."""
    build = set_up(target)
    program = build.link("kernels", build.objects())
    built = [kernel for kernel, is_built in build.kernels.items() if is_built]
    correct, wrong = set(), []
    for cpu in CPUS[target]:
        verdicts = dict(build.run(program, cpu))
        assert list(verdicts) == built
        for kernel, verdict in verdicts.items():
            if build.is_correct(kernel, verdict):
                correct.add(kernel)
            elif verdict != "unusable":
                wrong.append((cpu, *kernel, verdict))
    assert not wrong
    assert not target or correct == set(built)


def test_every_kernel_is_built_for_a_target(set_up: Callable[[Target | None], Build]) -> None:
    builds = [set_up(target) for target in TARGETS]
    built = {kernel for build in builds for kernel, is_built in build.kernels.items() if is_built}
    assert built == set(builds[0].kernels)


@every_target
def test_faults_are_found(target: Target | None, set_up: Callable[[Target | None], Build]) -> None:
    """A broken kernel is named after what should be said of it."""
    build = set_up(target)
    broken = HARNESS / "broken"
    architecture = build.record["target"]["cpu_family"]
    sources = [broken / "broken.c", broken / f"broken-{architecture}.S", *CORRECT, DETECTION]
    program = build.link("broken", sources, headers=[broken, PROJECT / "digest", PROJECT / "cipher"])
    found = 0
    for (_, backend), verdict in build.run(program, CPUS[target][0]):
        if backend == "generic":
            assert verdict.startswith("ok")
        else:
            fault = verdict.removeprefix("ok, but ").partition(":")[0]
            assert fault == backend.partition("__")[0].replace("_", " ")
            found += 1
    assert found
