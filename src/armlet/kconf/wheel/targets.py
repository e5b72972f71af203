"""Targets: Meson cross files, whose [properties] say what a wheel needs besides.

    wheel_platform       the platform tag, the only one that must be there: 'manylinux_2_17_aarch64'
    wheel_config         the configuration that belongs to the target; what the user asks for is merged over it
    gcc                  the compiler that `--compiler gcc` takes
    emulator             qemu's command for programs of the target
    emulated_cpus        the CPUs, as that emulator calls them, on which a wheel is tried
    debian_architecture  which of Debian's Pythons it is tried in
    github_runner        the machine of a GitHub workflow on which the target builds natively

Everything else is Meson's: such a file works with `meson setup --cross-file` too.
"""

import os
import shutil
from typing import Any, NamedTuple

from ..cross import read_cross_file
from ..errors import KconfError
from ..layout import find_cross_file, target_folders, target_names
from .platforms import parse_platform

OF_ONE_WORD = ("wheel_platform", "wheel_config", "gcc", "emulator", "debian_architecture", "github_runner")
OF_WORDS = ("c_args", "c_link_args")


class WheelTarget(NamedTuple):
    """One cross file, read."""

    name: str
    path: str
    description: str  # the comment that opens the file
    binaries: dict[str, list[str]]
    options: dict[str, Any]  # [built-in options]
    machine: dict[str, str]  # [host_machine]
    platform: str  # the tag
    config: str | None
    gcc: str | None
    emulator: str | None
    emulated_cpus: list[str]
    debian_architecture: str | None
    github_runner: str | None

    @property
    def compiler(self) -> str:
        """The command that compiles."""
        return self.binaries["c"][0]

    def missing_programs(self) -> list[str]:
        """Return those of the programs without which nothing can be built that are not found here."""
        programs = dict.fromkeys(self.binaries[name][0] for name in ("c", "ar"))
        return [program for program in programs if not shutil.which(program, path=search_path())]

    def as_dict(self) -> dict[str, Any]:
        """Return what programs want to know of it."""
        return {
            "name": self.name,
            "description": self.description,
            "platform": self.platform,
            **{key: self.machine[key] for key in ("system", "cpu_family", "cpu", "endian")},
            "config": self.config,
            "compiler": self.binaries["c"],
            "compiler_found": shutil.which(self.compiler, path=search_path()) is not None,
            "gcc": self.gcc,
            "emulator": self.emulator,
            "emulated_cpus": self.emulated_cpus,
        }


def search_path() -> str:
    """Return where programs are searched: beside this Python, as in a virtual environment that is not active, first."""
    import sys

    return os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])


def all_targets(source_dir: str) -> list[WheelTarget]:
    """Return the targets of a source tree, by name; the framework's if it has none of its own."""
    folder = next(iter(target_folders(source_dir)), "")
    return [read_target(os.path.join(folder, f"{name}.ini")) for name in target_names(folder)] if folder else []


def find_target(source_dir: str, name: str) -> WheelTarget:
    """Return the target NAME, the source tree's or the framework's; or that of a cross file by its path."""
    return read_target(find_cross_file(source_dir, name))


def read_target(path: str) -> WheelTarget:
    """Read a cross file as Meson does."""
    file = read_cross_file(path)
    binaries = {name: _words(path, name, value) for name, value in file.get("binaries", {}).items()}
    options = {
        name: _words(path, name, value) if name in OF_WORDS else value
        for name, value in file.get("built-in options", {}).items()
    }
    machine = {name: str(value) for name, value in file.get("host_machine", {}).items()}
    properties = file.get("properties", {})
    own = {name: _word(path, name, properties[name]) for name in OF_ONE_WORD if name in properties}
    lacking = [f"[binaries] {name}" for name in ("c", "ar") if not binaries.get(name)]
    lacking += [f"[host_machine] {name}" for name in ("system", "cpu_family", "cpu", "endian") if name not in machine]
    lacking += ["[properties] wheel_platform, the tag of its wheels"] if "wheel_platform" not in properties else []
    if lacking:
        raise KconfError(f"{path}: a target needs {', '.join(lacking)}")
    if machine["endian"] not in {"little", "big"}:
        raise KconfError(f"{path}: endian = {machine['endian']!r}: 'little' or 'big' is wanted")
    try:
        platform = parse_platform(own["wheel_platform"])
    except KconfError as error:
        raise KconfError(f"{path}: wheel_platform: {error}") from None
    system = "darwin" if platform.system == "macos" else "linux"
    if machine["system"] != system:
        raise KconfError(f"{path}: wheels of {platform.tag} are for system = {system!r}, not {machine['system']!r}")
    return WheelTarget(
        os.path.basename(path).removesuffix(".ini"),
        os.path.abspath(path),
        _first_comment(path),
        binaries,
        options,
        machine,
        own["wheel_platform"],
        own.get("wheel_config"),
        own.get("gcc"),
        own.get("emulator"),
        _words(path, "emulated_cpus", properties.get("emulated_cpus", [])),
        own.get("debian_architecture"),
        own.get("github_runner"),
    )


def _word(path: str, name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise KconfError(f"{path}: {name} = {value!r}: a text in quotes is wanted")
    return value


def _words(path: str, name: str, value: Any) -> list[str]:
    """A single text is a list of one, as Meson has it."""
    words = value if isinstance(value, list) else [value]
    return [_word(path, name, word) for word in words]


def _first_comment(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        line = file.readline().strip()
    return line.lstrip("# ") if line.startswith("#") else ""


def github_matrix(targets: list[WheelTarget]) -> dict[str, Any]:
    """Return the matrix of a GitHub workflow's strategy: a job for each target."""
    return {"include": [{"target": target.name, "runner": target.github_runner} for target in targets]}
