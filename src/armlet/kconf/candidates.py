"""The values of numbers and strings that are worth trying: one at least of each kind that the tree tells apart."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import kconfiglib

from .rules import Rule
from .tree import Expr, Symbol, Tree, has_prompt
from .trial import Requirement

_ORDERINGS = (kconfiglib.LESS, kconfiglib.LESS_EQUAL, kconfiglib.GREATER, kconfiglib.GREATER_EQUAL)
_BASES = {kconfiglib.INT: 10, kconfiglib.HEX: 16}

# Of numbers that are compared with each other, as many must fit between two constants as there are. More than these are
# not tried.
MAX_BETWEEN = 3


class Comparison(NamedTuple):
    """A comparison that an expression of the tree makes."""

    operator: int
    left: Symbol
    right: Symbol


class _Kin:
    """Symbols whose values meet: in comparisons, as defaults or as bounds of ranges; and the constants they meet."""

    def __init__(self, symbol: Symbol) -> None:
        self.symbols = [symbol]
        self.constants: dict[str, None] = {}
        self.comparisons: list[Comparison] = []

    def absorb(self, other: "_Kin") -> None:
        self.symbols += other.symbols
        self.constants.update(other.constants)
        self.comparisons += other.comparisons


class Candidates:
    """The values to try, by symbol. Nothing is worked out before the first question."""

    def __init__(self, tree: Tree, wishes: Mapping[str, str], goal: Requirement) -> None:
        self.tree = tree
        self.wishes = wishes
        self.goal = goal
        self.complete = True  # False once a value that might make a difference was left out
        self._kin: dict[Symbol, _Kin] | None = None
        self._found: dict[Symbol, list[str]] = {}

    def of(self, symbol: Symbol) -> list[str]:
        """Return the values to try of a number or a string."""
        if symbol not in self._found:
            if self._kin is None:
                self._kin = _find_kin(self.tree, self.wishes, self.goal)
            self._found[symbol] = self._values(symbol, self._kin[symbol])
        return self._found[symbol]

    def _values(self, symbol: Symbol, kin: _Kin) -> list[str]:
        between = sum(has_prompt(member) for member in kin.symbols)
        orders = any(comparison.operator in _ORDERINGS for comparison in kin.comparisons)
        if between > MAX_BETWEEN or (symbol.orig_type == kconfiglib.STRING and orders):
            self.complete = False
        values = list(_texts(kin, between) if symbol.orig_type == kconfiglib.STRING else _numbers(symbol, kin, between))
        return values if len(kin.symbols) > 1 else _one_of_each_kind(symbol, values, kin.comparisons)


class _As:
    """A symbol as it would be with another value, as far as kconfiglib compares it."""

    def __init__(self, symbol: Symbol, value: str) -> None:
        self.orig_type = symbol.orig_type
        self.str_value = value
        self.tri_value = 0


def compare(comparison: Comparison, symbol: Symbol, value: str) -> bool:
    """Return what a comparison would give if a number or a string had another value."""
    operator, left, right = comparison
    stand_in = _As(symbol, value)
    expr = (operator, stand_in if left is symbol else left, stand_in if right is symbol else right)
    return bool(kconfiglib.expr_value(expr))


def _number(text: str, base: int) -> int | None:
    try:
        return int(text, base)
    except ValueError:
        return None


def _numbers(symbol: Symbol, kin: _Kin, between: int) -> Iterator[str]:
    """Yield the constants, what is just above each, and what is below all."""
    base = _BASES[symbol.orig_type]
    constants = dict.fromkeys(n for text in kin.constants for b in (base, 0) if (n := _number(text, b)) is not None)
    steps = range(1, min(max(between, 1), MAX_BETWEEN) + 1)
    known = list(constants) or [0]
    above = [number + step for step in steps for number in known]
    below = [min(known) - step for step in steps]
    for number in dict.fromkeys([*known, *above, *below]):
        if base == 10:
            yield str(number)
        elif number >= 0:
            yield hex(number)


def _texts(kin: _Kin, between: int) -> Iterator[str]:
    """Yield the constants, the empty string, and others."""
    yield from kin.constants
    if "" not in kin.constants:
        yield ""
    other = "x"
    for _ in range(min(max(between, 1), MAX_BETWEEN)):
        while other in kin.constants:
            other += "x"
        yield other
        other += "x"


def _one_of_each_kind(symbol: Symbol, values: list[str], comparisons: list[Comparison]) -> list[str]:
    """Leave out the values which no comparison and no range tells from an earlier one."""
    kinds: dict[tuple[bool, ...], str] = {}
    for value in values:
        compared = tuple(compare(comparison, symbol, value) for comparison in comparisons)
        kinds.setdefault((*compared, *_within_ranges(symbol, value)), value)
    return list(kinds.values())


def _within_ranges(symbol: Symbol, value: str) -> Iterator[bool]:
    base = _BASES.get(symbol.orig_type, 0)
    for low, high, *_ in symbol.ranges:
        bounds = [_number(bound.str_value, base) or 0 for bound in (low, high)]
        yield bounds[0] <= int(value, base) <= bounds[1]


def _find_kin(tree: Tree, wishes: Mapping[str, str], goal: Requirement) -> dict[Symbol, _Kin]:
    kin = {symbol: _Kin(symbol) for symbol in tree.symbols.values() if symbol.orig_type != kconfiglib.BOOL}
    if not isinstance(goal, Rule) and goal.symbol in kin:
        kin[goal.symbol].constants[goal.value] = None
        kin[goal.symbol].comparisons.append(Comparison(kconfiglib.EQUAL, goal.symbol, _As(goal.symbol, goal.value)))
    seen: set[int] = set()
    for comparison in (c for item in tree.order for expr in _expressions(item) for c in _comparisons(expr, seen)):
        _, left, right = comparison
        _meet(kin, left, right)
        _meet(kin, right, left)
        if left in kin or right in kin:
            kin[left if left in kin else right].comparisons.append(comparison)
    for symbol in list(kin):
        if symbol.name in wishes:
            kin[symbol].constants[wishes[symbol.name]] = None
        for other in _given_by(symbol):
            _meet(kin, symbol, other)
    return kin


def _given_by(symbol: Symbol) -> Iterator[Symbol]:
    """Yield the symbols and constants that may give a symbol its value."""
    for value, *_ in symbol.defaults:
        yield value
    for low, high, *_ in symbol.ranges:
        yield from (low, high)


def _meet(kin: dict[Symbol, _Kin], symbol: Symbol, other: Symbol) -> None:
    if symbol not in kin:
        return
    if not other.nodes:
        kin[symbol].constants.setdefault(str(other.name))
    elif other in kin and kin[other] is not kin[symbol]:
        kin[symbol].absorb(kin[other])
        for member in kin[other].symbols:
            kin[member] = kin[symbol]


def _expressions(item: Any) -> Iterator[Expr]:
    for node in item.nodes:
        if node.prompt:
            yield node.prompt[1]
    yield item.direct_dep
    if item.__class__ is kconfiglib.Symbol:
        yield from (item.rev_dep, item.weak_rev_dep)
        for *_, condition in item.ranges:
            yield condition
    for value, condition, *_ in item.defaults:
        yield from (value, condition)


def _comparisons(expr: Expr, seen: set[int]) -> Iterator[Comparison]:
    """Yield the comparisons of an expression that were not met before: dependencies are part of many expressions."""
    pending = [expr]
    while pending:
        term = pending.pop()
        if term.__class__ is not tuple or id(term) in seen:
            continue
        seen.add(id(term))
        if term[0] in (kconfiglib.AND, kconfiglib.OR, kconfiglib.NOT):
            pending += term[1:]
        else:
            yield Comparison(*term)
