"""Why a symbol has the value it has: down to the probe, the assembler's words and Kconfig:line."""

from collections.abc import Iterator
from typing import Any

import kconfiglib

from .baseline import why_left_out
from .intent import Assignment
from .target import ARCHITECTURES, architecture_of
from .tree import Expr, Symbol, Tree, location

Reasons = Iterator[str]  # lines, indented by two spaces a level
_RELATIONS = (
    kconfiglib.EQUAL,
    kconfiglib.UNEQUAL,
    kconfiglib.LESS,
    kconfiglib.LESS_EQUAL,
    kconfiglib.GREATER,
    kconfiglib.GREATER_EQUAL,
)


class Explainer:
    """Explains the symbols of a tree to which the assignments WISHES, by symbol, were applied."""

    def __init__(self, tree: Tree, wishes: dict[str, Assignment]) -> None:
        self.tree = tree
        self.wishes = wishes

    def brief(self, symbol: Symbol) -> str:
        """Return the deepest reason why a bool symbol is n, in one line."""
        return deepest(list(self.why_off(symbol)))

    def why_not(self, symbol: Symbol, value: str) -> Reasons:
        """Yield the reasons why a symbol cannot have VALUE."""
        if value == "y" and symbol.orig_type == kconfiglib.BOOL:
            yield from self.why_off(symbol)
        elif value == "n" and symbol.orig_type == kconfiglib.BOOL:
            yield from self.why_on(symbol)
        elif not kconfiglib.expr_value(symbol.direct_dep):
            yield from self._unmet(symbol.direct_dep, symbol, 0, set())
        else:
            yield from self._out_of_range(symbol)

    def why_off(self, symbol: Symbol, depth: int = 0, seen: set[str] | None = None) -> Reasons:
        """Yield the reasons why a bool symbol is n."""
        seen = set() if seen is None else seen
        if symbol.name in seen:
            return
        seen.add(symbol.name)
        indent = "  " * depth
        if leaf := self._outside_reason(symbol):
            yield indent + leaf
        elif not kconfiglib.expr_value(symbol.direct_dep):
            yield from self._unmet(symbol.direct_dep, symbol, depth, seen)
        elif symbol.choice and symbol.choice.selection is not symbol:
            chosen = symbol.choice.selection
            by = self._wish(chosen) or "by default"
            yield f"{indent}{symbol.name} ({location(symbol)}) and {chosen.name} exclude each other, which is on {by}"
        elif wish := self._wish(symbol):
            yield f"{indent}{symbol.name} is n {wish}"
        elif left_out := why_left_out(self.tree, symbol.name):
            yield f"{indent}{left_out}"
        else:
            yield f"{indent}{symbol.name} ({location(symbol)}) is n by default"

    def why_on(self, symbol: Symbol) -> Reasons:
        """Yield the reasons why a bool symbol is y."""
        selectors = [s for s in _operands(symbol.rev_dep, kconfiglib.OR) if kconfiglib.expr_value(s)]
        if selectors:
            names = ", ".join(kconfiglib.expr_str(selector) for selector in selectors)
            yield f"{symbol.name} ({location(symbol)}) is selected by {names}"
        elif symbol.choice and symbol.choice.selection is symbol:
            yield f"{symbol.name} ({location(symbol)}) is the chosen one of its choice: set another one to y instead"
        elif not symbol.visibility:
            yield f"{symbol.name} ({location(symbol)}) is y by default, and its prompt is hidden by what it depends on"
        else:
            yield f"{symbol.name} ({location(symbol)}) is y {self._wish(symbol) or 'by default'}"

    def why_false(self, condition: Expr) -> Reasons:
        """Yield the reasons why a condition, that of a prompt say, does not hold."""
        for term in _operands(condition, kconfiglib.AND):
            if kconfiglib.expr_value(term):
                continue
            if term.__class__ is kconfiglib.Symbol and term.nodes:
                yield from self.why_off(term)
            else:
                yield f"{kconfiglib.expr_str(term)} does not hold"
                yield from self._inside(term, 1, set())

    def _outside_reason(self, symbol: Symbol) -> str | None:
        """Why the target or its tools decide a symbol, or None where they do not."""
        where = f"{symbol.name} ({location(symbol)})"
        if symbol.name in self.tree.facts:
            return f"{where} is n: the target is {_describe(self.tree)}"
        probe = self.tree.probes.get(symbol.name)
        if not probe:
            return None
        if probe.answer == "n/a":
            return f"{where} is for {ARCHITECTURES[architecture_of(symbol.name)]}; the target is {_describe(self.tree)}"
        return f"{where} is n: {probe.reason}" if probe.reason else None

    def _unmet(self, expr: Expr, of: Symbol, depth: int, seen: set[str]) -> Reasons:
        """Yield one line for each operand of a false expression that makes it false, and the reasons below it."""
        indent = "  " * depth
        for term in _operands(expr, kconfiglib.AND):
            if kconfiglib.expr_value(term):
                continue
            if term.__class__ is kconfiglib.Symbol and term.nodes:
                yield f"{indent}{of.name} ({location(of)}) depends on {term.name}, which is n"
                yield from self.why_off(term, depth + 1, seen)
            else:
                yield f"{indent}{of.name} ({location(of)}) depends on {kconfiglib.expr_str(term)}, which does not hold"
                yield from self._inside(term, depth + 1, seen)

    def _inside(self, term: Expr, depth: int, seen: set[str]) -> Reasons:
        indent = "  " * depth
        for symbol in sorted(kconfiglib.expr_items(term), key=lambda item: str(item.name)):
            if symbol.__class__ is not kconfiglib.Symbol:
                continue
            if not symbol.nodes:
                if not symbol.is_constant and not _is_number(symbol.name):
                    yield f"{indent}{symbol.name} is not defined in any Kconfig file"
            elif symbol.orig_type != kconfiglib.BOOL or _in_relation(term, symbol):
                yield f"{indent}{symbol.name} ({location(symbol)}) is {symbol.str_value} {self._wish(symbol)}".rstrip()
            elif symbol.tri_value:
                yield from (indent + line for line in self.why_on(symbol))
            else:
                yield from self.why_off(symbol, depth, seen)

    def _out_of_range(self, symbol: Symbol) -> Reasons:
        for low, high, condition, *_ in symbol.ranges:
            if kconfiglib.expr_value(condition):
                yield f"{symbol.name} ({location(symbol)}) ranges from {low.str_value} to {high.str_value}"
                return
        yield f"{symbol.name} ({location(symbol)}) is {symbol.str_value}: its prompt is hidden by what it depends on"

    def _wish(self, symbol: Symbol) -> str:
        wish = self.wishes.get(symbol.name)
        return f"(set in {wish.origin})" if wish else ""


def deepest(lines: list[str]) -> str:
    """Return the line of an explanation that says what is at the bottom of it."""
    return max(lines, key=_depth).strip() if lines else ""


def _describe(tree: Tree) -> str:
    target = tree.target
    return f"{target.cpu_family} ({target.word_bits}-bit, {target.endian}-endian)"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _operands(expr: Expr, operator: int) -> list[Any]:
    operands: list[Any] = kconfiglib.split_expr(expr, operator)
    return operands


def _in_relation(expr: Expr, symbol: Symbol) -> bool:
    if expr.__class__ is not tuple:
        return False
    if expr[0] in _RELATIONS:
        return symbol in expr[1:]
    return any(_in_relation(operand, symbol) for operand in expr[1:])


def _is_number(text: str) -> bool:
    try:
        int(text, 0)
    except ValueError:
        return False
    return True
