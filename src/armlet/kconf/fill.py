"""Whole configurations, as far as a tree allows them: everything on, everything off, or anything."""

import random
from collections.abc import Callable
from typing import Any

import kconfiglib

from .baseline import is_guaranteed
from .errors import KconfError
from .mend import mend
from .resolve import overridden, selectors, unserved
from .tree import Algorithm, Symbol, Tree, assign

Choice = Any
NUMBERS = {kconfiglib.INT: 10, kconfiglib.HEX: 16}


def all_yes(tree: Tree) -> None:
    """Set every bool symbol to y that can be; choices keep their default."""
    _fill(tree, "y")
    _settle(tree, lambda: True)


def all_no(tree: Tree) -> None:
    """Set every bool symbol to n that can be; choices keep their default."""
    _fill(tree, "n")
    _settle(tree, lambda: True)


def at_random(tree: Tree, seed: int) -> None:
    """Set every symbol to one of the values that it can have; the same ones for the same seed."""
    number = random.Random(seed).random  # noqa: S311  # no secret
    for symbol in _bools(tree):
        assign(symbol, "y" if number() < 0.5 else "n")
    for choice in tree.kconfig.unique_choices:
        _choose(choice, number)
    for symbol in _settable(tree):
        if symbol.orig_type in NUMBERS:
            _set_number(symbol, number)
    _settle(tree, lambda: number() < 0.5)


def _settable(tree: Tree) -> list[Symbol]:
    return [symbol for symbol in tree.symbols.values() if any(node.prompt for node in symbol.nodes)]


def _bools(tree: Tree) -> list[Symbol]:
    return [symbol for symbol in _settable(tree) if symbol.orig_type == kconfiglib.BOOL and not symbol.choice]


def _fill(tree: Tree, value: str) -> None:
    for symbol in _bools(tree):
        assign(symbol, value)
    for choice in tree.kconfig.unique_choices:
        choice.set_value(value)  # an optional one may be empty


def _choose(choice: Choice, number: Callable[[], float]) -> None:
    candidates = [symbol for symbol in choice.syms if symbol.visibility] or choice.syms
    count = len(candidates) + choice.is_optional
    index = int(number() * count)
    if index < len(candidates):
        assign(candidates[index], "y")


def _set_number(symbol: Symbol, number: Callable[[], float]) -> None:
    """Set a number within its range; one without a range keeps its default."""
    base = NUMBERS[symbol.orig_type]
    for low, high, condition, *_ in symbol.ranges:
        if kconfiglib.expr_value(condition):
            least, most = int(low.str_value or "0", base), int(high.str_value or "0", base)
            value = least + int(number() * (most - least + 1))
            assign(symbol, hex(value) if base == 16 else str(value))
            return


def _settle(tree: Tree, drop: Callable[[], bool]) -> None:
    """Change what breaks a rule of the tree until nothing does.

    DROP decides for an algorithm without a backend for every CPU: whether it goes, or a backend comes.
    """
    for _ in range(len(tree.symbols)):
        wrong, without = overridden(tree), unserved(tree)
        if not wrong and not without:
            return
        for symbol in wrong:
            for selector in selectors(symbol):
                _turn(tree, selector, "n")
        for algorithm in without:
            _serve(tree, algorithm, drop())
    names = [symbol.name for symbol in overridden(tree)] + [algorithm.symbol.name for algorithm in unserved(tree)]
    raise KconfError(f"found no configuration that resolves: {', '.join(names)} cannot be put right")


def _serve(tree: Tree, algorithm: Algorithm, drop: bool) -> None:
    if drop and _turn(tree, algorithm.symbol, "n"):
        return
    if any(_turn(tree, b.symbol, "y") for b in reversed(algorithm.backends) if is_guaranteed(tree, b)):
        return
    _turn(tree, algorithm.symbol, "n")


def _turn(tree: Tree, symbol: Symbol, value: str) -> bool:
    """Give a symbol a value, with what else that takes; whether it has it then."""
    for name, change in {**mend(tree, symbol, value), symbol.name: value}.items():
        assign(tree.symbols[name], change)
    return bool(symbol.str_value == value)
