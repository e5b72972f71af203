"""What a Kconfig must be like, beyond its syntax, so that files, C and Python can be made from its names."""

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import kconfiglib

from .errors import KconfError

if TYPE_CHECKING:
    from .tree import Tree

_NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*", re.ASCII)
_FOLDER = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_TYPES = (kconfiglib.BOOL, kconfiglib.INT, kconfiglib.HEX, kconfiglib.STRING)


def check_structure(tree: "Tree", location: Callable[[Any], str]) -> None:
    """Refuse what later steps could not be made from, or would quietly leave out."""
    for name, symbol in tree.symbols.items():
        where = f"{location(symbol)}: {name}"
        if not _NAME.fullmatch(name):
            raise KconfError(f"{where}: names are capital letters, digits and single underscores, as SHORT_NAME_2")
        if symbol.orig_type not in _TYPES:
            kind = kconfiglib.TYPE_TO_STR[symbol.orig_type]
            raise KconfError(f"{where} is {kind}: there are no modules here; use bool, int, hex or string")
        if name in tree.facts or name in tree.probes:
            _check_input(tree, symbol, where)
    for node in tree.kconfig.node_iter():
        if node.is_menuconfig and node.item.__class__ is kconfiglib.Symbol:
            _check_menuconfig(node, location)


def _check_input(tree: "Tree", symbol: Any, where: str) -> None:
    """A fact of the target or the answer of a probe is what it is, and nothing in Kconfig changes it."""
    name = symbol.name
    what = "a fact of the target" if name in tree.facts else "the answer of a probe"
    mend = f"write `config {name}` with `def_bool $({name})` and nothing else"
    if symbol.orig_type != kconfiglib.BOOL or any(node.prompt for node in symbol.nodes):
        raise KconfError(f"{where} is {what}: {mend}")
    no = tree.kconfig.n
    if symbol.rev_dep is not no or symbol.weak_rev_dep is not no:
        by = kconfiglib.expr_str(symbol.rev_dep if symbol.rev_dep is not no else symbol.weak_rev_dep)
        raise KconfError(f"{where} is {what} and cannot be selected, as {by} does: let that depend on it")
    probe = tree.probes.get(name)
    given = probe.answer == "yes" if probe else tree.facts[name]
    if bool(symbol.tri_value) != given:
        raise KconfError(f"{where} is {what}, {'y' if given else 'n'}, but Kconfig makes another of it: {mend}")


def _check_menuconfig(node: Any, location: Callable[[Any], str]) -> None:
    symbol = node.item
    where = f"{node.filename}:{node.linenr}: menuconfig {symbol.name}"
    folder = os.path.dirname(node.filename)
    if not folder:
        if any(name.startswith(symbol.name + "_") for name in _names_below(node)):
            raise KconfError(f"{where} looks like an algorithm: move it to the Kconfig of its family's folder")
        return
    if not _FOLDER.fullmatch(os.path.basename(folder)):
        raise KconfError(f"{where}: its folder {folder} is the family's name in C: small letters, digits, underscores")
    if len(symbol.nodes) != 1:
        raise KconfError(f"{location(symbol)}: {symbol.name} is defined more than once: an algorithm has one entry")
    if symbol.choice or _choices_above(node):
        raise KconfError(f"{where} stands in a choice: an algorithm cannot; give it an entry of its own")


def _choices_above(node: Any) -> bool:
    while node.parent:
        node = node.parent
        if node.item.__class__ is kconfiglib.Choice:
            return True
    return False


def entries_below(node: Any) -> list[Any]:
    """Return all menu nodes below one, in order: an entry that depends on the one above it becomes its child."""
    found = []
    child = node.list
    while child:
        found += [child, *entries_below(child)]
        child = child.next
    return found


def _names_below(node: Any) -> list[str]:
    return [str(n.item.name) for n in entries_below(node) if n.item.__class__ is kconfiglib.Symbol]
