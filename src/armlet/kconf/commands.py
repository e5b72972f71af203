"""The commands of the source tree, reached as `python -m armlet.kconf NAME` and through a program that adds them.

It imports no kconfiglib, so that a program without it can still say what it lacks.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .errors import KconfError

if TYPE_CHECKING:
    from .workspace import Workspace

# Each command, and the module with the function add_COMMAND that adds it to an argparse subparsers object.
COMMANDS = {
    "configure": "configure",
    "menuconfig": "menuconfig",
    "defconfig": "rewrite",
    "olddefconfig": "rewrite",
    "savedefconfig": "rewrite",
    "alldefconfig": "rewrite",
    "allnoconfig": "rewrite",
    "allyesconfig": "rewrite",
    "randconfig": "rewrite",
    "set": "rewrite",
    "listnewconfig": "listing",
    "list": "listing",
    "probes": "listing",
    "why": "why",
    "diff": "diff",
    "wheel": "wheel.command",
    "targets": "wheel.command",
}


def add_commands(commands: Any, word: str | None = None) -> None:
    """Add the command WORD; every command if there is none of that name. Their modules need kconfiglib."""
    for name in [word] if word in COMMANDS else COMMANDS:
        try:
            module = importlib.import_module("." + COMMANDS[name], __package__)
        except ModuleNotFoundError as missing:
            if missing.name == f"{__package__}.{COMMANDS[name].partition('.')[0]}":
                raise KconfError(
                    "the framework is not in this build of the package: set FRAMEWORK=y and build it anew, or run the "
                    "command with another armlet"
                ) from None
            if missing.name != "kconfiglib":
                raise
            install = f"{sys.executable} -m pip install 'armlet[kconf]'"
            raise KconfError(f"kconfiglib is not installed for {sys.executable}: {install}") from None
        getattr(module, f"add_{name}")(commands)


def run(parse: Callable[[], argparse.Namespace]) -> int:
    """Run the command that PARSE finds on the command line; 0 if it succeeded, 1 if the answer is no."""
    try:
        try:
            return _run(parse)
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # the reader of a pipe, `head` say, has seen enough
            print(f"armlet: {error}", file=sys.stderr)
        # What could not be written is still in the buffer, and Python would complain of it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def _run(parse: Callable[[], argparse.Namespace]) -> int:
    try:
        arguments = parse()
        return int(arguments.run(arguments))
    except KconfError as error:
        print(error, file=sys.stderr)
        return 1
    except RecursionError:
        print("the Kconfig nests too deeply, or defines symbols in too long a chain", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130  # as a shell says it


def add_workspace_options(parser: argparse.ArgumentParser) -> None:
    """Add the options by which a command is told its build folder."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--target", metavar="NAME", help="targets/NAME.ini, a Meson cross file; this machine by default")
    which.add_argument("-C", dest="build_dir", metavar="BUILDDIR", help="a build folder; set up first if there is none")


def workspace_of(arguments: argparse.Namespace) -> "Workspace":
    """Return the workspace that the options name."""
    from .workspace import find_workspace

    return find_workspace(arguments.build_dir, arguments.target)
