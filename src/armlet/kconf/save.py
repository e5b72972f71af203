"""The user's intent alone, as a file: what differs from the defaults, and nothing else."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import kconfiglib

from .errors import Errors, KconfError
from .files import replace_file
from .intent import NO_FILE, Assignment, Layer, config_path, parse_set
from .tree import Symbol, Tree, assign
from .upgrade import heading, renamed
from .workspace import Workspace

ORIGIN = "the configuration to save"


def minimal(tree: Tree) -> Layer:
    """Return the smallest set of assignments that gives every symbol of the tree its present value.

    It is the only one: a symbol whose value is not what it would be without the user, all others as they are, must be
    in it, and no other one need be. The tree is as before afterwards.
    """
    values = _values(tree)
    with kept(tree):
        needed = {**_needed_symbols(tree), **_needed_selections(tree)}
        layer = [Assignment(name, needed[name], ORIGIN) for name in tree.symbols if name in needed]
        tree.kconfig.unset_values()
        for assignment in layer:
            assign(tree.symbols[assignment.symbol], assignment.value)
        lost = [name for name, value in _values(tree).items() if value != values[name]]
    if lost:
        raise KconfError(f"{', '.join(lost)}: the smallest configuration would not give the same value: report this")
    return layer


@contextmanager
def kept(tree: Tree) -> Iterator[None]:
    """Give the tree back what the user set in it, whatever is set inside."""
    symbols = [(symbol, symbol.user_value) for symbol in tree.symbols.values() if symbol.user_value is not None]
    choices = [(choice, choice.user_value, choice.user_selection) for choice in tree.kconfig.unique_choices]
    try:
        yield
    finally:
        tree.kconfig.unset_values()
        for symbol, value in symbols:
            symbol.set_value(value)
        for choice, mode, selection in choices:
            choice.unset_value()
            if mode is not None:
                choice.set_value(mode)
            if selection is not None:
                selection.set_value(kconfiglib.STR_TO_TRI["y"])


def _values(tree: Tree) -> dict[str, str]:
    return {name: symbol.str_value for name, symbol in tree.symbols.items()}


def _needed_symbols(tree: Tree) -> dict[str, str]:
    """Unset what need not be set, outside of choices; return the rest."""
    needed = {}
    for name, symbol in tree.symbols.items():
        if symbol.user_value is None or symbol.choice:
            continue
        wish, value = symbol.user_value, symbol.str_value
        symbol.unset_value()
        if symbol.str_value != value:
            symbol.set_value(wish)
            needed[name] = value
    return needed


def _needed_selections(tree: Tree) -> dict[str, str]:
    """Unset the choices that need not be set; return the members that are chosen in the rest."""
    needed = {}
    for choice in tree.kconfig.unique_choices:
        chosen = choice.selection
        choice.unset_value()
        if choice.selection is not chosen:
            assign(chosen, "y")
            needed[chosen.name] = "y"
    return needed


def text(tree: Tree, layer: Layer, first: str) -> str:
    """Return a configuration file: its first line, and the assignments below the prompts of the blocks they are in."""
    blocks: dict[str, list[str]] = {}
    for assignment in layer:
        symbol = tree.symbols[assignment.symbol]
        blocks.setdefault(_block(symbol), []).append(_line(symbol, assignment.value))
    return "\n".join([f"{first}\n", *(f"# {prompt}\n{''.join(lines)}" for prompt, lines in blocks.items())])


def _block(symbol: Symbol) -> str:
    """Return the prompt of the algorithm, the menu or the choice that a symbol stands in, or is."""
    node: Any = next((node for node in symbol.nodes if node.prompt), symbol.nodes[0])
    while not (node.is_menuconfig and node.prompt):
        node = node.parent
    return str(node.prompt[0])


def _line(symbol: Symbol, value: str) -> str:
    if symbol.orig_type == kconfiglib.STRING:
        return f'CONFIG_{symbol.name}="{kconfiglib.escape(value)}"\n'
    if symbol.orig_type == kconfiglib.BOOL and value == "n":
        return f"# CONFIG_{symbol.name} is not set\n"
    return f"CONFIG_{symbol.name}={value}\n"


def save(workspace: Workspace, tree: Tree, writer: str) -> str:
    """Write what is set in the tree to the file that the build reads, and have the next compile build it.

    A build that reads several files, or one of those that come with the source tree, reads .config from now on. Entries
    of `set` that say something else than the tree are dropped. Returns the path of the file.
    """
    path = destination(workspace)
    first = heading(workspace.project, workspace.version, writer)
    replace_file(path, text(tree, minimal(tree), first), keep_old=True)
    configs = workspace.configs
    if configs and [config_path(workspace.source_dir, name) for name in configs] != [path]:
        configs = [os.path.relpath(path, workspace.source_dir)]
    entries = [entry for entry in workspace.set if _agrees(tree, entry)]
    workspace.reconfigure(f"-Dconfig={configs}", f"-Dset={entries}")
    return path


def destination(workspace: Workspace) -> str:
    """Return the path of the file that a changed configuration of this build folder is saved to."""
    if len(workspace.configs) == 1 and workspace.configs != [NO_FILE]:
        path = config_path(workspace.source_dir, workspace.configs[0])
        if os.path.realpath(os.path.dirname(path)) != os.path.realpath(os.path.join(workspace.source_dir, "configs")):
            return path
    return os.path.join(workspace.source_dir, ".config")


def _agrees(tree: Tree, entry: str) -> bool:
    layer = renamed(parse_set([entry]), tree.formers, Errors(keep_going=True))
    return any(a.symbol in tree.symbols and tree.symbols[a.symbol].str_value == a.value for a in layer)
