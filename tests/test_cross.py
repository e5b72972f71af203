"""Builds for another architecture, which refuse to be imported below their baseline; they run in emulated Pythons."""

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runner import sysroot
from runner.build import Builder
from runner.commands import UnavailableError
from runner.suite import Build
from runner.targets import ARM64, Target
from runner.tools import cross_tools, missing

pytestmark = pytest.mark.native

PROJECT = Path(__file__).resolve().parent.parent

CrossBuild = Callable[..., Build]


@pytest.fixture(scope="session")
def cross_build(tmp_path_factory: pytest.TempPathFactory) -> CrossBuild:
    """Make the build of a target with options of Meson, `cross_build(ARM64, "-Dconfig=tiny")`, once."""

    @functools.cache
    def build(target: Target, *options: str) -> Build:
        folder = tmp_path_factory.mktemp(target.name)
        if lacking := missing(cross_tools(target)):
            pytest.skip(f"{' and '.join(tool.command for tool in lacking)} not found")
        try:
            tree = sysroot.find(target, folder / "sysroot.txt", may_download=False)
        except UnavailableError as reason:
            pytest.skip(str(reason))
        builder = Builder(PROJECT, Path(sys.executable), folder, folder / "log.txt")
        return Build(tree.python, (builder.build_for(target, tree, ["--optimization=0", *options]),), tree)

    return build


def run(build: Build, target: Target, cpu: str, code: str, mask: str = "") -> subprocess.CompletedProcess[str]:
    """Run CODE in the emulated Python, which imports the build."""
    environment = {**os.environ, "PYTHONPATH": str(build.path[0]), "ARMLET_CPU_MASK": mask}
    command = [*build.python_on(target, cpu), "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


SHA3_BASELINE = (ARM64, "-Dconfig=tiny", "-Dset=BASELINE_ARM64_SHA3=y")


def test_cpu_below_the_baseline(cross_build: CrossBuild) -> None:
    done = run(cross_build(*SHA3_BASELINE), ARM64, "cortex-a53", "import armlet.digest")
    error = done.stderr.splitlines()[-1]
    assert error.startswith("ImportError: armlet._core is built for CPUs with ")
    assert "BASELINE_ARM64_SHA3=y), which this one lacks: rebuild it with " in error
    assert "BASELINE_ARM64_SHA3=n" in error


def test_cpu_of_the_baseline(cross_build: CrossBuild) -> None:
    done = run(cross_build(*SHA3_BASELINE), ARM64, "max", "from armlet import config; print(config.cpu_features)")
    assert done.stderr == ""
    assert "sha3" in done.stdout


def test_mask_hides_what_the_baseline_promises(cross_build: CrossBuild) -> None:
    done = run(cross_build(*SHA3_BASELINE), ARM64, "max", "import armlet.digest", mask="sha3")
    error = done.stderr.splitlines()[-1]
    assert error == (
        "ImportError: armlet._core is built for CPUs with sha3 (BASELINE_ARM64_SHA3=y), which ARMLET_CPU_MASK hides: "
        "unset the variable, or rebuild it with BASELINE_ARM64_SHA3=n"
    )
