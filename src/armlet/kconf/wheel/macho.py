"""Checks of a module in a Mach-O file. Each says what is wrong, or None."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from macholib import mach_o
from macholib.MachO import MachO as MachOFile
from macholib.SymbolTable import SymbolTable

from .libraries import macos, why_not_python
from .platforms import Platform

MACHINES = {"arm64": 0x0100000C, "x86_64": 0x01000007}  # CPU_TYPE_*
SYSTEM = "/usr/lib/libSystem.B.dylib"
TYPE_MASK, UNDEFINED = 0x0E, 0  # of n_type


class Symbol(NamedTuple):
    """An entry of the symbol table."""

    name: str
    is_defined: bool


class MachO:
    """A module, and the platform and the Python that its wheel is tagged with."""

    def __init__(self, path: str, platform: Platform, python: str) -> None:
        self.file = MachOFile(path)
        self.platform = platform
        self.python = python

    def commands(self, kind: int) -> Iterator[tuple[Any, bytes]]:
        """Yield the load commands of a kind, and the data of each."""
        for load, command, data in self.file.headers[0].commands:
            if load.cmd == kind:
                yield command, data

    def symbols(self) -> Iterator[Symbol]:
        """Yield the symbols."""
        for entry, name in SymbolTable(self.file).nlists:
            if not entry.n_type & 0xE0:  # N_STAB: for debuggers
                yield Symbol(name.decode(), entry.n_type & TYPE_MASK != UNDEFINED)

    def functions(self) -> dict[str, int]:
        """Return what the module defines, without the underscore of C; sizes are not known."""
        return {symbol.name.removeprefix("_"): 0 for symbol in self.symbols() if symbol.is_defined}


def machine(module: MachO) -> str | None:
    """The code is for the architecture of the tag."""
    found = [header.header.cputype for header in module.file.headers]
    expected = MACHINES.get(module.platform.architecture, 0)
    if found == [expected]:
        return None
    return f"it is for CPU type {', '.join(f'{cpu:#x}' for cpu in found)}; {module.platform.tag} means {expected:#x}"


def macos_floor(module: MachO) -> str | None:
    """It runs on the oldest macOS that the tag admits."""
    versions = [int(command.minos) for command, _ in module.commands(mach_o.LC_BUILD_VERSION)]
    if not versions:
        return "it does not say which macOS it needs"
    version = (versions[0] >> 16, versions[0] >> 8 & 0xFF)
    if version <= module.platform.floor:
        return None
    return f"{module.platform.tag} means {_dotted(module.platform.floor)}, but it needs macOS {_dotted(version)}"


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def undefined_symbols(module: MachO) -> str | None:
    """Whatever is missing is Python's or the system's."""
    missing: list[str] = []
    for name in sorted(symbol.name for symbol in module.symbols() if not symbol.is_defined):
        if name.startswith(("_Py", "__Py")):
            missing += filter(None, [why_not_python(name[1:], module.python)])
        elif name not in macos():
            missing.append(f"nothing defines {name}")
    return "; ".join(missing) or None


def needed_libraries(module: MachO) -> str | None:
    """It asks for the system's library, and for no other."""
    names = [data.partition(b"\0")[0].decode() for _, data in module.commands(mach_o.LC_LOAD_DYLIB)]
    strangers = [name for name in names if name != SYSTEM]
    return f"it needs {', '.join(strangers)}, which {module.platform.tag} does not promise" if strangers else None


def signature(module: MachO) -> str | None:
    """Apple's own CPUs run no code without one, be it only a checksum."""
    signed = any(module.commands(mach_o.LC_CODE_SIGNATURE))
    return None if signed else "it has no signature: Apple silicon refuses to load it"


CHECKS = (machine, macos_floor, undefined_symbols, needed_libraries, signature)
