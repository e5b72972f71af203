"""Where the framework's own files are, and which of them a project's build takes."""

import os

from . import INTERFACE
from .errors import KconfError, nearest

TARGETS = "targets"
FOLDER = os.path.dirname(os.path.abspath(__file__))

# What an installed package needs to report on itself: copied into it, so that it depends on no other.
RUNTIME = ("__init__.py", "errors.py", "record.py", "report.py", "table.py")


def folder_in(source_dir: str) -> str:
    """Return the folder as a build names it: below the source folder by its path there, elsewhere in full."""
    inside = FOLDER.startswith(os.path.join(source_dir, ""))
    return (os.path.relpath(FOLDER, source_dir) if inside else FOLDER).replace(os.sep, "/")


def native_sources() -> list[str]:
    """Return the C that goes into every module, relative to the folder."""
    return sorted(f"native/{name}" for name in os.listdir(os.path.join(FOLDER, "native")) if name.endswith(".c"))


def target_folders(source_dir: str) -> list[str]:
    """Return where cross files are, the project's own before the framework's."""
    # Beside the modules where they are installed; at the top of the tree in a checkout.
    framework = (os.path.join(FOLDER, TARGETS), os.path.join(os.path.normpath(f"{FOLDER}/../../.."), TARGETS))
    own = os.path.join(source_dir, TARGETS)
    return list(dict.fromkeys(folder for folder in (own, *framework) if os.path.isdir(folder)))


def find_cross_file(source_dir: str, name: str) -> str:
    """Return the path of the target NAME; what has a slash or ends in .ini is the path of a cross file already."""
    if os.sep in name or name.endswith(".ini"):
        if not os.path.isfile(name):
            raise KconfError(f"--target {name}: there is no such file")
        return os.path.abspath(name)
    folders = target_folders(source_dir)
    paths = [os.path.join(folder, f"{name}.ini") for folder in folders]
    if found := next(filter(os.path.isfile, paths), None):
        return found
    names = sorted({known for folder in folders for known in target_names(folder)})
    known = f"known are {', '.join(names)}" if names else "there are none"
    raise KconfError(f"--target {name}: there is no {TARGETS}/{name}.ini{nearest(name, names)}; {known}")


def target_names(folder: str) -> list[str]:
    """Return the targets of a folder."""
    return sorted(entry.removesuffix(".ini") for entry in os.listdir(folder) if entry.endswith(".ini"))


def check_interface(wanted: str) -> None:
    """Refuse a project that was written for another interface than this one."""
    major, minor = _version(INTERFACE)
    if _version(wanted)[0] != major:
        change = "docs/interface.md tells what has changed"
    elif _version(wanted)[1] > minor:
        change = "a later armlet has it"
    else:
        return
    raise KconfError(f"meson.build is for interface {wanted} of armlet.kconf, and {FOLDER} has {INTERFACE}: {change}")


def _version(text: str) -> tuple[int, int]:
    try:
        major, minor = map(int, text.split("."))
    except ValueError:
        raise KconfError(f"--interface={text}: a version is two numbers, as {INTERFACE}") from None
    return major, minor
