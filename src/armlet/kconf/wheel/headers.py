"""Python's headers for any target, and the description of its Python by which Meson finds them (PEP 739)."""

import json
import os
import pprint
import shutil
import sys
import sysconfig

from ..errors import KconfError
from .targets import WheelTarget


def write_headers(folder: str) -> str:
    """Copy this Python's headers, with a pyconfig.h for every target in the place of its own; return their folder."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise KconfError(f"{sys.executable} is free-threaded: its headers have no limited API: use another Python")
    own = sysconfig.get_path("include")
    if not os.path.isfile(os.path.join(own, "Python.h")):
        raise KconfError(f"{sys.executable} has no headers, {own}/Python.h: install them (Debian: python3-dev)")
    headers = os.path.join(folder, "include")
    shutil.copytree(own, headers, ignore=shutil.ignore_patterns("internal"))
    shutil.copyfile(os.path.join(os.path.dirname(__file__), "pyconfig.h"), os.path.join(headers, "pyconfig.h"))
    return headers


def write_build_details(folder: str, headers: str, target: WheelTarget) -> str:
    """Describe the Python of a target, which cannot be run, and return the file's path."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    details = {
        "schema_version": "1.0",
        "base_prefix": "/usr",
        "platform": f"{target.machine['system']}-{target.machine['cpu']}",
        "language": {"version": version},
        "implementation": {"name": "cpython"},
        "abi": {"flags": [], "extension_suffix": ".so", "stable_abi_suffix": ".abi3.so"},
        "libpython": {"link_extensions": False},
        "c_api": {"headers": headers},
    }
    path = os.path.join(folder, "build-details.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(details, file, indent=2)
    return path


def write_sysconfig(folder: str, headers: str) -> dict[str, str]:
    """Have this Python name other headers than its own; return the variables that make it so in other processes.

    For macOS, whose Python Meson does not take by its description.
    """
    name = "_sysconfigdata_kconf_wheel"
    variables = {**sysconfig.get_config_vars(), "INCLUDEPY": headers}
    with open(os.path.join(folder, f"{name}.py"), "w", encoding="utf-8") as file:
        file.write(f"build_time_vars = {pprint.pformat(variables)}\n")
    path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    return {"_PYTHON_SYSCONFIGDATA_NAME": name, "PYTHONPATH": path}
