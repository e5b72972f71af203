"""What an ARM1176 runs, the CPU of the Raspberry Pi 1 and Zero: ARMv6 with TrustZone, VFPv2, and no Thumb-2."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from elftools.elf.sections import SymbolTableSection

ARCHITECTURES = (0, 1, 2, 3, 4, 5, 6, 7, 9)  # values of Tag_CPU_arch: up to v6 and v6KZ (7), and v6K (9)
VFP2 = 2  # of Tag_FP_arch

# Capstone's groups of instructions that came later. Those that it knows under no group of their own stand below.
LATER = frozenset(
    (
        *("v6t2", "hasv6t2", "v7", "v8", "prev8", "thumb2", "mclass", "neon", "crypto", "crc", "divide", "databarrier"),
        *("vfp3", "vfp4", "dpvfp", "fparmv8", "fpvmlx", "multpro", "virtualization"),
    )
)
LATER_NAMES = frozenset(
    ("bfc", "bfi", "mls", "movt", "movw", "rbit", "sbfx", "ubfx", "sdiv", "udiv", "dmb", "dsb", "isb")
)
EXECUTABLE = 4  # SHF_EXECINSTR


class Run(NamedTuple):
    """Bytes of one kind that follow each other in a section."""

    kind: str  # "a": ARM code, "t": Thumb code, "d": data
    address: int
    code: bytes


def strangers(elf: Any) -> list[str]:
    """Return the instructions of an ELF file that the CPU lacks, "movw r0, #1 at 0x1000"."""
    import capstone

    modes = {
        "a": capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM),
        "t": capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB),
    }
    found = []
    for run in _code(elf):
        disassembler = modes[run.kind]
        disassembler.detail = True
        end = run.address
        for instruction in disassembler.disasm(run.code, run.address):
            end = instruction.address + instruction.size
            groups = {disassembler.group_name(group) for group in instruction.groups}
            if groups & LATER or _plain(instruction.mnemonic) in LATER_NAMES or _is_wide_thumb(run, instruction):
                found.append(f"{instruction.mnemonic} {instruction.op_str} at {instruction.address:#x}")
        if end < run.address + len(run.code) - 3:
            found.append(f"no instruction at {end:#x}")
    return found


def _is_wide_thumb(run: Run, instruction: Any) -> bool:
    return run.kind == "t" and instruction.size == 4 and _plain(instruction.mnemonic) not in {"bl", "blx"}


def _plain(mnemonic: str) -> str:
    """Without the condition: movweq is movw."""
    return next((name for name in LATER_NAMES if mnemonic == name or mnemonic[:-2] == name), mnemonic)


def _code(elf: Any) -> Iterator[Run]:
    """Yield the runs of code in a file, by the marks $a, $t and $d of the assembler; without them it is ARM."""
    marks = _marks(elf)
    for number, section in enumerate(elf.iter_sections()):
        if not section["sh_flags"] & EXECUTABLE or section["sh_type"] != "SHT_PROGBITS":
            continue
        start, data = section["sh_addr"], section.data()
        own = sorted({start: "a", **marks.get(number, {})}.items())
        for (address, kind), (after, _) in zip(own, [*own[1:], (start + len(data), "")], strict=True):
            if kind != "d":
                yield Run(kind, address, data[address - start : after - start])


def _marks(elf: Any) -> dict[int, dict[int, str]]:
    table = elf.get_section_by_name(".symtab")
    found: dict[int, dict[int, str]] = {}
    if isinstance(table, SymbolTableSection):
        for symbol in table.iter_symbols():
            if symbol.name[:2] in {"$a", "$t", "$d"} and isinstance(symbol["st_shndx"], int):
                found.setdefault(symbol["st_shndx"], {})[symbol["st_value"]] = symbol.name[1]
    return found
