"""Checks of a module in an ELF file. Each says what is wrong, or None."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import ARMAttributesSection, NoteSection, SymbolTableSection

from . import armv6
from .libraries import YOUNG_IN_MUSL, musl, why_not_python
from .platforms import Platform

MACHINES = {
    "aarch64": ("EM_AARCH64", 64),
    "armv7l": ("EM_ARM", 32),
    "armv6l": ("EM_ARM", 32),
    "x86_64": ("EM_X86_64", 64),
}
# Every C library but the one that the tag names is a stranger; the loader is part of it.
LIBRARIES = {
    "glibc": ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux"),
    "musl": ("libc.musl-",),
    "linux": ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux"),
}
PAGE_ON_ARM64 = 65536  # the largest that kernels for arm64 use
BTI_AND_PAC = 3  # bits of GNU_PROPERTY_AARCH64_FEATURE_1_AND
EXECUTABLE, WRITABLE = 1, 2  # p_flags
TEXT_RELOCATIONS = 4  # of DT_FLAGS


class Symbol(NamedTuple):
    """A symbol that the module wants from elsewhere."""

    name: str
    version: str | None  # "GLIBC_2.17"
    is_weak: bool


class Elf:
    """A module, and the platform and the Python that its wheel is tagged with."""

    def __init__(self, file: Any, platform: Platform, python: str) -> None:
        self.elf = ELFFile(file)
        self.platform = platform
        self.python = python

    def section(self, kind: type) -> Any:
        """Return the section of a kind, or None."""
        return next((section for section in self.elf.iter_sections() if isinstance(section, kind)), None)

    def segments(self, kind: str) -> list[Any]:
        """Return the segments of a kind."""
        return [segment for segment in self.elf.iter_segments() if segment["p_type"] == kind]

    def tags(self, name: str) -> list[Any]:
        """Return the entries of the dynamic section of a name."""
        dynamic = self.section(DynamicSection)
        return list(dynamic.iter_tags(name)) if dynamic else []

    def wanted(self) -> Iterator[Symbol]:
        """Yield the undefined symbols."""
        table = self.elf.get_section_by_name(".dynsym")
        if not isinstance(table, SymbolTableSection):
            return
        versions = self.section(GNUVerSymSection)
        names = self._version_names()
        for number, symbol in enumerate(table.iter_symbols()):
            if symbol["st_shndx"] == "SHN_UNDEF" and symbol.name:
                index = versions.get_symbol(number)["ndx"] if versions else 0
                yield Symbol(symbol.name, names.get(index), symbol["st_info"]["bind"] == "STB_WEAK")

    def _version_names(self) -> dict[int, str]:
        needs = self.section(GNUVerNeedSection)
        if not needs:
            return {}
        return {aux["vna_other"]: aux.name for _, auxiliaries in needs.iter_versions() for aux in auxiliaries}

    def functions(self) -> dict[str, int]:
        """Return the functions that the module defines, and their sizes; empty if its symbols were stripped."""
        table = self.elf.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return {}
        return {
            symbol.name: symbol["st_size"]
            for symbol in table.iter_symbols()
            if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF"
        }


def machine(module: Elf) -> str | None:
    """The code is for the architecture of the tag."""
    expected = MACHINES.get(module.platform.architecture)
    if expected is None:
        return f"it is not known what {module.platform.architecture} looks like"
    found = (module.elf["e_machine"], module.elf.elfclass)
    if found == expected:
        return None
    return f"it is for {found[0]}, {found[1]} bits; {module.platform.tag} means {expected[0]}, {expected[1]} bits"


def c_library_floor(module: Elf) -> str | None:
    """It runs with the oldest C library that the tag admits."""
    if module.platform.system == "musl":
        young = {
            s.name: YOUNG_IN_MUSL[s.name]
            for s in module.wanted()
            if YOUNG_IN_MUSL.get(s.name, (0,)) > (*module.platform.floor, 0)
        }
        return ", ".join(f"{name} is in musl since {'.'.join(map(str, v))}" for name, v in young.items()) or None
    if module.platform.system != "glibc":
        return None
    above = {s.version for s in module.wanted() if s.version and _glibc(s.version) > module.platform.floor}
    if not above:
        return None
    names = sorted(f"{s.name} ({s.version})" for s in module.wanted() if s.version in above)
    return f"{module.platform.tag} means glibc {_dotted(module.platform.floor)}, but it needs {', '.join(names)}"


def _glibc(version: str) -> tuple[int, ...]:
    name, _, numbers = version.partition("_")
    parts = numbers.split(".")
    return tuple(map(int, parts)) if name == "GLIBC" and all(part.isdecimal() for part in parts) else (0,)


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def arm_attributes(module: Elf) -> str | None:
    """What the module says that it needs of an ARM CPU is what the tag allows."""
    if module.platform.architecture != "armv6l":
        return None
    section = module.section(ARMAttributesSection)
    if section is None:
        return None  # a linker may lose them; the instructions are looked at as well
    found = {
        attribute.tag: attribute.value
        for subsection in section.iter_subsections()
        for part in subsection.iter_subsubsections()
        for attribute in part.iter_attributes()
    }
    wrong = []
    if found.get("TAG_CPU_ARCH", 0) not in armv6.ARCHITECTURES:
        wrong.append(f"Tag_CPU_arch {found['TAG_CPU_ARCH']}, after ARMv6")
    if found.get("TAG_ADVANCED_SIMD_ARCH", 0):
        wrong.append("Tag_Advanced_SIMD_arch: NEON")
    if found.get("TAG_FP_ARCH", found.get("TAG_VFP_ARCH", 0)) > armv6.VFP2:
        wrong.append("Tag_FP_arch: later than VFPv2")
    return f"it says that it needs what an ARMv6 CPU lacks: {'; '.join(wrong)}" if wrong else None


def armv6_instructions(module: Elf) -> str | None:
    """No instruction is younger than ARMv6, with VFPv2, as an ARM1176 has it."""
    if module.platform.architecture != "armv6l":
        return None
    strangers = armv6.strangers(module.elf)
    if not strangers:
        return None
    some = "; ".join(strangers[:3])
    return f"{len(strangers)} instructions that an ARM1176 lacks: {some}{'; ...' if len(strangers) > 3 else ''}"


def undefined_symbols(module: Elf) -> str | None:
    """Whatever is missing is Python's or the C library's."""
    missing: list[str] = []
    for symbol in module.wanted():
        if symbol.name.startswith(("Py", "_Py")):
            missing += filter(None, [why_not_python(symbol.name, module.python)])
        elif not symbol.version and not symbol.is_weak and symbol.name not in _unversioned(module):
            missing.append(f"nothing defines {symbol.name}")
    return "; ".join(missing) or None


def _unversioned(module: Elf) -> frozenset[str]:
    return musl() if module.platform.system == "musl" else frozenset()


def needed_libraries(module: Elf) -> str | None:
    """It asks for the C library of the tag, and for no other library."""
    names = [tag.needed for tag in module.tags("DT_NEEDED")]
    if not names:
        return "it names no library that it needs (DT_NEEDED), not even the C library"
    strangers = [name for name in names if not name.startswith(LIBRARIES[module.platform.system])]
    return f"it needs {', '.join(strangers)}, which {module.platform.tag} does not promise" if strangers else None


def search_paths(module: Elf) -> str | None:
    """It looks for libraries where the system does."""
    paths = [tag.rpath for tag in module.tags("DT_RPATH")] + [tag.runpath for tag in module.tags("DT_RUNPATH")]
    return f"it looks for libraries in {', '.join(paths)}" if paths else None


def compiler_runtime(module: Elf) -> str | None:
    """Not more than half of the code is the compiler's own."""
    sizes = module.functions()
    own = sum(size for name, size in sizes.items() if name.startswith("__"))
    if own * 2 <= sum(sizes.values()):
        return None
    return f"{own} of {sum(sizes.values())} bytes of code are the compiler's runtime: see -fno-unwind-tables"


