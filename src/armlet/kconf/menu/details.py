"""All that there is to say about a row of the menu: the text of its help."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import kconfiglib

from ..explain import Explainer
from ..tree import Expr, Symbol, location
from .model import BOOLS, Node, Row
from .origin import origin
from .problems import limits

TYPES = {kconfiglib.INT: "a whole number", kconfiglib.HEX: "a hexadecimal number", kconfiglib.STRING: "a text"}


class Section(NamedTuple):
    """A title, "" for the first one, and lines indented by two spaces a level."""

    title: str
    lines: list[str]
    is_prose: bool = False


def details(row: Row, explainer: Explainer) -> list[Section]:
    """Return the help of a row."""
    sections = [
        Section("", _heading(row)),
        Section("Cannot be changed", row.reasons),
        _help(row),
    ]
    if row.symbol:
        sections += _of_symbol(row.symbol, row.node, explainer)
    elif row.node.item is not kconfiglib.COMMENT:
        sections.append(Section("Depends on", list(dependencies(row.node.dep, explainer))))
    return [section for section in sections if section.lines]


def summary(row: Row, explainer: Explainer) -> list[Section]:
    """Return the most of it for a few lines: why a row cannot be changed, or its help."""
    if row.symbol:
        about = f"{row.name} is {row.symbol.str_value or 'empty'}: {origin(row.symbol, explainer)}"
    else:
        about = _heading(row)[1]
    if row.reasons:
        return [Section("", [about]), Section("Cannot be changed", row.reasons)]
    return [section for section in (Section("", [about]), _help(row)) if section.lines]


def _help(row: Row) -> Section:
    """Join the lines of each paragraph, to be wrapped anew; indented lines stay by themselves."""
    paragraphs: list[str] = []
    nodes = (row.node, row.node.parent) if row.is_radio else (row.node,)  # for one of a choice that of the choice
    texts = (getattr(node, "help", None) or "" for node in nodes)  # menus and comments have none
    for line in next(filter(None, texts), "").splitlines():
        if line and line[0].isalnum() and paragraphs and paragraphs[-1][:1].isalnum():
            paragraphs[-1] += " " + line
        else:
            paragraphs.append(line)
    return Section("Help", paragraphs, is_prose=True)


def _heading(row: Row) -> list[str]:
    where = f"{row.node.filename}:{row.node.linenr}"
    if row.symbol is None:
        kind = "a choice" if row.is_choice else "a menu"
        return [row.text, f"{kind}, {where}"]
    kind = TYPES.get(row.symbol.type, "y or n")
    return [row.text, f"{row.symbol.name}, {kind}, {where}"]


def _of_symbol(symbol: Symbol, node: Node, explainer: Explainer) -> list[Section]:
    bounds = limits(symbol)
    defaults = [] if symbol.name in explainer.tree.backend_of else node.orig_defaults  # of a backend: see its value
    return [
        Section("Value", [f"{symbol.str_value or '(empty)'}: {origin(symbol, explainer)}"]),
        Section("Range", [f"from {bounds[0]} to {bounds[1]}"] if bounds else []),
        Section("Depends on", list(dependencies(symbol.direct_dep, explainer))),
        Section("Default", [_with_condition(value, condition) for value, condition, *_ in defaults]),
        Section("Selects", [_with_condition(s, condition) for s, condition, *_ in node.orig_selects]),
        Section("Implies", [_with_condition(s, condition) for s, condition, *_ in node.orig_implies]),
        Section("Selected by", _selectors(symbol.rev_dep, explainer)),
        Section("Implied by", _selectors(symbol.weak_rev_dep, explainer)),
        Section("Probe", _probe(symbol, explainer)),
    ]


def _selectors(expr: Expr, explainer: Explainer) -> list[str]:
    known = set(explainer.tree.symbols)  # what these depend on is not asked here
    operands = kconfiglib.split_expr(expr, kconfiglib.OR)
    return [line for operand in operands for line in dependencies(operand, explainer, seen=known)]


def dependencies(condition: Expr, explainer: Explainer, depth: int = 0, seen: set[str] | None = None) -> Iterator[str]:
    """Yield the operands of a condition, one a line, each with its present value and what it depends on itself."""
    seen = set() if seen is None else seen
    for term in kconfiglib.split_expr(condition, kconfiglib.AND):
        if term.__class__ is kconfiglib.Symbol and term.nodes:
            yield from _dependency(term, explainer, depth, seen)
        elif not getattr(term, "is_constant", False) and term.__class__ is not kconfiglib.Choice:
            yield f"{'  ' * depth}{_yn(term)}  {kconfiglib.expr_str(term)}"
            for item in sorted(kconfiglib.expr_items(term), key=lambda item: str(item.name)):
                if item.__class__ is kconfiglib.Symbol and item.nodes:
                    yield from _dependency(item, explainer, depth + 1, seen)


def _dependency(symbol: Symbol, explainer: Explainer, depth: int, seen: set[str]) -> Iterator[str]:
    is_bool = symbol.type in BOOLS
    value = symbol.str_value if is_bool else f"{symbol.str_value} "
    is_outside = symbol.name in explainer.tree.probes and not symbol.tri_value
    why = explainer.brief(symbol) if is_outside else f"{symbol.name} ({location(symbol)}): {origin(symbol, explainer)}"
    yield f"{'  ' * depth}{value}  {why}"
    if symbol.name in seen:
        return
    seen.add(symbol.name)
    yield from dependencies(symbol.direct_dep, explainer, depth + 1, seen)


def _probe(symbol: Symbol, explainer: Explainer) -> list[str]:
    """The command of a probe that failed, and the first error line of its answer."""
    probe = explainer.tree.probes.get(symbol.name)
    if not probe:
        return []
    command = [f"$ {' '.join(probe.argv)}"] if probe.argv else []
    words = [probe.words] if probe.words else []
    return [f"{probe.answer}: {probe.reason or f'the toolchain takes {probe.file}'}", *command, *words]


def _yn(condition: Expr) -> str:
    return "y" if kconfiglib.expr_value(condition) else "n"


def _with_condition(value: Any, condition: Expr) -> str:
    text = str(kconfiglib.expr_str(value))
    if getattr(condition, "is_constant", False):
        return text
    return f"{text} if {kconfiglib.expr_str(condition)} ({'holds' if kconfiglib.expr_value(condition) else 'does not'})"
