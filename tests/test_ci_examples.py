"""The examples for a CI, docs/ci: what they say is done here, as far as one machine can."""

import importlib.util
import json
import os
import site
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from project import SOURCE, Project

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("yaml", "ziglang", "cibuildwheel")),
        reason="armlet[test] is not installed",
    ),
]

WORKFLOW = SOURCE / "docs/ci/github.yml"
CIBUILDWHEEL = "docs/ci/cibuildwheel.toml"
BY_CIBUILDWHEEL = f"pipx run cibuildwheel --config-file {CIBUILDWHEEL}"  # it needs a container for each wheel


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    import yaml

    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text())["jobs"]
    return found


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """That of a runner; pip finds the requirements in that of this test, and installs the package alone."""
    installed = tmp_path / "site"
    path = [str(installed / "bin"), os.path.dirname(sys.executable), os.environ["PATH"]]
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith(("ARMLET_", "PIP_"))},
        "PATH": os.pathsep.join(path),
        "PYTHONPATH": os.pathsep.join([str(installed), *site.getsitepackages()]),
        "PIP_TARGET": str(installed),
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }


def commands(job: dict[str, Any]) -> list[str]:
    """Return what the steps of a job run."""
    return [step["run"] for step in job["steps"] if "run" in step]


def shell(command: str, folder: Path, environment: dict[str, str]) -> None:
    """Run a step as GitHub does."""
    done = subprocess.run(
        ["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"


def test_the_steps_of_the_workflow(jobs: dict[str, Any], tmp_path: Path, environment: dict[str, str]) -> None:
    """The list of targets, and the wheel of one of them; the native job is cibuildwheel's."""
    tree = tmp_path / "tree"
    Project(tree)
    for command in commands(jobs["targets"]):
        shell(command, tree, environment)
    name, _, text = (tmp_path / "output").read_text().partition("=")
    matrix = json.loads(text)
    assert jobs["targets"]["outputs"] == {name: f"${{{{ steps.list.outputs.{name} }}}}"}
    assert jobs["wheel"]["needs"] == "targets"
    assert jobs["wheel"]["strategy"]["matrix"] == f"${{{{ fromJSON(needs.targets.outputs.{name}) }}}}"
    assert jobs["wheel"]["runs-on"] == "${{ matrix.runner }}"
    assert all(entry["runner"] for entry in matrix["include"])
    assert {entry["target"] for entry in matrix["include"]} == {path.stem for path in (SOURCE / "targets").iterdir()}

    done = commands(jobs["targets"])
    for command in commands(jobs["wheel"]):
        if command not in done:
            shell(command.replace("${{ matrix.target }}", "linux-armv7"), tree, environment)
    (upload,) = [step for step in jobs["wheel"]["steps"] if "upload-artifact" in step.get("uses", "")]
    assert [path.name.count("armv7l") for path in tree.glob(upload["with"]["path"])] == [2]
    assert commands(jobs["native"]) == [BY_CIBUILDWHEEL]


def test_cibuildwheel_reads_its_configuration() -> None:
    """It refuses an option that it does not know."""
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", "linux"]
    done = subprocess.run(
        [*command, "--config-file", CIBUILDWHEEL], cwd=SOURCE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["cp311-manylinux_aarch64", "cp311-musllinux_aarch64"]


def test_what_cibuildwheel_asks_for_is_there() -> None:
    settings = tomllib.loads((SOURCE / CIBUILDWHEEL).read_text())["tool"]["cibuildwheel"]
    name = settings["config-settings"]["setup-args"].removeprefix("-Dconfig=")
    assert (SOURCE / f"configs/{name}.config").is_file()
    code = settings["test-command"].partition('-c "')[2].removesuffix('"')
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
