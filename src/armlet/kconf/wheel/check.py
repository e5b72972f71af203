"""A finished wheel held against its tag: whatever would fail on the user's machine is refused here, by name."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..errors import KconfError
from ..record import Record, built_backends, read_module
from .archive import Name, files_in, modules_in, parse_name
from .platforms import Platform, strictest


class Finding(NamedTuple):
    """What is wrong with a wheel."""

    check: str  # the name of the check: "executable-stack"
    file: str
    words: str

    def __str__(self) -> str:
        return f"{self.check}: {self.file}: {self.words}"


def check_wheel(wheel: str, tree: str, private: Sequence[str] = ()) -> list[Finding]:
    """Return what is wrong with a wheel that is unpacked in TREE; PRIVATE are texts that it must not hold."""
    name = parse_name(wheel)
    platform = strictest(name.platform.split("."))
    modules = modules_in(tree)
    findings = [*_tags(name, tree), *_build_paths(tree, private)]
    if not modules:
        findings.append(Finding("modules", os.path.basename(wheel), "there is no compiled module in it"))
    reports = _reports(tree)
    if not reports:
        findings.append(Finding("kernels", os.path.basename(wheel), "there is no report in it, no module _config"))
    for module in modules:
        findings += _suffix(module, name)
        findings += _module(module, tree, platform, name, reports)
    return findings


def require_sound(wheel: str, tree: str, private: Sequence[str] = ()) -> None:
    """Refuse a wheel of which any check says that something is wrong."""
    if findings := check_wheel(wheel, tree, private):
        raise KconfError("the wheel is refused:\n" + "\n".join(f"  {finding}" for finding in findings))


def _tags(name: Name, tree: str) -> Iterable[Finding]:
    """The tags inside the wheel are those of its name."""
    file = f"{name.distribution}-{name.version}.dist-info/WHEEL"
    try:
        with open(os.path.join(tree, file), encoding="utf-8") as text:
            tags = sorted(line.removeprefix("Tag: ").strip() for line in text if line.startswith("Tag:"))
    except FileNotFoundError:
        tags = []
    if tags != name.tags:
        yield Finding("tags", file, f"it says {', '.join(tags) or 'nothing'}, the name {', '.join(name.tags)}")
    if name.abi != "abi3":
        yield Finding("tags", file, f"{name.abi}: the wheel does not keep to the limited API (abi3)")


def _build_paths(tree: str, private: Sequence[str]) -> Iterable[Finding]:
    """No path of the build machine is left in any file."""
    for file in files_in(tree):
        with open(os.path.join(tree, file), "rb") as content:
            data = content.read()
        for text in private:
            if text.encode() in data:
                yield Finding("build-paths", file, f"{text} of the build machine stands in it")


def _suffix(module: str, name: Name) -> Iterable[Finding]:
    """Every Python of the tag finds the module by its suffix."""
    base = os.path.basename(module)
    if name.abi == "abi3" and base.partition(".")[2] != "abi3.so":
        yield Finding("suffix", module, f"no Python of {name.platform} imports .{base.partition('.')[2]}: .abi3.so")


def _module(module: str, tree: str, platform: Platform, name: Name, reports: dict[str, Record]) -> list[Finding]:
    path = os.path.join(tree, module)
    with open(path, "rb") as file:
        magic = file.read(4)
        if platform.system == "macos":
            from . import macho

            if magic not in {b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"}:
                return [Finding("machine", module, f"this is no Mach-O file, which {platform.tag} means")]
            return _run(macho.CHECKS, macho.MachO(path, platform, name.python), module, reports)
        from . import elf

        if magic != b"\x7fELF":
            return [Finding("machine", module, f"this is no ELF file, which {platform.tag} means")]
        return _run(elf.CHECKS, elf.Elf(file, platform, name.python), module, reports)


def _run(
    checks: Sequence[Callable[[Any], str | None]], subject: Any, module: str, reports: dict[str, Record]
) -> list[Finding]:
    """Run the checks of a file format; a module for another machine has no need of the rest."""
    findings = []
    for check in checks:
        if words := check(subject):
            findings.append(Finding(check.__name__.replace("_", "-"), module, words))
            if check is checks[0]:
                return findings
    if report := reports.get(os.path.dirname(module)):
        findings += [Finding("kernels", module, words) for words in _kernels(subject.functions(), report)]
    return findings


def _reports(tree: str) -> dict[str, Record]:
    """Return what each module `_config` in the wheel says, by its package."""
    found = {}
    for file in files_in(tree):
        if os.path.basename(file) == "_config.py":
            found[os.path.dirname(file)] = read_report(os.path.join(tree, file))
    return found


def read_report(path: str) -> Record:
    """Read the record in a module `_config`."""
    with open(path, "rb") as file:
        return read_module(file.read(), os.path.basename(path))


def _kernels(functions: Iterable[str], report: Record) -> Iterable[str]:
    """The backends whose functions are in the module are those of its report."""
    every = {
        f"{algorithm}_{backend['name'].replace('-', '_')}_": f"{algorithm} {backend['name']}"
        for algorithm, entry in report["ALGORITHMS"].items()
        for backend in entry["backends"]
    }
    by_length = sorted(every, key=len, reverse=True)
    present = {every[prefix] for f in functions for prefix in [_first_prefix(f, by_length)] if prefix}
    reported = {f"{algorithm} {name}" for algorithm, names in built_backends(report).items() for name in names}
    if missing := sorted(reported - present):
        yield f"the report names {', '.join(missing)}, of which the module has no function"
    if extra := sorted(present - reported):
        yield f"the module has functions of {', '.join(extra)}, which the report does not name"


def _first_prefix(function: str, prefixes: list[str]) -> str | None:
    """The longest that fits: sum_arm64_ce_blocks is not of sum_arm64."""
    return next((prefix for prefix in prefixes if function.startswith(prefix)), None)
