"""`armlet inspect`: the report of what is not imported, on every CPU."""

import json
import os
import re
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from armlet import _core, config
from armlet.kconf import record
from armlet.kconf.inspection import Finding, inspect
from made_wheels import MODULE, files_of_a_wheel, wheel


def of_one(path: Path) -> Finding:
    (finding,) = inspect(str(path))
    return finding


def asked_of_no_cpu(report: dict[str, Any]) -> dict[str, Any]:
    """Take from a report what only a CPU can tell."""
    for algorithm in report["algorithms"].values():
        for backend in algorithm["backends"]:
            backend.update(usable=None, selected=None, nanoseconds=None)
            backend["reason"] = None if backend["built"] else backend["reason"]
        algorithm.update(selected=None, rule=None)
    return {**report, "cpu": None}


@pytest.fixture
def files() -> dict[str, bytes]:
    return files_of_a_wheel()


def replaced(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    assert len(old) == len(new)
    return data.replace(old, new)


def test_the_same_report_of_a_module_a_folder_and_a_wheel(tmp_path: Path, files: dict[str, bytes]) -> None:
    expected = asked_of_no_cpu(config.as_dict())
    for path in (MODULE, MODULE.parent, wheel(tmp_path, files)):
        finding = of_one(path)
        assert finding.differences == []
        assert finding.cpu_family == config.target["cpu_family"]
        assert finding.format == "ELF"
        assert asked_of_no_cpu(finding.report.as_dict()) == expected


def test_the_tables_are_those_of_the_module() -> None:
    notes = record.read_notes(MODULE.read_bytes(), "module")
    assert notes is not None
    assert notes.tables == _core.backends_built()["algorithms"]


def run(python: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*python, "-m", "armlet", "inspect", *arguments], capture_output=True, text=True, check=False)


def test_command(python: list[str]) -> None:
    shown = run(python, str(MODULE))
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = shown.stdout.splitlines()
    assert lines[0] == str(MODULE)
    assert lines[1].startswith(f"armlet {config.version} for {config.target['system']} {config.target['cpu_family']} ")
    for name in config.algorithms:
        for backend in config.backends(name):
            assert re.search(rf"\b{backend.name} +{'built' if backend.built else 'not built'}\b", shown.stdout)
    assert max(map(len, lines[1:])) <= 80
    report = json.loads(run(python, "--json", str(MODULE)).stdout)
    assert report["inspected"] == {
        "file": str(MODULE),
        "module": str(MODULE),
        "format": "ELF",
        "cpu_family": config.target["cpu_family"],
        "differences": [],
    }


def test_several_files(tmp_path: Path, python: list[str], files: dict[str, bytes]) -> None:
    """Each is said to be what it is, and what is wrong with one keeps no other back."""
    package = str(wheel(tmp_path, files))
    done = run(python, package, str(MODULE), os.devnull)
    assert (done.returncode, done.stderr) == (1, "/dev/null: not a regular file\n")
    assert done.stdout.startswith(f"{package}: armlet/")
    assert f"\n\n{MODULE}\narmlet " in done.stdout
    reports = json.loads(run(python, "--json", package, str(MODULE)).stdout)
    assert [report["inspected"]["file"] for report in reports] == [package, str(MODULE)]


def test_a_build_folder_with_that_of_another_target_in_it(tmp_path: Path, files: dict[str, bytes]) -> None:
    """As `--target NAME` makes it, build/NAME; only what differs from all of them is told."""
    definitions = {**record.read_module(files["armlet/_config.py"], "_config.py"), "VERSION": "9"}
    other = "".join(f"{name} = {value!r}\n" for name, value in record.with_fingerprint(definitions).items()).encode()
    for name, content in (
        ("_core.abi3.so", MODULE.read_bytes()),
        ("src/armlet/_config.py", files["armlet/_config.py"]),
        ("linux-arm64/src/armlet/_config.py", other),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert of_one(tmp_path).differences == []
    (tmp_path / "src/armlet/_config.py").write_bytes(other)
    assert [words.endswith("_config.py is of another build") for words in of_one(tmp_path).differences] == [True, True]


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/no/such/file", 2, "armlet: /no/such/file: there is no such file\n"),
        (os.devnull, 1, "/dev/null: not a regular file\n"),
        (str(Path(__file__)), 1, f"{__file__}: no compiled module with a record of armlet.kconf in it\n"),
    ],
)
def test_command_on_what_is_none(python: list[str], path: str, status: int, says: str) -> None:
    done = run(python, path)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", says)


# What says something else than the record.


def test_tables_that_differ(tmp_path: Path, python: list[str]) -> None:
    """The tables are read from the objects that hold them: a record alone proves nothing."""
    changed = tmp_path / "_core.abi3.so"
    changed.write_bytes(replaced(MODULE.read_bytes(), b"sha512 generic\n", b"sha512 arm-ne0\n"))
    done = run(python, str(changed))
    assert done.returncode == 1
    assert f"armlet: {changed}: sha512: the record has " in done.stderr
    assert "arm-ne0\n" in done.stderr


def test_a_machine_that_differs(tmp_path: Path) -> None:
    data = bytearray(MODULE.read_bytes())
    data[18:20] = struct.pack("<H", 8)  # MIPS
    (tmp_path / "_core.abi3.so").write_bytes(data)
    family = config.target["cpu_family"]
    assert of_one(tmp_path / "_core.abi3.so").differences == [
        f"its record is of a build for linux {family}, the file is ELF for machine 0x8"
    ]


def test_a_config_of_another_build(tmp_path: Path, files: dict[str, bytes]) -> None:
    definitions = record.read_module(files["armlet/_config.py"], "_config.py")
    other = record.with_fingerprint({**definitions, "VERSION": "0.0.1"})
    files["armlet/_config.py"] = "".join(f"{name} = {value!r}\n" for name, value in other.items()).encode()
    assert of_one(wheel(tmp_path, files)).differences == ["armlet/_config.py is of another build"]


def test_no_config(tmp_path: Path, files: dict[str, bytes]) -> None:
    del files["armlet/_config.py"]
    assert of_one(wheel(tmp_path, files)).differences == ["there is no armlet/_config.py"]
