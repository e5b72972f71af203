"""A finished wheel tried: imported in a Python of its architecture, on every CPU that its target names.

The Pythons are Debian's, unpacked below ~/.cache/armlet/sysroots; nothing of them is installed.
"""

import json
import os
import platform
import shutil
import sys
from typing import Any, NamedTuple, Protocol

from ..errors import KconfError
from ..record import Record, built_backends
from .archive import files_in, parse_name
from .build import architecture_of
from .check import read_report
from .processes import Failed
from .targets import WheelTarget, search_path

TIMEOUT = 300  # seconds

# Runs every backend that the CPU has, against its known answer, and prints what the package says of itself.
SCRIPT = """\
import importlib, json, platform, sys
sys.path[:0] = sys.argv[1:3]
import warnings; warnings.simplefilter("error")
config = importlib.import_module(sys.argv[3] + ".config")
report = config.as_dict()
from packaging.tags import sys_tags
print(json.dumps({"report": report, "machine": platform.machine(), "tags": [str(tag) for tag in sys_tags()]}))
"""


class Runner(Protocol):
    """What runs a program in the workshop of a wheel."""

    def run(self, argv: list[str], timeout: float | None = None) -> str:
        """Run it and return what it prints."""


class Python(NamedTuple):
    """A Python in which a wheel can be tried."""

    name: str  # "Python 3.11 on cortex-a8"
    argv: list[str]


class Trials(NamedTuple):
    """Where a wheel was tried, or why it was not."""

    tried: list[str]
    not_tried: str | None


def try_wheel(wheel: str, tree: str, target: WheelTarget, runner: Runner) -> Trials:
    """Import a wheel that is unpacked in TREE, wherever that is possible; what goes wrong there is an error."""
    pythons, reason = find_pythons(target)
    for python in pythons:
        _try(wheel, tree, python, runner)
    return Trials([python.name for python in pythons], reason if not pythons else None)


def summary(tried: list[str]) -> str:
    """Say it shortly, for each Python runs on every CPU: Python 3.11, 3.13 on cortex-a8, cortex-a15."""
    pythons, cpus = (dict.fromkeys(name.partition(" on ")[part] for name in tried) for part in (0, 2))
    return " on ".join(filter(None, (", ".join(pythons).replace(", Python ", ", "), ", ".join(cpus))))


def find_pythons(target: WheelTarget) -> tuple[list[Python], str]:
    """Return the Pythons that run modules of a target here, or why there is none."""
    if _is_this_machine(target):
        return [Python(f"Python {sys.version_info.major}.{sys.version_info.minor} here", [sys.executable])], ""
    if not target.emulator or not target.debian_architecture:
        return [], f"no Python for {target.platform} is known that could be emulated here"
    emulator = shutil.which(target.emulator, path=search_path())
    if not emulator:
        return [], f"{target.emulator} is not found (Debian: install qemu-user)"
    trees = _unpacked(target.debian_architecture)
    found = [
        Python(f"{python.replace('python', 'Python ')} on {cpu}", [emulator, "-cpu", cpu, "-L", tree, path])
        for python, (tree, path) in sorted(trees.items())
        for cpu in target.emulated_cpus
    ]
    return found, f"no Debian Python for {target.debian_architecture} is unpacked in {sysroots()}"


def sysroots() -> str:
    """Return the folder of the unpacked Pythons."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "armlet", "sysroots")


def _unpacked(architecture: str) -> dict[str, tuple[str, str]]:
    """Return the trees of an architecture and the Pythons in them, one of each version."""
    found = {}
    try:
        names = sorted(os.listdir(sysroots()))
    except FileNotFoundError:
        return {}
    for name in names:
        link = os.path.join(sysroots(), name, "usr", "bin", "python3")
        if architecture in name.split("-") and not name.startswith(".") and os.path.islink(link):
            python = os.readlink(link)  # by its full name, through which it finds its library
            found[python] = (os.path.join(sysroots(), name), os.path.join(os.path.dirname(link), python))
    return found


def _is_this_machine(target: WheelTarget) -> bool:
    families = {"arm64": "aarch64", "AMD64": "x86_64", "armv7l": "arm", "armv6l": "arm"}
    machine = platform.machine()
    is_musl = target.platform.startswith("musllinux") != (platform.libc_ver()[0] == "")
    same_system = platform.system().lower() == target.machine["system"]
    return same_system and families.get(machine, machine) == target.machine["cpu_family"] and not is_musl


def _try(wheel: str, tree: str, python: Python, runner: Runner) -> None:
    config = next(file for file in files_in(tree) if os.path.basename(file) == "_config.py")
    package = os.path.dirname(config).replace("/", ".")
    argv = [*python.argv, "-I", "-c", SCRIPT, tree, _folder_of_packaging(), package]
    try:
        answer: dict[str, Any] = json.loads(runner.run(argv, timeout=TIMEOUT).splitlines()[-1])
    except Failed as failure:
        lines = failure.output.strip().splitlines() or ["it said nothing"]
        raise KconfError(f"the wheel does not work in {python.name}: {lines[-1]}") from None
    except (ValueError, IndexError):
        raise KconfError(f"the wheel gives no report in {python.name}") from None
    for words in _differences(wheel, read_report(os.path.join(tree, config)), answer):
        raise KconfError(f"the wheel does not do in {python.name} what it was made for: {words}")


def _differences(wheel: str, expected: Record, answer: dict[str, Any]) -> list[str]:
    """Tell what the running package says of itself otherwise than what was asked for."""
    name, report = parse_name(wheel), answer["report"]
    found = []
    if answer["machine"] == architecture_of(name.platform) and not set(name.tags) & set(answer["tags"]):
        found.append(f"no tag of it is one that this Python takes: {', '.join(name.tags)}")
    if report["options"] != expected["OPTIONS"]:
        found.append("its options are not those of the build")
    built = {
        algorithm: [backend["name"] for backend in entry["backends"] if backend["built"]]
        for algorithm, entry in report["algorithms"].items()
        if entry["built"]
    }
    if built != built_backends(expected):
        found.append(f"it has the backends {built}, and was to have {built_backends(expected)}")
    found += [f"no backend of {name} serves" for name in built if not report["algorithms"][name]["selected"]]
    found += [
        f"{algorithm} {backend['name']} {backend['reason']}"
        for algorithm, entry in report["algorithms"].items()
        for backend in entry["backends"]
        if "wrong answer" in (backend["reason"] or "")
    ]
    return found


def _folder_of_packaging() -> str:
    import packaging

    return os.path.dirname(os.path.dirname(os.path.abspath(packaging.__file__)))
