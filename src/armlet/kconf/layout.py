"""Where the framework's own files are, and which of them a project's build takes."""

import os

from . import INTERFACE
from .errors import KconfError

FOLDER = os.path.dirname(os.path.abspath(__file__))

# What an installed package needs to report on itself: copied into it, so that it depends on no other.
RUNTIME = ("__init__.py", "errors.py", "report.py")


def folder_in(source_dir: str) -> str:
    """Return the folder as a build names it: below the source folder by its path there, elsewhere in full."""
    inside = FOLDER.startswith(os.path.join(source_dir, ""))
    return (os.path.relpath(FOLDER, source_dir) if inside else FOLDER).replace(os.sep, "/")


def native_sources() -> list[str]:
    """Return the C that goes into every module, relative to the folder."""
    return sorted(f"native/{name}" for name in os.listdir(os.path.join(FOLDER, "native")) if name.endswith(".c"))


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
