"""Debug information taken out of an ELF file: zig's runtime has it always. Of the symbols, those of code stay.

What a program loads stays where it is. Of what follows, the sections that stay move up, and those that go keep an empty
header, so that no section changes its number.
"""

import struct
from typing import Any

from elftools.elf.elffile import ELFFile

ALLOCATED = 2  # SHF_ALLOC
NOBITS = 8  # SHT_NOBITS
TYPE, FLAGS, OFFSET, SIZE, FIRST_GLOBAL, ALIGNMENT, ENTRY_SIZE = (
    1,
    2,
    4,
    5,
    7,
    8,
    9,
)  # of the ten fields of a section header


def strip_debug(path: str) -> None:
    """Take the debug information out of a file."""
    with open(path, "rb") as file:
        elf = ELFFile(file)
        file.seek(0)
        data = file.read()
        sections = [section.name for section in elf.iter_sections()]
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
        if name == ".symtab":
            content = _of_code(elf, content, header)
        _align(result, max(header[ALIGNMENT], 1))
        header[OFFSET] = len(result)
        result += content
    _align(result, 8)
    struct.pack_into("<Q" if elf.elfclass == 64 else "<I", result, offset_of_table, len(result))
    for header in headers:
        result += struct.pack(layout, *header)
    return bytes(result)


def _of_code(elf: Any, table: bytes, header: list[int]) -> bytes:
    """Return a symbol table without what is neither a function nor a mark of ARM's code and data."""
    size, kept, local = header[ENTRY_SIZE], [table[: header[ENTRY_SIZE]]], 1
    for number, symbol in enumerate(elf.get_section_by_name(".symtab").iter_symbols()):
        is_mark = symbol.name.startswith("$") and elf["e_machine"] == "EM_ARM"
        if symbol["st_info"]["type"] == "STT_FUNC" or is_mark:
            kept.append(table[number * size : (number + 1) * size])
            local += symbol["st_info"]["bind"] == "STB_LOCAL"
    result = b"".join(kept)
    header[SIZE], header[FIRST_GLOBAL] = len(result), local
    return result


def _align(data: bytearray, boundary: int) -> None:
    data += bytes(-len(data) % boundary)
