"""Wheels as files: unpacked to a folder, and packed so that the same content gives the same bytes."""

import base64
import csv
import hashlib
import io
import os
import time
import zipfile
from typing import NamedTuple

from ..errors import KconfError

MODULE_SUFFIXES = (".so", ".pyd", ".dylib", ".dll")
EARLIEST, LATEST = 315532800, 4354819199  # 1980 to 2107: before and after, a zip archive knows no time


class Name(NamedTuple):
    """The parts of a wheel's file name."""

    distribution: str
    version: str
    build: str  # "" or a tag that begins with a digit
    python: str
    abi: str
    platform: str  # several are joined by dots

    def __str__(self) -> str:
        return "-".join(part for part in self if part) + ".whl"

    @property
    def tags(self) -> list[str]:
        """The tags that the platforms of the name stand for, one a line in the file WHEEL."""
        return [f"{self.python}-{self.abi}-{platform}" for platform in sorted(self.platform.split("."))]


def parse_name(path: str) -> Name:
    """Take the file name of a wheel apart."""
    parts = os.path.basename(path).removesuffix(".whl").split("-")
    if not path.endswith(".whl") or len(parts) not in {5, 6}:
        raise KconfError(f"{path}: this is not the file name of a wheel")
    return Name(parts[0], parts[1], parts[2] if len(parts) == 6 else "", *parts[-3:])


def unpack(wheel: str, folder: str) -> None:
    """Unpack a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)


def files_in(folder: str) -> list[str]:
    """List all files below a folder, relative to it, in an order that depends on nothing but their names."""
    return sorted(
        os.path.relpath(os.path.join(where, name), folder).replace(os.sep, "/")
        for where, _, names in os.walk(folder)
        for name in names
    )


def modules_in(folder: str) -> list[str]:
    """List the compiled modules below a folder."""
    return [file for file in files_in(folder) if file.endswith(MODULE_SUFFIXES)]


def pack(folder: str, name: Name, destination: str, epoch: int) -> str:
    """Pack an unpacked wheel under a new name, with the tags and the record that go with it; return its path."""
    info = f"{name.distribution}-{name.version}.dist-info"
    _write_tags(os.path.join(folder, info, "WHEEL"), name)
    record = f"{info}/RECORD"
    files = [file for file in files_in(folder) if file != record]
    files.sort(key=lambda file: file.startswith(info))  # what the standard recommends: the metadata last
    path = os.path.join(destination, str(name))
    when = time.gmtime(max(epoch, EARLIEST))[:6]
    rows = []
    with zipfile.ZipFile(path, "w") as archive:
        for file in files:
            with open(os.path.join(folder, file), "rb") as source:
                data = source.read()
            checksum = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            rows.append((file, f"sha256={checksum}", str(len(data))))
            archive.writestr(_entry(file, when), data, compresslevel=9)
        archive.writestr(_entry(record, when), _csv([*rows, (record, "", "")]), compresslevel=9)
    return path


def _write_tags(path: str, name: Name) -> None:
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line and not line.startswith(("Tag:", "Build:"))]
    lines += [f"Build: {name.build}"] if name.build else []
    lines += [f"Tag: {tag}" for tag in name.tags]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def _entry(file: str, when: tuple[int, ...]) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(file, when)  # type: ignore[arg-type]  # six of time.struct_time
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, wherever it is made
    mode = 0o755 if file.endswith(MODULE_SUFFIXES) else 0o644
    entry.external_attr = (0o100000 | mode) << 16
    return entry


def _csv(rows: list[tuple[str, str, str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
