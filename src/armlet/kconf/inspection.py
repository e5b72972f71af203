"""The report of a package that is not imported: a wheel, a compiled module, or a folder that holds one.

Nothing of it is run or unpacked, and a file that was made to do harm costs no more than the limits below.
"""

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

from .errors import KconfError
from .machine import read_machine
from .record import FINGERPRINT, MAX_TEXT, Record, differences, read_module, read_notes
from .report import Report

CONFIG = "_config.py"
MODULES = (".so", ".pyd", ".dylib")
MAX_MODULE = 64 << 20  # bytes of one compiled module
MAX_MODULES = 256 << 20  # bytes of all modules of a wheel or a folder
MAX_WHEEL = 256 << 20  # bytes of a wheel as it lies there
MAX_DIRECTORY = 8 << 20  # bytes of the directory of a wheel
MAX_FILES = 20000  # in a wheel or a folder
CHUNK = 1 << 20
COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class Files(NamedTuple):
    """What is inspected: the names of its modules and of its _config.py, and how at most so many bytes are read."""

    names: list[str]
    read: Callable[[str, int], bytes]


class Finding(NamedTuple):
    """A compiled module that has a record, and what in it or beside it says something else."""

    file: str  # what was inspected
    module: str  # in it
    report: Report
    format: str
    cpu_family: str
    differences: list[str]

    @property
    def where(self) -> str:
        """The module, and which wheel it is in."""
        return self.module if self.module.startswith(self.file) else f"{self.file}: {self.module}"

    def as_dict(self) -> dict[str, Any]:
        """Return the report in JSON's types, and under "inspected" what stands above."""
        inspected = {
            "file": self.file,
            "module": self.module,
            "format": self.format,
            "cpu_family": self.cpu_family,
            "differences": self.differences,
        }
        return {**self.report.as_dict(), "inspected": inspected}


def inspect(path: str) -> list[Finding]:
    """Return what is found in a wheel, a compiled module or a folder; KconfError if it is none, or damaged."""
    try:
        if os.path.isdir(path):
            return _findings(_in_folder(path), path, whole=True)
        with _open(path, MAX_WHEEL) as file:
            if file.read(4) == b"PK\3\4":
                return _findings(_in_wheel(file, path), path, whole=True)
            return _findings(Files([path], _read_file), path, whole=False)
    except OSError as error:
        raise KconfError(f"{path}: {error.strerror or error}") from None


def _findings(files: Files, where: str, *, whole: bool) -> list[Finding]:
    """The modules with a record; in a WHOLE package each has its _config.py."""
    found = []
    total = 0
    for name in files.names:
        if os.path.basename(name) == CONFIG:
            continue
        data = files.read(name, MAX_MODULE)
        total += len(data)
        if total > MAX_MODULES:
            raise KconfError(f"{where}: modules of more than {MAX_MODULES} bytes: name one of them")
        notes = read_notes(data, name)
        if notes is None:
            continue
        machine = read_machine(data)
        if machine is None:
            raise KconfError(f"{name}: neither an ELF nor a Mach-O file of one machine, nor a PE file")
        different = differences(notes)
        target = notes.record["TARGET"]
        if machine.cpu_family != target["cpu_family"] or not machine.runs_on(target["system"]):
            different.append(
                f"its record is of a build for {target['system']} {target['cpu_family']}, "
                f"the file is {machine.format} for {machine.cpu_family}"
            )
        if whole:
            different += _compare_config(files, name, notes.record)
        found.append(Finding(where, name, Report(notes.record), machine.format, machine.cpu_family, different))
    if not found:
        raise KconfError(f"{where}: no compiled module with a record of armlet.kconf in it")
    return found


def _compare_config(files: Files, module: str, record: Record) -> Iterator[str]:
    """The module _config beside a compiled module, or one elsewhere in a build folder, has the same record."""
    beside = os.path.join(os.path.dirname(module), CONFIG)
    configs = [beside] if beside in files.names else [n for n in files.names if os.path.basename(n) == CONFIG]
    if not configs:
        yield f"there is no {beside}"
    others = {config: read_module(files.read(config, MAX_TEXT), config) for config in configs}
    if any(other[FINGERPRINT] == record[FINGERPRINT] for other in others.values()):
        return  # a build folder may hold those of other targets
    for config, other in others.items():
        if config == beside or other["PACKAGE"] == record["PACKAGE"]:
            yield f"{config} is of another build"


@contextmanager
def _open(path: str, limit: int) -> Iterator[BinaryIO]:
    with open(path, "rb", opener=_open_at_once) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise KconfError(f"{path}: not a regular file")
        if status.st_size > limit:
            raise KconfError(f"{path}: more than {limit} bytes")
        yield file


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a FIFO without a writer would wait for ever


def _read_file(path: str, limit: int) -> bytes:
    with _open(path, limit) as file:
        return _read(file, path, limit)


def _read(file: Any, name: str, limit: int) -> bytes:
    """Read a whole file, whatever it says its size is."""
    parts, size = [], 0
    while part := file.read(CHUNK):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise KconfError(f"{name}: more than {limit} bytes")
    return b"".join(parts)


def _matters(name: str) -> bool:
    return name.endswith(MODULES) or os.path.basename(name) == CONFIG


def _in_folder(folder: str) -> Files:
    names, count = [], 0
    for parent, _, files in os.walk(folder):
        count += len(files) + 1
        if count > MAX_FILES:
            raise KconfError(f"{folder}: more than {MAX_FILES} files: name the folder of one package")
        names += [os.path.join(parent, name) for name in sorted(files) if _matters(name)]
    return Files(names, _read_file)


class _Bounded:
    """A file of which no one takes more at once than a wheel's directory may have."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(min(size, MAX_DIRECTORY + 1) if size >= 0 else MAX_DIRECTORY + 1)
        if len(data) > MAX_DIRECTORY:
            raise zipfile.BadZipFile(f"a directory of more than {MAX_DIRECTORY} bytes")
        return data


def _in_wheel(file: BinaryIO, where: str) -> Files:
    try:
        archive = zipfile.ZipFile(_Bounded(file))
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
        raise KconfError(f"{where}: a damaged wheel: {error}") from None
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        _check_member(member, where)
        if member.filename in members or len(members) == MAX_FILES:
            raise KconfError(f"{where}: {member.filename!r} is in it twice, or more than {MAX_FILES} files are")
        members[member.filename] = member

    def read(name: str, limit: int) -> bytes:
        try:
            with archive.open(members[name]) as content:
                return _read(content, f"{where}: {name}", limit)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OverflowError, NotImplementedError) as error:
            raise KconfError(f"{where}: {name} is damaged: {error}") from None

    return Files([name for name in members if _matters(name)], read)


def _check_member(member: zipfile.ZipInfo, where: str) -> None:
    name = member.filename
    if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/") or not name.isprintable():
        raise KconfError(f"{where}: {name[:80]!r} in it would lie outside of the package")
    if member.compress_type not in COMPRESSIONS or member.flag_bits & 1:
        raise KconfError(f"{where}: {name[:80]!r} in it is encrypted, or compressed as no wheel is")
