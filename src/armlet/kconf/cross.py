"""Builds for another machine: the cross file, and a Python that cannot be run, described so that Meson takes it."""

import json
import os
import pprint
import shutil
import sys
import sysconfig
from typing import Any, NamedTuple

from .errors import KconfError

SUFFIXES = (".so", ".abi3.so")  # of modules, whatever this Python calls its own: from 3.15 on after its platform
BUILD_CONFIG = "python.build_config"  # Meson's option: a description of the Python as of PEP 739


class TargetPython(NamedTuple):
    """How Meson is told of the Python of a target."""

    options: list[str]
    variables: dict[str, str]  # of the environment


def read_cross_file(path: str) -> dict[str, dict[str, Any]]:
    """Read a cross file as Meson does: its sections."""
    try:
        from mesonbuild import machinefile
        from mesonbuild.mesonlib import MesonException
    except ModuleNotFoundError:
        raise KconfError("Meson is not installed for this Python: pip install 'armlet[wheel]'") from None
    try:
        sections = machinefile.parse_machine_files([path], os.path.dirname(os.path.abspath(path)))
    except MesonException as error:
        raise KconfError(f"{path}: {error}") from None
    except (AssertionError, RecursionError, TypeError) as error:  # Meson's own, of texts beside numbers, and of depth
        raise KconfError(f"{path}: Meson does not understand it: {error}") from None
    return {name: dict(entries) for name, entries in sections.items()}


def target_python(folder: str, headers: str, cross_file: dict[str, dict[str, Any]]) -> TargetPython:
    """Write to FOLDER what tells Meson of the Python of a target, unless the cross file tells it."""
    machine = cross_file.get("host_machine", {})
    system = machine.get("system")
    if system == "windows" or BUILD_CONFIG in cross_file.get("built-in options", {}):
        return TargetPython([], {})
    if system == "darwin":
        return TargetPython([], _write_sysconfig(folder, headers))
    platform = f"{system}-{machine.get('cpu')}"
    return TargetPython([f"-D{BUILD_CONFIG}={_write_build_details(folder, headers, platform)}"], {})


def write_headers(folder: str) -> str:
    """Copy this Python's headers, with a pyconfig.h for every target in the place of its own; return their folder."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise KconfError(f"{sys.executable} is free-threaded: its headers have no limited API: use another Python")
    own = sysconfig.get_path("include")
    if not os.path.isfile(os.path.join(own, "Python.h")):
        raise KconfError(f"{sys.executable} has no headers, {own}/Python.h: install them (Debian: python3-dev)")
    headers = os.path.join(folder, "include")
    shutil.copytree(own, headers, ignore=shutil.ignore_patterns("internal"), dirs_exist_ok=True)
    shutil.copyfile(os.path.join(os.path.dirname(__file__), "pyconfig.h"), os.path.join(headers, "pyconfig.h"))
    return headers


def _write_build_details(folder: str, headers: str, platform: str) -> str:
    """Describe the Python of a target, and return the file's path."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    details = {
        "schema_version": "1.0",
        "base_prefix": "/usr",
        "platform": platform,
        "language": {"version": version},
        "implementation": {"name": "cpython"},
        "abi": {"flags": [], "extension_suffix": SUFFIXES[0], "stable_abi_suffix": SUFFIXES[1]},
        "libpython": {"link_extensions": False},
        "c_api": {"headers": headers},
    }
    path = os.path.join(folder, "build-details.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(details, file, indent=2)
    return path


def _write_sysconfig(folder: str, headers: str) -> dict[str, str]:
    """Have this Python name other headers and suffixes than its own; return the variables that make it so elsewhere.

    For macOS, whose Python Meson does not take by its description.
    """
    name = "_sysconfigdata_kconf_target"
    variables = {**sysconfig.get_config_vars(), "INCLUDEPY": headers}
    with open(os.path.join(folder, f"{name}.py"), "w", encoding="utf-8") as file:
        file.write(f"from importlib import machinery\nmachinery.EXTENSION_SUFFIXES[:] = {SUFFIXES!r}\n")
        file.write(f"build_time_vars = {pprint.pformat(variables)}\n")
    path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    return {"_PYTHON_SYSCONFIGDATA_NAME": name, "PYTHONPATH": path}
