"""`menuconfig`: choose in a terminal what is built, and see why the rest cannot be had."""

import argparse
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .commands import add_workspace_options, workspace_of
from .errors import KconfError


def add_menuconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "menuconfig",
        help="choose in a menu what is built",
        description="Opens a menu of all that can be configured, as the kernel's; what cannot be chosen is shown with "
        "the reason. Saves what differs from the defaults, and reconfigures the build folder.",
    )
    add_workspace_options(parser)
    parser.set_defaults(run=menuconfig)


def menuconfig(arguments: argparse.Namespace) -> int:
    """Show the menu until the user leaves it."""
    if importlib.util.find_spec("textual") is None:
        install = f"{sys.executable} -m pip install 'armlet[menu]'"
        raise KconfError(f"menuconfig needs textual, which is not installed for {sys.executable}: {install}")
    with _terminal():
        workspace = workspace_of(arguments)
        from .menu.app import MenuApp

        menu = MenuApp(workspace)
        said = menu.run()
    if said:
        print(said)
    return 128 + menu.ended_by if menu.ended_by else 0  # as a shell says it


@contextmanager
def _terminal() -> Iterator[None]:
    """Have the terminal on the standard streams, even where a build runs us with other ones."""
    nothing = "menuconfig needs a terminal, and there is none; `set SYMBOL=VALUE` changes a configuration without one"
    if os.environ.get("TERM") in ("dumb", "unknown"):
        raise KconfError(f"menuconfig cannot draw on this terminal (TERM={os.environ['TERM']}): it moves no cursor")
    if None in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        raise KconfError(nothing)
    others = [stream for stream in (0, 1, 2) if not os.isatty(stream)]
    if not others:
        yield
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise KconfError(nothing) from None
    saved = {stream: os.dup(stream) for stream in others}
    for stream in others:
        os.dup2(terminal, stream)
    try:
        yield
    finally:
        sys.stdout.flush()
        for stream, copy in saved.items():
            os.dup2(copy, stream)
            os.close(copy)
        os.close(terminal)
