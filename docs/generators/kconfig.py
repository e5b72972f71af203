"""Every Kconfig symbol, from the tree that the build itself reads."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kconfiglib

from armlet.kconf.tree import Symbol, Tree, location
from armlet.kconf.upgrade import versions

from .cpus import ARCHITECTURES, runners
from .trees import tree

FIRST_VERSION = "0.1.0"
ALWAYS = ("y",)  # a condition that says nothing


def markdown(source: Path) -> str:
    """Return a section for each menu, and an entry for each symbol in it; then those that nobody sets."""
    kconfig = tree(source, "ARM64")
    entries = [line for node in _below(kconfig.kconfig.top_node) for line in _entry(source, kconfig, node)]
    return "\n\n".join([*entries, "## Not to be set", *_hidden(kconfig)])


def _below(node: Any) -> Iterator[Any]:
    """Every entry, in the order of the files."""
    child = node.list
    while child:
        yield child
        yield from _below(child)
        child = child.next


def _entry(source: Path, kconfig: Tree, node: Any) -> Iterator[str]:
    if node.item == kconfiglib.MENU:
        yield f"## {node.prompt[0]}"
    elif isinstance(node.item, kconfiglib.Choice):
        yield f"## {node.prompt[0]}"
        yield "One of these is chosen."
        yield from _facts(kconfig, node)
    elif node.prompt:
        if node.parent is kconfig.kconfig.top_node:
            yield f"## {node.prompt[0]}"
        yield f"### `{node.item.name}`"
        yield from _symbol(source, kconfig, node)


def _symbol(source: Path, kconfig: Tree, node: Any) -> Iterator[str]:
    symbol = node.item
    what = [f"**{node.prompt[0]}**", kconfiglib.TYPE_TO_STR[symbol.orig_type]]
    if symbol.name in kconfig.backend_of:
        algorithm, backend = kconfig.backend_of[symbol.name]
        what.append(f'backend `"{backend.name}"` of `"{algorithm.name}"`')
    yield ", ".join([*what, f"since {versions(kconfig).get(symbol.name, FIRST_VERSION)}, {location(symbol)}"])
    yield from _facts(kconfig, node)
    if symbol.name in kconfig.backend_of:
        yield "\n".join(_cpus(source, symbol.name))


def _cpus(source: Path, name: str) -> Iterator[str]:
    """Which CPUs can run a backend, and where it may serve."""
    rows = list(runners(source, name))
    for architecture, title in ARCHITECTURES.items():
        here = [(cpu, serves) for cpu, of, serves in rows if of == architecture]
        if here:
            yield f"- {title} it runs on: {', '.join(cpu.name for cpu, _ in here)}."
            serving = [cpu.name for cpu, serves in here if serves]
            yield (
                f"  It serves on: {', '.join(serving)}." if serving else "  A backend before it serves on each of them."
            )


def _facts(kconfig: Tree, node: Any) -> Iterator[str]:
    """Its help, and what it hangs together with."""
    if node.help:
        yield node.help
    if facts := list(_dependencies(kconfig, node)):
        yield "\n".join(f"- {fact}" for fact in facts)


def _dependencies(kconfig: Tree, node: Any) -> Iterator[str]:
    if not getattr(node.item, "choice", None):
        # As they stand in Kconfig: the symbol itself has those that the baseline adapted.
        defaults = [_conditional(value, condition, node) for value, condition in node.defaults]
        yield f"Default: {'; otherwise '.join(defaults) or '`n`'}"
        if node.dep is not kconfig.kconfig.y:
            yield f"Depends on: `{kconfiglib.expr_str(node.dep)}`"
    for words, others in (("Selects", node.selects), ("Implies", node.implies)):
        if others:
            yield f"{words}: {', '.join(_conditional(value, condition, node) for value, condition in others)}"
    for low, high, condition in node.ranges:
        yield f"Range: {low.str_value} to {high.str_value}{_if(condition, node)}"


def _conditional(value: Any, condition: Any, node: Any) -> str:
    return f"`{kconfiglib.expr_str(value)}`{_if(condition, node)}"


def _if(condition: Any, node: Any) -> str:
    """A condition, without the dependencies, which kconfiglib adds to each."""
    inherited = kconfiglib.split_expr(node.dep, kconfiglib.AND)
    terms = kconfiglib.split_expr(condition, kconfiglib.AND)
    own = [term for term in terms if term not in inherited and getattr(term, "name", "") not in ALWAYS]
    return f" if `{' && '.join(map(kconfiglib.expr_str, own))}`" if own else ""


def _hidden(kconfig: Tree) -> Iterator[str]:
    rows = ["| symbol | what it says |", "|---|---|"]
    for symbol in kconfig.symbols.values():
        if not any(node.prompt for node in symbol.nodes):
            rows.append(f"| `{symbol.name}` | {_origin(kconfig, symbol)} ({location(symbol)}) |")
    yield "The target, its tools and other symbols decide them."
    yield "\n".join(rows)


def _origin(kconfig: Tree, symbol: Symbol) -> str:
    if symbol.name in kconfig.facts:
        return "a fact of the target"
    if symbol.name in kconfig.probes:
        return f"whether the tools take [{kconfig.probes[symbol.name].file}](../../{kconfig.probes[symbol.name].file})"
    selectors = kconfiglib.split_expr(symbol.rev_dep, kconfiglib.OR)
    names = [kconfiglib.split_expr(term, kconfiglib.AND)[0].name for term in selectors if term is not kconfig.kconfig.n]
    if names:
        return f"selected by {', '.join(f'`{name}`' for name in names)}"
    return f"`{', '.join(kconfiglib.expr_str(value) for value, _ in symbol.nodes[0].defaults)}`"
