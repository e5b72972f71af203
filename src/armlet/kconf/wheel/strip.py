"""Debug information taken out of an ELF file, its symbols left in: those of the compiler's own runtime have it always.

What a program loads stays where it is. Of what follows, the sections that stay move up, and those that go keep an empty
header, so that no section changes its number.
"""

import struct
from typing import Any

from elftools.elf.elffile import ELFFile

ALLOCATED = 2  # SHF_ALLOC
NOBITS = 8  # SHT_NOBITS
TYPE, FLAGS, OFFSET, SIZE, ALIGNMENT = 1, 2, 4, 5, 8  # of the ten fields of a section header


def strip_debug(path: str) -> None:
    """Take the debug information out of a file."""
    with open(path, "rb") as file:
        elf = ELFFile(file)
        file.seek(0)
        data = file.read()
        sections = [section.name for section in elf.iter_sections()]
        if not any(name.startswith(".debug") for name in sections):
            return
        stripped = _without_debug(elf, data, sections)
    with open(path, "wb") as file:
        file.write(stripped)


def _without_debug(elf: Any, data: bytes, names: list[str]) -> bytes:
    layout, offset_of_table = ("<IIQQQQIIQQ", 0x28) if elf.elfclass == 64 else ("<10I", 0x20)
    start, size = elf["e_shoff"], struct.calcsize(layout)
    headers = [list(struct.unpack_from(layout, data, start + number * size)) for number in range(len(names))]
    is_loaded = [bool(header[FLAGS] & ALLOCATED) for header in headers]
    loaded = [h[OFFSET] + h[SIZE] for h, here in zip(headers, is_loaded, strict=True) if here and h[TYPE] != NOBITS]
    loaded += [segment["p_offset"] + segment["p_filesz"] for segment in elf.iter_segments()]
    result = bytearray(data[: max(loaded)])
    for number, (header, name) in enumerate(zip(headers, names, strict=True)):
        if number == 0 or is_loaded[number]:
            continue
        if name.startswith(".debug"):
            header[1:] = [0] * (len(header) - 1)
            continue
        content = data[header[OFFSET] : header[OFFSET] + header[SIZE]]
        _align(result, max(header[ALIGNMENT], 1))
        header[OFFSET] = len(result)
        result += content
    _align(result, 8)
    struct.pack_into("<Q" if elf.elfclass == 64 else "<I", result, offset_of_table, len(result))
    for header in headers:
        result += struct.pack(layout, *header)
    return bytes(result)


def _align(data: bytearray, boundary: int) -> None:
    data += bytes(-len(data) % boundary)
