"""The build folder that a command is told: what is none is refused, and what is damaged says how to mend it."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from armlet.kconf.__main__ import main
from armlet.kconf.machine import Machine, read_machine
from armlet.kconf.wheel.targets import search_path
from project import Project

pytestmark = pytest.mark.native


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A build folder as `configure` leaves it, in which commands run."""
    project = Project(tmp_path / "tree")
    assert project.configure().returncode == 0
    monkeypatch.chdir(project.folder)
    return project


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must fail with one line; return it."""
    assert main([*words]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_folder_of_something_else(project: Project, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/love.txt").touch()
    said = refusal(capsys, "list", "-C", str(tmp_path / "letters"))
    assert said == f"{tmp_path}/letters is no build folder, and it is not empty: name another one\n"
    assert os.listdir(tmp_path / "letters") == ["love.txt"]
    for path in ("README.md", "README.md/build"):
        said = refusal(capsys, "list", "-C", path)
        assert said == f"{path}: Not a directory: name a build folder that can be made with -C\n"
    assert project.build.exists()


def version_of_another(record: str) -> str:
    return json.dumps({**json.loads(record), "target_facts": {"planet": "Mars"}})


@pytest.mark.parametrize(
    "damage",
    [lambda _: "", lambda _: "{", lambda _: "{}", lambda _: "[]", lambda _: "null", version_of_another],
    ids=["empty", "cut", "nothing", "list", "null", "other"],
)
def test_record_that_is_damaged(
    project: Project, capsys: pytest.CaptureFixture[str], damage: Callable[[str], str]
) -> None:
    record = project.build / "kconf.json"
    record.write_text(damage(record.read_text()))
    said = refusal(capsys, "list")
    assert said.startswith(f"{record}: ")
    assert said.endswith(f": set it up anew with meson setup --reconfigure {project.build}\n")


@pytest.mark.parametrize("damage", [b"\xff\xfe", b"[", b"[1]"])
def test_options_that_are_damaged(project: Project, capsys: pytest.CaptureFixture[str], damage: bytes) -> None:
    (project.build / "meson-info").mkdir()
    (project.build / "meson-info/intro-buildoptions.json").write_bytes(damage)
    assert f"set it up anew with meson setup --reconfigure {project.build}\n" in refusal(capsys, "list")


def test_source_tree_that_has_moved(
    project: Project, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project.folder.rename(tmp_path / "moved")
    said = refusal(capsys, "list", "-C", "moved/build")
    assert said.startswith(f"{tmp_path}/moved/build was set up for the source tree {project.folder}, which has no ")


def test_record_that_is_gone_is_made_anew(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """With what the build folder was asked for, which Meson knows."""
    shutil.rmtree(project.build)
    assert project.meson("-Dset=SHA3=n").returncode == 0
    (project.build / "kconf.json").unlink()
    assert main(["why", "SHA3"]) == 1
    assert "SHA3 (digest/Kconfig:96) is n (set in -Dset)" in capsys.readouterr().out


def test_target_whose_compiler_is_missing(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.environ["PATH"].split(os.pathsep)
    monkeypatch.setenv("PATH", os.pathsep.join(p for p in path if not Path(p, "python-zig").exists()))
    assert main(["list", "--target", "linux-arm64"]) == 1
    assert "This target is compiled by zig: " in capsys.readouterr().err.splitlines()[-1]
    assert project.build.exists()


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="armlet[wheel] is not installed")
@pytest.mark.parametrize(
    ("target", "machine"),
    [
        ("linux-arm64", Machine("ELF", "aarch64")),
        ("linux-armv7", Machine("ELF", "arm")),
        ("macos-arm64", Machine("Mach-O", "aarch64")),
    ],
)
def test_what_is_saved_for_a_target_is_what_meson_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, machine: Machine
) -> None:
    """Whatever this machine's Python is: the headers that it lacks for the target's were put beside the folder."""
    project = Project(tmp_path)
    monkeypatch.chdir(project.folder)
    monkeypatch.setenv("PATH", search_path())
    assert main(["set", "--target", target, "SHA3=n", "SPECK64_XTS=n"]) == 0
    folder = project.folder / "build" / target
    meson("compile", "-C", folder)
    module = (folder / "_core.abi3.so").read_bytes()
    assert read_machine(module) == machine
    assert b"sha512_generic" in module
    assert b"sha3_generic" not in module
    if target == "linux-armv7":
        meson("setup", "--wipe", folder)
        meson("compile", "-C", folder)


def meson(*words: str | Path) -> None:
    """Run Meson, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "mesonbuild.mesonmain", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
