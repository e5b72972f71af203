"""What machine a compiled module is for, as the first bytes of the file say: ELF, Mach-O or PE.

Sources: System V ABI, ELF header; Mach-O mach/machine.h; Microsoft PE format, COFF file header.
"""

import struct
from typing import NamedTuple

ELF = {40: "arm", 62: "x86_64", 183: "aarch64"}
MACH_O = {0x01000007: "x86_64", 0x0100000C: "aarch64"}
PE = {0x01C4: "arm", 0x8664: "x86_64", 0xAA64: "aarch64"}

ELF_MAGIC = b"\x7fELF"
MACH_O_MAGIC = b"\xcf\xfa\xed\xfe"  # 64 bits, little-endian; a universal binary of several has another one
PE_MAGIC = b"PE\0\0"


class Machine(NamedTuple):
    """A file format, and the CPU family in Meson's words."""

    format: str
    cpu_family: str

    def runs_on(self, system: str) -> bool:
        """Whether a system, in Meson's words, has files of this format."""
        return system in {"Mach-O": {"darwin"}, "PE": {"windows", "cygwin"}}.get(self.format, {system}) and (
            self.format != "ELF" or system not in {"darwin", "windows", "cygwin"}
        )


def read_machine(data: bytes) -> Machine | None:
    """Return what machine a file is for; None if it is of no known format."""
    try:
        if data.startswith(ELF_MAGIC):
            order = ">" if data[5] == 2 else "<"
            return _named("ELF", ELF, struct.unpack_from(order + "H", data, 18)[0])
        if data.startswith(MACH_O_MAGIC):
            return _named("Mach-O", MACH_O, struct.unpack_from("<I", data, 4)[0])
        if data.startswith(b"MZ"):
            header = struct.unpack_from("<I", data, 0x3C)[0]
            if data[header : header + 4] == PE_MAGIC:
                return _named("PE", PE, struct.unpack_from("<H", data, header + 4)[0])
    except (struct.error, IndexError):  # it ends before that
        pass
    return None


def _named(format: str, families: dict[int, str], number: int) -> Machine:  # noqa: A002  # a file format
    return Machine(format, families.get(number, f"machine {number:#x}"))