def executable_stack(module: Elf) -> str | None:
    """The stack cannot be executed."""
    segments = module.segments("PT_GNU_STACK")
    if len(segments) != 1:
        return "it does not say that its stack is not executable (PT_GNU_STACK): a .S file lacks .note.GNU-stack"
    return "its stack is executable" if segments[0]["p_flags"] & EXECUTABLE else None


def writable_code(module: Elf) -> str | None:
    """No memory can be both written and executed."""
    both = EXECUTABLE | WRITABLE
    return "a segment is writable and executable" if _any_flags(module, both) else None


def _any_flags(module: Elf, flags: int) -> bool:
    return any(segment["p_flags"] & flags == flags for segment in module.segments("PT_LOAD"))


def page_alignment(module: Elf) -> str | None:
    """Kernels with pages of 64 KiB can load it."""
    if module.platform.architecture != "aarch64":
        return None
    smallest = min((segment["p_align"] for segment in module.segments("PT_LOAD")), default=PAGE_ON_ARM64)
    if smallest >= PAGE_ON_ARM64:
        return None
    return f"its segments are aligned to {smallest} bytes: a kernel with pages of 64 KiB cannot load it"


def branch_protection(module: Elf) -> str | None:
    """Branch targets and return addresses are protected on arm64."""
    if module.platform.architecture != "aarch64":
        return None
    notes = [section for section in module.elf.iter_sections() if isinstance(section, NoteSection)]
    properties = [
        entry
        for section in notes
        for note in section.iter_notes()
        if note["n_type"] == "NT_GNU_PROPERTY_TYPE_0"
        for entry in note["n_desc"]
    ]
    marks = [p["pr_data"] for p in properties if p["pr_type"] == "GNU_PROPERTY_AARCH64_FEATURE_1_AND"]
    if marks and marks[0] & BTI_AND_PAC == BTI_AND_PAC:
        return None
    return "it is not marked for BTI and PAC: an object of it lacks the mark, or the start files do"


def text_relocations(module: Elf) -> str | None:
    """Its code is shared, not patched when it is loaded."""
    flagged = any(tag["d_val"] & TEXT_RELOCATIONS for tag in module.tags("DT_FLAGS"))
    return "its code is patched when it is loaded (DT_TEXTREL)" if flagged or module.tags("DT_TEXTREL") else None


CHECKS = (
    machine,
    c_library_floor,
    arm_attributes,
    armv6_instructions,
    undefined_symbols,
    needed_libraries,
    search_paths,
    compiler_runtime,
    executable_stack,
    writable_code,
    page_alignment,
    branch_protection,
    text_relocations,
)
