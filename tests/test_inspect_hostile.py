"""`armlet inspect` of files that somebody made to do harm: an answer within bounds, and no traceback."""

import os
import re
import struct
import time
import zipfile
from pathlib import Path

import pytest

from armlet.kconf import inspection, record
from armlet.kconf.errors import KconfError
from armlet.kconf.inspection import inspect
from armlet.kconf.report import Report
from made_wheels import CONFIG, MODULE, files_of_a_wheel, wheel

pytestmark = pytest.mark.native


@pytest.fixture
def files() -> dict[str, bytes]:
    return files_of_a_wheel()


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


def test_notes_within_notes(tmp_path: Path) -> None:
    """What each claims is in bounds, and is a part of the file; it is their sum that is not."""
    note = struct.pack("<III", len(record.OWNER), 1 << 19, record.NOTE_TABLE) + record.OWNER.ljust(16, b"\0")
    (tmp_path / "nested.so").write_bytes(note * 10 + bytes(1 << 20))
    refuse(tmp_path / "nested.so", f"notes of more than {record.MAX_ALL_NOTES} bytes")


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
    "text",
    [
        *(b"import os", b"A = B", b"(" * 10_000, b"\0", b"\xff\xfe", b"A = {[]: 1}", b"A = " + b"-" * 100_000 + b"1"),
        *(b"A = [" + b'f"{a}",' * 60_000 + b"]", b"a;" * 200_000, b"a\n" * 200_000),  # long for Python's parser
        *(b"A = '" + b"\\a" * 200_000, b"#" * record.MAX_MODULE_TEXT + b"#"),
    ],
)
def test_a_config_of_anything(text: bytes) -> None:
    begin = time.process_time()
    with pytest.raises(KconfError, match=r"not a module that|its record is of schema None"):
        record.read_module(text, "_config.py")
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("value", [b"b'x'", b"{1, 2}", b"1j", b"{(1, 2): 3}", b"{1: 2, 'a': 3}", b"0x" + b"f" * 6000])
def test_a_config_with_more_than_json_has(value: bytes) -> None:
    with pytest.raises(KconfError, match=r"not a module that|changed"):
        record.read_module(CONFIG.read_bytes() + b"EXTRA = " + value + b"\n", "_config.py")


def test_a_wish_with_more_than_this_version_knows(files: dict[str, bytes]) -> None:
    definitions = record.read_module(files["armlet/_config.py"], "_config.py")
    wishes = {"SHA3": {"value": "y", "origin": "-Dset", "when": "now"}}
    assert Report(record.with_fingerprint({**definitions, "REQUESTED": wishes})).requested["SHA3"].value == "y"


@pytest.mark.parametrize("name", ["../_config.py", "/_config.py", "a/../../x.so", "a\\x.so", "C:x.so"])
def test_a_wheel_with_a_path_to_elsewhere(tmp_path: Path, files: dict[str, bytes], name: str) -> None:
    refuse(wheel(tmp_path, {**files, name: b""}), "would lie outside of the package")


def test_a_wheel_that_unpacks_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "MAX_MODULE", 4 << 20)
    bomb = wheel(tmp_path, {"armlet/_core.abi3.so": bytes(16 << 20)})
    assert bomb.stat().st_size < 1 << 16
    refuse(bomb, f"_core.abi3.so: more than {4 << 20} bytes")


def test_a_wheel_of_which_all_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]
) -> None:
    monkeypatch.setattr(inspection, "MAX_MODULES", 4 << 20)
    more = {f"{number}.so": bytes(1 << 20) for number in range(5)}
    refuse(wheel(tmp_path, {**files, **more}), f"modules of more than {4 << 20} bytes")


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


@pytest.mark.parametrize("bit", [5, 6])
def test_a_wheel_with_what_python_does_not_unpack(tmp_path: Path, files: dict[str, bytes], bit: int) -> None:
    path = wheel(tmp_path, files)
    data = bytearray(path.read_bytes())
    for entry in (found.start() for found in re.finditer(rb"PK\x01\x02", bytes(data))):
        data[entry + 8] |= 1 << bit
    path.write_bytes(data)
    refuse(path, "is damaged")


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
