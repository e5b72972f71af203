"""Configurations as people and chance make them: each one builds, and passes the tests of what it contains."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from project import SOURCE, Project

pytestmark = pytest.mark.native

ALGORITHMS = [
    name
    for family in ("digest", "cipher")
    for name in re.findall(r"^menuconfig (\w+)$", (SOURCE / family / "Kconfig").read_text(), re.MULTILINE)
]
SUITE = ["tests/test_digest.py", "tests/test_cipher.py", "tests/test_config.py", "tests/test_module.py"]
LONG = "monte_carlo or long_messages or leaves_the_gil or nothing_leaks or command_line"

Value = Callable[[], bool]


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


def fill(project: Project, value: Value, choose: Callable[[list[Any]], Any]) -> list[str]:
    """Set every symbol that can be set; an algorithm that has no backend then is left out."""
    from armlet.kconf.baseline import first_guaranteed  # not where kconfiglib is missing: in the emulated Pythons
    from armlet.kconf.workspace import Workspace

    tree = Workspace(str(project.build)).tree()
    for choice in tree.kconfig.unique_choices:
        if members := [symbol for symbol in choice.syms if symbol.visibility]:
            choose(members).set_value(2)
    for symbol in tree.symbols.values():
        if symbol.visibility and not symbol.choice:
            symbol.set_value(2 if value() else 0)
    for algorithm in tree.algorithms:
        if not first_guaranteed(tree, algorithm):
            algorithm.symbol.set_value(0)
    return [f"{name}={symbol.str_value}" for name, symbol in tree.symbols.items() if symbol.visibility]


def default_of(members: list[Any]) -> Any:
    return members[0].choice.selection


def test_everything_off(project: Project) -> None:
    check(project, fill(project, lambda: False, default_of))


def test_everything_on(project: Project) -> None:
    check(project, fill(project, lambda: True, default_of))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_algorithm_alone(project: Project, algorithm: str) -> None:
    check(project, [f"{name}={'y' if name == algorithm else 'n'}" for name in ALGORITHMS])


@pytest.mark.parametrize("seed", range(20))
def test_anything(project: Project, seed: int) -> None:
    chance = random.Random(seed)
    check(project, fill(project, lambda: chance.random() < 0.5, chance.choice))
