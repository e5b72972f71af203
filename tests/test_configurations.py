"""Configurations as people and chance make them: each one builds, and passes the tests of what it contains."""

import os
import re
import subprocess
import sys

import pytest

from project import SOURCE, Project, filled

pytestmark = pytest.mark.native

ALGORITHMS = [
    name
    for family in ("digest", "cipher")
    for name in re.findall(r"^menuconfig (\w+)$", (SOURCE / family / "Kconfig").read_text(), re.MULTILINE)
]
SUITE = ["tests/test_digest.py", "tests/test_cipher.py", "tests/test_config.py", "tests/test_module.py"]
LONG = "monte_carlo or long_messages or leaves_the_gil or nothing_leaks or command or output_that"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One build folder for all of them: what two have in common is compiled once."""
    project = Project(tmp_path_factory.mktemp("project"))
    done = project.meson("-Dconfig=default", "-Doptimization=0", "-Dwerror=true")
    assert done.returncode == 0, done.stdout
    return project


def check(project: Project, assignments: list[str]) -> None:
    """Build the configuration, and run the tests of this Python on it."""
    print(*assignments, sep="\n")
    site = project.make(f"-Dset={','.join(assignments)}")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not native"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), "tests"]), "ARMLET_CPU_MASK": ""}
    done = subprocess.run(
        [*command, "-k", f"not ({LONG})", *SUITE],
        cwd=SOURCE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_everything_off(project: Project) -> None:
    check(project, filled(project.build, "all_no"))


def test_everything_on(project: Project) -> None:
    check(project, filled(project.build, "all_yes"))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_algorithm_alone(project: Project, algorithm: str) -> None:
    check(project, [f"{name}={'y' if name == algorithm else 'n'}" for name in ALGORITHMS])


@pytest.mark.parametrize("seed", range(14))
def test_anything(project: Project, seed: int) -> None:
    check(project, filled(project.build, "at_random", seed))
