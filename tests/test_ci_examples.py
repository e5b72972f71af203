"""The examples for a CI: what they refer to is there, and every command in them is one that can be given."""

import argparse
import contextlib
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from armlet.kconf.commands import add_commands
from armlet.kconf.wheel.targets import all_targets, github_matrix
from project import SOURCE

pytestmark = pytest.mark.native

FOLDER = SOURCE / "docs/ci"
MATRIX = github_matrix(all_targets(str(SOURCE)))["include"]


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    """Return the jobs of the workflow."""
    jobs: dict[str, Any] = yaml.safe_load((FOLDER / "github.yml").read_text())["jobs"]
    return jobs


def steps(jobs: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the steps of all jobs."""
    for job in jobs.values():
        yield from job["steps"]


def commands(jobs: dict[str, Any]) -> Iterator[list[str]]:
    """Return the commands that are run, those within others too, once for each job of the matrix."""
    for step in steps(jobs):
        for line in step.get("run", "").splitlines():
            for row in MATRIX if "matrix." in line else MATRIX[:1]:
                filled = line
                for name, value in row.items():
                    filled = filled.replace(f"${{{{ matrix.{name} }}}}", value)
                yield from (shlex.split(inner) for inner in re.findall(r"\$\((.*?)\)", filled))
                yield shlex.split(re.sub(r"\$\(.*?\)", "", filled))


def is_a_command(words: list[str]) -> bool:
    """Tell whether a command can be given as it stands: its options, and the files that they name, are there."""
    match words:
        case ["armlet", name, *_]:
            parser = argparse.ArgumentParser()
            add_commands(parser.add_subparsers(required=True), name)
            arguments = parser.parse_args(words[1:])
            return all((SOURCE / f"targets/{target}.ini").is_file() for target in getattr(arguments, "target", []))
        case ["pip", "install", requirement]:
            extras = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
            return requirement.strip("].").removeprefix("[") in extras
        case ["pipx", "run", "cibuildwheel", "--config-file", file]:
            return (SOURCE / file).is_file()
        case ["echo", _, ">>", "$GITHUB_OUTPUT"]:
            return True
    return False


def test_every_command_is_one(jobs: dict[str, Any]) -> None:
    found = list(commands(jobs))
    for words in found:
        assert is_a_command(words), shlex.join(words)
    tried = [words[words.index("--target") + 1] for words in found if words[:2] == ["armlet", "wheel"]]
    assert tried == [row["target"] for row in MATRIX], "a wheel of every target"


@pytest.mark.parametrize("words", ["armlet wheel --targets x", "armlet whel --all", "pip install .[wheels]", "make"])
def test_what_is_no_command_is_found(words: str) -> None:
    with contextlib.suppress(SystemExit):  # argparse's refusal
        assert not is_a_command(words.split())


def test_every_step_does_one_thing(jobs: dict[str, Any]) -> None:
    for step in steps(jobs):
        assert ("uses" in step) != ("run" in step)
        assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step.get("uses", "actions/checkout@v4"))


def test_the_matrix_comes_from_the_command(jobs: dict[str, Any]) -> None:
    """From a step, through an output of its job, to the job that needs it."""
    wheel = jobs["wheel"]
    expression = wheel["strategy"]["matrix"]
    job, output = re.fullmatch(r"\$\{\{ fromJSON\(needs\.(\w+)\.outputs\.(\w+)\) \}\}", expression).groups()  # type: ignore[union-attr]
    assert wheel["needs"] == job
    step, name = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", jobs[job]["outputs"][output]).groups()  # type: ignore[union-attr]
    (source,) = (one["run"] for one in jobs[job]["steps"] if one.get("id") == step)
    assert source == f'echo "{name}=$(armlet targets --github-matrix)" >> "$GITHUB_OUTPUT"'


def test_everything_of_the_matrix_that_is_used_is_in_it(jobs: dict[str, Any]) -> None:
    used = set(re.findall(r"matrix\.(\w+) \}\}", yaml.safe_dump(jobs, width=1000))) - {"outputs"}
    assert {"target"} <= used
    for row in MATRIX:
        assert used <= set(row)
        assert all(row.values())
    assert {row["target"] for row in MATRIX} == {path.stem for path in (SOURCE / "targets").glob("*.ini")}


def test_cibuildwheel() -> None:
    """What its options say of this project is so."""
    settings = tomllib.loads((FOLDER / "cibuildwheel.toml").read_text())["tool"]["cibuildwheel"]
    name = settings["config-settings"]["setup-args"].removeprefix("-Dconfig=")
    assert Path(SOURCE / f"configs/{name}.config").is_file()
    oldest = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]["requires-python"]
    assert settings["build"] == [f"cp{oldest.removeprefix('>=').replace('.', '')}-*"]
