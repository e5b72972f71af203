"""The user's intent applied to a tree, and everything that must hold afterwards."""

import re
from collections.abc import Iterator, Mapping
from typing import NoReturn

import kconfiglib

from .errors import KconfError, nearest
from .explain import Explainer, lines
from .intent import Assignment, Layer
from .rules import Rule, rules
from .target import PROBE_PREFIXES
from .tree import Symbol, Tree, assign, has_prompt, location


class Resolution:
    """A tree with an intent applied, in which every wish came true."""

    def __init__(self, tree: Tree, layers: list[Layer]) -> None:
        self.tree = tree
        self.wishes = apply(tree, layers)
        self.explainer = Explainer(tree, self.wishes)
        for fault in faults(tree, self.wishes):
            raise KconfError(complaint(self.explainer, fault))

    def requested(self, symbol: Symbol) -> str:
        """Return what was asked of a symbol and where, "y (-Dset)", or "default"."""
        wish = self.wishes.get(symbol.name)
        return f"{wish.value} ({wish.origin})" if wish else "default"


def apply(tree: Tree, layers: list[Layer]) -> dict[str, Assignment]:
    """Give the symbols the values that the user wishes, and no others; return the wishes that stand, by symbol.

    A later layer overrides an earlier one, and a member of a choice the one that was chosen before.
    """
    wishes: dict[str, Assignment] = {}
    for layer in layers:
        _check_choices(tree, layer)
        for assignment in layer:
            symbol = settable(tree, assignment)
            if not takes(symbol, assignment.value):
                refuse_value(symbol, assignment)
            for rival in symbol.choice.syms if symbol.choice and assignment.value == "y" else ():
                if rival.name in wishes and wishes[rival.name].value == "y":
                    del wishes[rival.name]
            wishes[symbol.name] = assignment
    tree.kconfig.unset_values()
    for wish in wishes.values():
        assign(tree.symbols[wish.symbol], wish.value)
    tree.evaluate()
    return wishes


def settable(tree: Tree, assignment: Assignment) -> Symbol:
    """Return the symbol of an assignment, which must exist and have a prompt."""
    name = assignment.symbol
    symbol = tree.symbols.get(name)
    if symbol is None:
        raise KconfError(f"{assignment.origin}: there is no symbol {name}{nearest(name, tree.symbols)}")
    if has_prompt(symbol):
        return symbol
    if name in tree.facts:
        why = "it is a fact of the target"
    elif name.startswith(PROBE_PREFIXES):
        why = "it is what a probe answers"
    else:
        why = "it has no prompt and follows from other symbols"
    raise KconfError(f"{assignment.origin}: {name} ({location(symbol)}) cannot be set: {why}; remove the line")


def refuse_value(symbol: Symbol, assignment: Assignment) -> NoReturn:
    """Raise the error that says what values a symbol takes."""
    raise KconfError(
        f"{assignment.origin}: {assignment.symbol}={assignment.value}: {assignment.symbol} ({location(symbol)}) "
        f"takes {kind(symbol)}"
    )


_KINDS = {
    kconfiglib.BOOL: ("y or n", re.compile("[yn]")),
    kconfiglib.INT: ("a whole number", re.compile("-?(0|[1-9][0-9]*)")),
    kconfiglib.HEX: ("a hexadecimal number as 0x1f", re.compile("0[xX][0-9a-fA-F]+")),
    kconfiglib.STRING: ("a text of one line", re.compile(".*")),
}


def takes(symbol: Symbol, value: str) -> bool:
    """Whether a value is one of the type of a symbol."""
    return bool(_KINDS[symbol.orig_type][1].fullmatch(value))


def kind(symbol: Symbol) -> str:
    """Return what values a symbol takes."""
    return _KINDS[symbol.orig_type][0]


def _check_choices(tree: Tree, layer: Layer) -> None:
    chosen: dict[int, Assignment] = {}
    for assignment in layer:
        symbol = tree.symbols.get(assignment.symbol)
        if symbol is not None and symbol.choice and assignment.value == "y":
            earlier = chosen.setdefault(id(symbol.choice), assignment)
            if earlier.symbol != assignment.symbol:
                raise KconfError(
                    f"{assignment.origin}: {assignment.symbol}=y would lose {earlier}: both are of the choice at "
                    f"{location(symbol.choice)}, which has one; remove one"
                )


def faults(tree: Tree, wishes: Mapping[str, Assignment]) -> Iterator[Assignment | Rule]:
    """Yield the wishes that did not come true, and the rules that do not hold."""
    for wish in wishes.values():
        if tree.symbols[wish.symbol].str_value != wish.value:
            yield wish
    for rule in rules(tree):
        if not rule.holds:
            yield rule


def complaint(explainer: Explainer, fault: Assignment | Rule) -> str:
    """Return the paragraph that says what is wrong and why, and the smallest change that would mend it."""
    from .advice import advice_on_rule, advice_on_wish  # only when something is wrong

    if isinstance(fault, Rule):
        return "\n".join([fault.complain(explainer), *advice_on_rule(explainer, fault)])
    symbol = explainer.tree.symbols[fault.symbol]
    return "\n".join(
        [
            f"{fault.origin}: {fault.symbol}={fault.value} cannot be had:",
            *("  " + line for line in lines(explainer.why_not(symbol, fault.value))),
            *advice_on_wish(explainer, fault),
        ]
    )
