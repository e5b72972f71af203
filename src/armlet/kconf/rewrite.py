"""The commands that write a configuration: named, old, smallest, everything, nothing, at random, or a few symbols."""

import argparse
import random
import sys
from collections.abc import Callable
from typing import Any

from .commands import add_workspace_options, workspace_of
from .errors import Errors
from .files import replace_file
from .fill import all_no, all_yes, at_random
from .intent import Layer, find_config, parse_set
from .resolve import Resolution, UnmetError, complaint
from .save import minimal, save, text
from .tree import Tree
from .upgrade import heading
from .workspace import Workspace, read_files, shown

Run = Callable[[Workspace, argparse.Namespace], int]

COMMAND_LINE = "the command line"
SAVES = (
    "Writes the file that the build reads, .config unless the build folder has one of your own, with what differs from "
    "the defaults alone; keeps its former text in a file .old beside it; has the next compile build it."
)


def add_defconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = _add(commands, "defconfig", "take a configuration of the source tree, or a file", _defconfig)
    parser.add_argument("name", metavar="NAME", help="configs/NAME.config, or a path")


def _defconfig(workspace: Workspace, arguments: argparse.Namespace) -> int:
    writer = f"defconfig {arguments.name}"
    path = find_config(workspace.source_dir, arguments.name, writer)
    layers = read_files([path], workspace.source_dir)
    return _save(workspace, Resolution(workspace.tree(), layers).tree, writer)


def add_olddefconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    _add(commands, "olddefconfig", "bring the configuration up to date: what is new gets its default", _olddefconfig)


def _olddefconfig(workspace: Workspace, _: argparse.Namespace) -> int:
    return _save(workspace, _resolve_what_can_be(workspace.tree(), workspace.layers()), "olddefconfig")


def add_savedefconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "savedefconfig",
        help="write the smallest configuration that gives the same build",
        description="Writes what the build folder was asked for as the smallest configuration that gives the same "
        "values: what differs from the defaults. The build folder stays as it is.",
    )
    _runs(parser, _savedefconfig)
    parser.add_argument("file", nargs="?", default="defconfig", metavar="FILE", help="%(default)s by default; - prints")


def _savedefconfig(workspace: Workspace, arguments: argparse.Namespace) -> int:
    tree = workspace.resolution().tree
    layer = minimal(tree)
    content = text(tree, layer, heading(workspace.project, workspace.version, "savedefconfig"))
    if arguments.file == "-":
        print(content, end="")
    else:
        replace_file(arguments.file, content)
        _tell(arguments.file, layer)
    return 0


def add_alldefconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    _add(commands, "alldefconfig", "set every symbol to its default", _alldefconfig)


def _alldefconfig(workspace: Workspace, _: argparse.Namespace) -> int:
    return _save(workspace, workspace.tree(), "alldefconfig")


def add_allnoconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    _add(commands, "allnoconfig", "set every symbol to n that can be", _allnoconfig)


def _allnoconfig(workspace: Workspace, _: argparse.Namespace) -> int:
    tree = workspace.tree()
    all_no(tree)
    return _save(workspace, tree, "allnoconfig")


def add_allyesconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    _add(commands, "allyesconfig", "set every symbol to y that can be, promises of the baseline too", _allyesconfig)


def _allyesconfig(workspace: Workspace, _: argparse.Namespace) -> int:
    tree = workspace.tree()
    all_yes(tree)
    return _save(workspace, tree, "allyesconfig")


def add_randconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = _add(commands, "randconfig", "set every symbol to anything that it can be", _randconfig)
    parser.add_argument("--seed", type=int, metavar="N", help="the same N gives the same configuration")


def _randconfig(workspace: Workspace, arguments: argparse.Namespace) -> int:
    tree = workspace.tree()
    seed = random.SystemRandom().randrange(1 << 32) if arguments.seed is None else arguments.seed
    print(f"randconfig --seed {seed}")
    at_random(tree, seed)
    return _save(workspace, tree, f"randconfig --seed {seed}")


def add_set(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = _add(commands, "set", "set single symbols", _set)
    parser.add_argument("assignments", nargs="+", metavar="SYMBOL=VALUE", help="with or without the prefix CONFIG_")


def _set(workspace: Workspace, arguments: argparse.Namespace) -> int:
    layers = [*workspace.layers(), parse_set(arguments.assignments, COMMAND_LINE)]
    return _save(workspace, _resolve_what_can_be(workspace.tree(), layers, required=COMMAND_LINE), "set")


def _add(commands: Any, name: str, purpose: str, run: Run) -> argparse.ArgumentParser:
    description = f"{purpose[0].upper()}{purpose[1:]}. {SAVES}"
    parser: argparse.ArgumentParser = commands.add_parser(name, help=purpose, description=description)
    _runs(parser, run)
    return parser


def _runs(parser: argparse.ArgumentParser, run: Run) -> None:
    """Have a parser's command run with the workspace, one command at a time: each sees what the one before wrote."""

    def locked(arguments: argparse.Namespace) -> int:
        workspace = workspace_of(arguments)
        with workspace.locked():
            return run(Workspace(workspace.build_dir), arguments)

    add_workspace_options(parser)
    parser.set_defaults(run=locked)


def _resolve_what_can_be(tree: Tree, layers: list[Layer], required: str | None = None) -> Tree:
    """Apply layers of which earlier wishes may be lost, each with a word; those of origin REQUIRED must come true."""
    errors = Errors(keep_going=True)
    resolution = Resolution(tree, layers, errors)
    lost = [e for e in errors.found if isinstance(e, UnmetError) and e.wish.origin != required]
    errors.found = [error for error in errors.found if error not in lost]
    errors.finish()
    for error in lost:
        print(f"Dropped: {complaint(resolution.explainer, error.wish, with_advice=False)}", file=sys.stderr)
    if lost:
        print("The file as it was stays beside it, in .old: another target may have what was dropped.", file=sys.stderr)
    return tree


def _save(workspace: Workspace, tree: Tree, writer: str) -> int:
    layer = minimal(tree)
    Resolution(workspace.tree(), [layer])  # every rule is kept, or nothing is written
    path = save(workspace, tree, writer)
    _tell(shown(path, workspace.source_dir), layer)
    return 0


def _tell(file: str, layer: Layer) -> None:
    count = f"{len(layer)} symbol{'' if len(layer) == 1 else 's'}"
    print(f"{file}: {count} with other values than the defaults" if layer else f"{file}: every symbol has its default")
