"""The commands that report: every symbol, every probe, and what is new since a configuration was written."""

import argparse
import json
import shlex
import sys
from typing import Any

import kconfiglib

from .commands import add_workspace_options, workspace_of
from .errors import KconfError
from .explain import Explainer
from .resolve import Resolution
from .rules import selectors
from .table import listed
from .target import PROBE_PREFIXES
from .tree import Symbol, conjuncts, location, typed_value
from .upgrade import version_key, versions, written_with
from .workspace import Workspace, shown

ORIGIN_WIDTH = 20  # columns, on a terminal


def add_list(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    _add(commands, "list", "every symbol: its value, where that comes from, its prompt", _list)


def _list(arguments: argparse.Namespace) -> int:
    resolution = workspace_of(arguments).resolution()
    since = versions(resolution.tree)
    rows = {
        name: {
            "value": typed_value(symbol),
            "origin": origin(resolution.explainer, symbol),
            "prompt": prompt(symbol),
            "location": location(symbol),
            "since": since.get(name),
        }
        for name, symbol in resolution.tree.symbols.items()
    }
    if arguments.json:
        print(json.dumps(rows, indent=2))
    else:
        symbols = resolution.tree.symbols
        width = ORIGIN_WIDTH if sys.stdout.isatty() else None  # a program reads all of it, and a person asks `why`
        table = [
            (name, symbols[name].str_value, _clipped(str(row["origin"]), width), str(row["prompt"]))
            for name, row in rows.items()
        ]
        print(*listed(table, sys.stdout), sep="\n")
    return 0


def _clipped(text: str, width: int | None) -> str:
    return text if width is None or len(text) <= width else f"{text[: width - 3]}..."


def origin(explainer: Explainer, symbol: Symbol) -> str:
    """Return where the value of a symbol comes from: "default", ".config:3", "selected by X", ..."""
    if symbol.name in explainer.tree.facts:
        return "target"
    if symbol.name.startswith(PROBE_PREFIXES):
        return "probe"
    if selecting := selectors(symbol):
        return f"selected by {', '.join(selector.name for selector in selecting)}"
    if wish := explainer.wishes.get(symbol.name):
        return wish.origin
    if symbol.choice and symbol.choice.selection and (wish := explainer.wishes.get(symbol.choice.selection.name)):
        return wish.origin
    implying = [term for term in kconfiglib.split_expr(symbol.weak_rev_dep, kconfiglib.OR) if _holds(term)]
    if implying and _holds(symbol.direct_dep):
        return f"implied by {', '.join(conjuncts(term)[0].name for term in implying)}"
    return "default"


def _holds(expr: Any) -> bool:
    return bool(kconfiglib.expr_value(expr))


def prompt(symbol: Symbol) -> str:
    """Return the prompt of a symbol, or "" if it has none."""
    return next((str(node.prompt[0]) for node in symbol.nodes if node.prompt), "")


def add_probes(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    _add(commands, "probes", "every probe: its answer, its command, the assembler's words", _probes)


def _probes(arguments: argparse.Namespace) -> int:
    probes = workspace_of(arguments).probes.values()
    if arguments.json:
        print(json.dumps({probe.symbol: {**probe._asdict(), "reason": probe.reason} for probe in probes}, indent=2))
        return 0
    rows = []
    for probe in probes:
        rows.append((probe.symbol, probe.answer, shlex.join(probe.argv) or probe.reason or ""))
        if probe.words:
            rows.append(("", "", probe.words))
    print(*listed(rows, sys.stdout), sep="\n")
    return 0


def add_listnewconfig(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = _add(commands, "listnewconfig", "the symbols that are newer than the configuration", _listnewconfig)
    parser.add_argument("--since", metavar="VERSION", help="that of the configuration, as its first line says")


def _listnewconfig(arguments: argparse.Namespace) -> int:
    workspace = workspace_of(arguments)
    resolution = workspace.resolution()
    since = arguments.since or _version_of(workspace)
    new = _newer(resolution, since)
    if arguments.json:
        rows = {
            symbol.name: {"value": typed_value(symbol), "since": version, "prompt": prompt(symbol)}
            for symbol, version in new
        }
        print(json.dumps(rows, indent=2))
    else:
        for symbol, _ in new:
            print(symbol.config_string if symbol.str_value != "n" else f"CONFIG_{symbol.name}=n\n", end="")
    return 0


def _version_of(workspace: Workspace) -> str:
    """Return the newest version that wrote one of the files which the build folder reads."""
    paths = workspace.paths()
    found = [version for path in paths if (version := written_with(path, shown(path, workspace.source_dir)))]
    if not found:
        files = (
            " and ".join(shown(path, workspace.source_dir) for path in paths) or "there is no configuration file that"
        )
        raise KconfError(f"{files} does not say which version wrote it: give --since VERSION")
    return max(found, key=version_key)


def _newer(resolution: Resolution, since: str) -> list[tuple[Symbol, str]]:
    """Return the symbols that came with a version after SINCE and wait for a decision, and that version."""
    tree, old = resolution.tree, version_key(since)
    return [
        (tree.symbols[name], version)
        for name, version in versions(tree).items()
        if version_key(version) > old and tree.symbols[name].visibility and name not in resolution.wishes
    ]


def _add(commands: Any, name: str, purpose: str, run: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=purpose, description=f"Lists {purpose}, for a build folder as it was asked for."
    )
    add_workspace_options(parser)
    parser.add_argument("--json", action="store_true", help="the same for programs")
    parser.set_defaults(run=run)
    return parser
