"""`diff A B`: what differs between two configurations, as the kernel's diffconfig prints it."""

import argparse
import json
import os
from typing import Any

from .commands import add_workspace_options, workspace_of
from .intent import find_config, read_config
from .resolve import Resolution
from .workspace import read_files

Values = dict[str, str]


def add_diff(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "diff",
        help="what differs between two configurations",
        description="Prints -SYMBOL VALUE for what A alone sets, SYMBOL OLD -> NEW for what they set differently, and "
        "+SYMBOL VALUE for what B alone sets. With --resolved, compares the values of all symbols.",
    )
    parser.add_argument("a", nargs="?", default=".config.old", metavar="A", help="%(default)s by default")
    parser.add_argument("b", nargs="?", default=".config", metavar="B", help="configs/B.config, or a path")
    parser.add_argument("--resolved", action="store_true", help="compare what they come to in a build folder")
    parser.add_argument("--json", action="store_true", help="the same for programs")
    add_workspace_options(parser)
    parser.set_defaults(run=_diff)


def _diff(arguments: argparse.Namespace) -> int:
    values = _resolved if arguments.resolved else _written
    a, b = values(arguments, arguments.a), values(arguments, arguments.b)
    removed = {name: a[name] for name in sorted(a.keys() - b.keys())}
    changed = {name: [a[name], b[name]] for name in sorted(a.keys() & b.keys()) if a[name] != b[name]}
    added = {name: b[name] for name in sorted(b.keys() - a.keys())}
    if arguments.json:
        print(json.dumps({"removed": removed, "changed": changed, "added": added}, indent=2))
        return 0
    lines = [f"-{name} {value}" for name, value in removed.items()]
    lines += [f" {name} {old} -> {new}" for name, (old, new) in changed.items()]
    lines += [f"+{name} {value}" for name, value in added.items()]
    print("".join(line + "\n" for line in lines), end="")
    return 0


def _written(_: argparse.Namespace, name: str) -> Values:
    """Return what a file sets."""
    return {assignment.symbol: assignment.value for assignment in read_config(_find(os.getcwd(), name), name)}


def _resolved(arguments: argparse.Namespace, name: str) -> Values:
    """Return the values of all symbols with a file applied."""
    workspace = workspace_of(arguments)
    layers = read_files([_find(workspace.source_dir, name)], workspace.source_dir)
    tree = Resolution(workspace.tree(), layers).tree
    return {name: str(symbol.str_value) for name, symbol in tree.symbols.items()}


def _find(source_dir: str, name: str) -> str:
    return os.path.abspath(name) if os.path.exists(name) else find_config(source_dir, name, "diff")
