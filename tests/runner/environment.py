"""The Python packages that building and testing take, in folders of the runner's own."""

import hashlib
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from runner.commands import run
from runner.console import say

# What tests import: of pyproject.toml's `test`, these are what an emulated Python needs.
IMPORTED_BY_TESTS = ("pytest", "hypothesis", "cryptography-vectors", "pyelftools")

PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--retries", "5")


def requirements(project: Path) -> list[str]:
    """Read from pyproject.toml what building and testing the project takes."""
    settings = tomllib.loads((project / "pyproject.toml").read_text())
    return sorted({*settings["build-system"]["requires"], *_extra(settings["project"], "test")})


def _extra(settings: dict[str, object], name: str) -> Iterator[str]:
    """List the requirements of an extra, and of those it includes by the project's own name: `armlet[kconf]`."""
    extras = settings["optional-dependencies"]
    assert isinstance(extras, dict)
    for requirement in extras[name]:
        if own := re.fullmatch(rf"{settings['name']}\[(.*)\]", requirement):
            for included in own[1].split(","):
                yield from _extra(settings, included.strip())
        else:
            yield requirement


def make(project: Path, folder: Path, log: Path) -> Path:
    """Make a virtual environment with all that `requirements` names, and return its interpreter."""
    python = folder / "bin/python"
    needed = requirements(project)
    if not _is_current(folder, needed):
        say(f"environment: installing {len(needed)} requirements of pyproject.toml")
        run([sys.executable, "-m", "venv", "--clear", folder], log)
        run([python, *PIP, *needed], log)
        _mark_current(folder, needed)
    return python


def make_pure(python: Path, version: str, needed: list[str], folder: Path, log: Path) -> Path:
    """Make a folder of packages in pure Python, for Pythons of that version and any architecture."""
    imported = [requirement for requirement in needed if _name(requirement) in IMPORTED_BY_TESTS]
    if not _is_current(folder, imported):
        shutil.rmtree(folder, ignore_errors=True)
        anywhere = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
        run([python, *PIP, *anywhere, f"--python-version={version}", "--target", folder, *imported], log)
        _mark_current(folder, imported)
    return folder


def _name(requirement: str) -> str:
    """Return the normalized name of what is required: `cryptography-vectors`."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def _stamp(needed: list[str]) -> str:
    """Condense what the content of a folder depends on."""
    return hashlib.sha256(json.dumps([sys.version, sys.executable, needed]).encode()).hexdigest()


def _is_current(folder: Path, needed: list[str]) -> bool:
    mark = folder / ".requirements"
    return mark.is_file() and mark.read_text() == _stamp(needed)


def _mark_current(folder: Path, needed: list[str]) -> None:
    """Written last, so that a half-made folder is made anew."""
    (folder / ".requirements").write_text(_stamp(needed))
