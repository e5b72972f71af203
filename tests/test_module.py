"""The finished module, as the linker left it: what it exports, needs and promises."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from elftools.dwarf.callframe import FDE
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection, SymbolTableSection

from armlet import _core, config

pytestmark = pytest.mark.skipif(config.target["system"] != "linux", reason="the module is no ELF file")

EXECUTABLE = 1  # p_flags
BTI_AND_PAC = 3  # bits of GNU_PROPERTY_AARCH64_FEATURE_1_AND


@pytest.fixture(scope="module")
def elf() -> Iterator[ELFFile]:
    with Path(str(_core.__file__)).open("rb") as file:
        yield ELFFile(file)


def test_exports_its_init_function_alone(elf: ELFFile) -> None:
    symbols = elf.get_section_by_name(".dynsym")
    assert isinstance(symbols, SymbolTableSection)
    exported = [
        symbol.name
        for symbol in symbols.iter_symbols()
        if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["bind"] == "STB_GLOBAL"
    ]
    # An old linker of 32-bit ARM exports marks of sections too.
    assert [name for name in exported if not name.startswith("_")] == ["PyInit__core"]


def test_stack_is_not_executable(elf: ELFFile) -> None:
    flags = [segment["p_flags"] for segment in elf.iter_segments() if segment["p_type"] == "PT_GNU_STACK"]
    assert len(flags) == 1
    assert not flags[0] & EXECUTABLE


def test_no_segment_is_writable_and_executable(elf: ELFFile) -> None:
    assert not [segment for segment in elf.iter_segments() if segment["p_flags"] & 3 == 3]


def test_no_text_relocations(elf: ELFFile) -> None:
    dynamic = elf.get_section_by_name(".dynamic")
    assert isinstance(dynamic, DynamicSection)
    assert not list(dynamic.iter_tags("DT_TEXTREL"))
    assert not [tag for tag in dynamic.iter_tags("DT_FLAGS") if tag["d_val"] & 4]


def test_needs_the_c_library_alone(elf: ELFFile) -> None:
    dynamic = elf.get_section_by_name(".dynamic")
    assert isinstance(dynamic, DynamicSection)
    needed = {str(vars(tag)["needed"]).split(".")[0] for tag in dynamic.iter_tags("DT_NEEDED")}
    assert needed <= {"libc", "libpthread", "ld-linux-aarch64", "ld-linux-armhf"}


def test_branches_and_returns_are_protected_on_arm64(elf: ELFFile) -> None:
    """One object without the mark drops it for the whole module."""
    notes = elf.get_section_by_name(".note.gnu.property")
    properties = (
        [entry for note in notes.iter_notes() for entry in note["n_desc"]] if isinstance(notes, NoteSection) else []
    )
    marks = [entry["pr_data"] for entry in properties if entry["pr_type"] == "GNU_PROPERTY_AARCH64_FEATURE_1_AND"]
    assert marks == ([BTI_AND_PAC] if config.target["cpu_family"] == "aarch64" else [])


@pytest.mark.skipif(config.target["cpu_family"] == "x86_64", reason="compilers leave it so where there is a red zone")
def test_nothing_is_saved_beyond_the_stack(elf: ELFFile) -> None:
    """Where a function has given a part of its frame back, .cfi_* looks for no register there."""
    dwarf = elf.get_dwarf_info()
    entries = dwarf.EH_CFI_entries() if dwarf.has_EH_CFI() else []
    entries += dwarf.CFI_entries() if dwarf.has_CFI() else []
    stack_pointer = {"aarch64": 31, "arm": 13}.get(config.target["cpu_family"])
    for entry in entries:
        for row in entry.get_decoded().table if isinstance(entry, FDE) else []:
            if row["cfa"].reg == stack_pointer:
                saved = [rule.arg for key, rule in row.items() if isinstance(key, int) and rule.type == "OFFSET"]
                assert not [offset for offset in saved if offset < -row["cfa"].offset]
