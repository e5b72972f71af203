"""How wheels are built: the same from whatever Python and folder; and an sdist that builds."""

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from project import SOURCE, Project, armlet

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("ziglang", "auditwheel", "build", "mesonpy")),
        reason="armlet[wheel] is not installed",
    ),
]

TARGET = "linux-armv7"
EPOCH = {"SOURCE_DATE_EPOCH": "1700000000"}


def wheel_by(python: Path, project: Project, umask: int = 0o022, target: str = TARGET) -> Path:
    """Have another Python make a wheel, with the packages of this one, and return it."""
    path = os.pathsep.join([str(project.folder / "src"), sysconfig.get_path("purelib")])
    programs = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    done = subprocess.run(
        [python, "-m", "armlet.kconf", "wheel", "--target", target],
        cwd=project.folder,
        env={**os.environ, **EPOCH, "PYTHONPATH": path, "PATH": programs},
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (project.folder / "dist").iterdir()
    return wheel


def copied_python(folder: Path) -> Path:
    """Return this Python once more, installed elsewhere: its program, its headers, and a link to its library."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for name in ("bin", "lib", "include"):
        (folder / name).mkdir(parents=True)
    program = shutil.copy(os.path.realpath(sys.executable), folder / "bin" / version)
    (folder / "lib" / version).symlink_to(sysconfig.get_path("stdlib"))
    shutil.copytree(sysconfig.get_path("include"), folder / "include" / version)
    return Path(program)


def other_pythons() -> Iterator[Path]:
    """Find Pythons of other minor versions, where people have them, that have headers."""
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    folders += sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin"))
    code = "import os, sysconfig; assert os.path.exists(sysconfig.get_path('include') + '/Python.h')"
    for minor in (13, 12, 14, 15):
        for program in (folder / f"python3.{minor}" for folder in folders):
            if (
                program.exists()
                and subprocess.run([program, "-c", code], capture_output=True, check=False).returncode == 0
            ):
                yield program


def test_the_same_bytes_from_another_folder_umask_and_python(tmp_path: Path) -> None:
    first = wheel_by(Path(sys.executable), Project(tmp_path / "one"))
    second = wheel_by(copied_python(tmp_path / "python"), Project(tmp_path / "another o'folder"), umask=0o077)
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


def test_a_python_of_another_version_makes_a_wheel_for_the_same_pythons(tmp_path: Path) -> None:
    python = next(other_pythons(), None)
    if python is None:
        pytest.skip("no Python of another minor version with headers is found")
    wheel = wheel_by(python, Project(tmp_path))
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]
    with zipfile.ZipFile(wheel) as archive:
        assert [name for name in archive.namelist() if name.endswith(".so")] == ["armlet/_core.abi3.so"]


@pytest.mark.parametrize("target", [TARGET, "macos-arm64"])
def test_a_python_that_names_modules_after_its_platform(tmp_path: Path, target: str) -> None:
    """As 3.15 does; no other Python would import a module of such a name."""
    project = Project(tmp_path)
    suffixes = [".cpython-315-x86_64-linux-gnu.so", ".abi3-x86_64-linux-gnu.so", ".abi3.so", ".so"]
    customize = f"from importlib import machinery\nmachinery.EXTENSION_SUFFIXES[:] = {suffixes}\n"
    (project.folder / "src/sitecustomize.py").write_text(customize)
    with zipfile.ZipFile(wheel_by(Path(sys.executable), project, target=target)) as archive:
        assert [name for name in archive.namelist() if name.endswith(".so")] == ["armlet/_core.abi3.so"]


def test_an_sdist_builds_with_another_configuration(tmp_path: Path) -> None:
    """It holds all that its own commands need; and what cibuildwheel is told to run there works."""
    sdist = make_sdist(Project(tmp_path / "tree"), tmp_path)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    listed = json.loads(armlet(unpacked, "targets", "--json").stdout)["targets"]
    assert {target["name"] for target in listed} == {path.stem for path in (SOURCE / "targets").glob("*.ini")}

    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-build-isolation", "--no-deps"]
    run([*pip, "--target", site, sdist, "--config-settings=setup-args=-Dconfig=tiny"], tmp_path)
    report = json.loads(run([sys.executable, "-m", "armlet", "show", "--json"], tmp_path, PYTHONPATH=str(site)))
    assert [name for name, algorithm in report["algorithms"].items() if algorithm["built"]] == ["sha256"]
    settings = tomllib.loads((SOURCE / "docs/ci/cibuildwheel.toml").read_text())["tool"]["cibuildwheel"]
    _, *words = shlex.split(settings["test-command"])
    run([sys.executable, *words], tmp_path, PYTHONPATH=str(site))


def make_sdist(project: Project, folder: Path) -> Path:
    """Make an sdist of what would be committed now, for Meson takes it from git."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        run([*git, *words], project.folder)
    run([sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder / "sdist"], project.folder)
    (sdist,) = (folder / "sdist").iterdir()
    return sdist


def run(command: list[str | Path], folder: Path, **variables: str) -> str:
    """Run a program, which must succeed, and return what it prints."""
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    environment = {
        **{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        "PATH": path,
        **variables,
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
