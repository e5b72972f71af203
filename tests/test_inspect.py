"""`armlet inspect`: the report of what is not imported, on every CPU; and what hostile files get for an answer."""

import json
import os
import re
import struct
import subprocess
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from armlet import _config, _core, config
from armlet.kconf import inspection, record
from armlet.kconf.errors import KconfError
from armlet.kconf.inspection import Finding, inspect

MODULE = Path(str(_core.__file__))
CONFIG = Path(str(_config.__file__))


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


def wheel(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "made-1-cp311-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def files() -> dict[str, bytes]:
    return {"armlet/_core.abi3.so": MODULE.read_bytes(), "armlet/_config.py": CONFIG.read_bytes()}


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
        "module": str(MODULE),
        "format": "ELF",
        "cpu_family": config.target["cpu_family"],
        "differences": [],
    }


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


# Files that somebody made.


def refuse(path: Path, says: str) -> None:
    start = time.monotonic()
    with pytest.raises(KconfError) as caught:
        inspect(str(path))
    assert re.search(says, str(caught.value)), caught.value
    assert time.monotonic() - start < 20


def test_every_cut(tmp_path: Path, files: dict[str, bytes]) -> None:
    path = tmp_path / "cut.so"
    data = MODULE.read_bytes()
    start, end = data.index(record.OWNER), data.rindex(record.OWNER)
    for size in (0, 1, 4, 19, 64, start - 12, start, start + 20, start + 4000, end + 18):
        path.write_bytes(data[:size])
        refuse(path, "no compiled module with a record|cut off|neither an ELF|0 records")
    whole = wheel(tmp_path, files).read_bytes()
    for size in (5, 30, 100, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        path.write_bytes(whole[:size])
        refuse(path, "damaged")


@pytest.mark.parametrize("size", [1 << 31, 0xFFFFFFFF, (1 << 20) + 1])
def test_a_note_of_any_size(tmp_path: Path, size: int) -> None:
    data = bytearray(MODULE.read_bytes())
    at = data.index(record.OWNER) - 8
    data[at : at + 4] = struct.pack("<I", size)
    (tmp_path / "_core.abi3.so").write_bytes(data)
    refuse(tmp_path / "_core.abi3.so", f"a note of {size} bytes in it")


def test_two_records(tmp_path: Path) -> None:
    (tmp_path / "two.so").write_bytes(MODULE.read_bytes() * 2)
    refuse(tmp_path / "two.so", "2 records in it: a module has one")


def test_very_many_notes(tmp_path: Path) -> None:
    note = struct.pack("<III", len(record.OWNER), 0, record.NOTE_TABLE) + record.OWNER.ljust(16, b"\0")
    (tmp_path / "many.so").write_bytes(note * 100_000)
    refuse(tmp_path / "many.so", "more than 1024 notes in it")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "damaged"),
        (b'{"SCHEMA": 99}', "schema 99; this version reads 1"),
        (b'{"SCHEMA": 1}', "damaged"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_record_of_anything(tmp_path: Path, text: bytes, says: str) -> None:
    note = struct.pack("<III", len(record.OWNER), len(text), record.NOTE_RECORD) + record.OWNER.ljust(16, b"\0") + text
    (tmp_path / "made.so").write_bytes(note)
    refuse(tmp_path / "made.so", says)


@pytest.mark.parametrize("key", ["OPTIONS", "ALGORITHMS", "TARGET", "REQUESTED", "PROBES", "VERSION", "DOTCONFIG"])
@pytest.mark.parametrize("value", [None, 1, [], {"a": {}}, [[]], "x"])
def test_a_record_that_was_changed(key: str, value: object) -> None:
    definitions = record.read_module(CONFIG.read_bytes(), "_config.py")
    with pytest.raises(KconfError, match=r"damaged|changed"):
        record.check({**definitions, key: value}, "made")


@pytest.mark.parametrize(
    "text", [b"import os", b"A = B", b"(" * 10_000, b"\0", b"\xff\xfe", b"A = {[]: 1}", b"A = " + b"-" * 100_000 + b"1"]
)
def test_a_config_of_anything(text: bytes) -> None:
    with pytest.raises(KconfError, match=r"not a module that|its record is of schema None"):
        record.read_module(text, "_config.py")


@pytest.mark.parametrize("name", ["../_config.py", "/_config.py", "a/../../x.so", "a\\x.so", "C:x.so"])
def test_a_wheel_with_a_path_to_elsewhere(tmp_path: Path, files: dict[str, bytes], name: str) -> None:
    refuse(wheel(tmp_path, {**files, name: b""}), "would lie outside of the package")


def test_a_wheel_that_unpacks_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "MAX_MODULE", 4 << 20)
    bomb = wheel(tmp_path, {"armlet/_core.abi3.so": bytes(16 << 20)})
    assert bomb.stat().st_size < 1 << 16
    refuse(bomb, f"_core.abi3.so: more than {4 << 20} bytes")


def test_a_wheel_with_very_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "MAX_FILES", 10)
    refuse(wheel(tmp_path, {f"{number}.py": b"" for number in range(11)}), "more than 10 files")
    monkeypatch.setattr(inspection, "MAX_DIRECTORY", 300)
    refuse(wheel(tmp_path, {f"{number}.py": b"" for number in range(11)}), "a directory of more than 300 bytes")


def test_a_wheel_with_a_file_twice(tmp_path: Path) -> None:
    path = tmp_path / "twice.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.so", b"")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.so", b"")
    refuse(path, "'a.so' is in it twice")


@pytest.mark.parametrize(("offset", "value"), [(8, 14), (6, 1)])
def test_a_wheel_packed_as_none_is(tmp_path: Path, files: dict[str, bytes], offset: int, value: int) -> None:
    """With another compression than a wheel's, or encrypted."""
    path = wheel(tmp_path, files)
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\1\2")
    data[entry + 2 + offset : entry + 4 + offset] = struct.pack("<H", value)
    path.write_bytes(data)
    refuse(path, "encrypted, or compressed as no wheel is")


def test_a_wheel_whose_data_are_damaged(tmp_path: Path, files: dict[str, bytes]) -> None:
    path = wheel(tmp_path, files)
    data = bytearray(path.read_bytes())
    data[1000:1100] = bytes(100)
    path.write_bytes(data)
    refuse(path, "is damaged")


def test_a_pipe_without_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.so")
    refuse(tmp_path / "pipe.so", "not a regular file")


def test_a_folder_with_very_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "MAX_FILES", 3)
    for number in range(4):
        (tmp_path / f"{number}.txt").touch()
    refuse(tmp_path, "more than 3 files: name the folder of one package")
