"""The user's intent applied to a tree, and everything that must hold afterwards."""

from collections.abc import Iterator, Mapping
from typing import NoReturn

import kconfiglib

from .errors import Errors, KconfError, nearest
from .explain import Explainer, lines
from .intent import Assignment, Layer
from .rules import Rule, broken_rules
from .target import PROBE_PREFIXES
from .tree import Symbol, Tree, assign, has_prompt, has_value, location, no_garbage, takes
from .upgrade import renamed

MAX_ADVICE = 20  # errors that are told with the change that would mend them, which takes its time to find


class Resolution:
    """A tree with an intent applied, in which every wish came true; or else ERRORS says which did not."""

    @no_garbage()
    def __init__(self, tree: Tree, layers: list[Layer], errors: Errors | None = None) -> None:
        self.tree = tree
        errors = errors or Errors()
        self.wishes = apply(tree, layers, errors)
        self.explainer = Explainer(tree, self.wishes)
        for number, fault in enumerate(faults(tree, self.wishes)):
            with errors.each():
                refuse(self.explainer, fault, with_advice=number < MAX_ADVICE)

    def requested(self, symbol: Symbol) -> str:
        """Return what was asked of a symbol and where, "y (-Dset)", or "default"."""
        wish = self.wishes.get(symbol.name)
        return f"{wish.value} ({wish.origin})" if wish else "default"


class UnmetError(KconfError):
    """A wish that did not come true."""

    def __init__(self, text: str, wish: Assignment) -> None:
        super().__init__(text)
        self.wish = wish


def apply(tree: Tree, layers: list[Layer], errors: Errors | None = None) -> dict[str, Assignment]:
    """Give the symbols the values that the user wishes, and no others; return the wishes that stand, by symbol.

    A later layer overrides an earlier one, and a member of a choice the one that was chosen before.
    """
    errors = errors or Errors()
    wishes: dict[str, Assignment] = {}
    for layer in layers:
        present = _without_conflicts(renamed(layer, tree.formers, errors), errors)
        _check_choices(tree, present, errors)
        for assignment in present:
            with errors.each():
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


def _without_conflicts(layer: Layer, errors: Errors) -> Layer:
    seen: dict[str, Assignment] = {}
    for assignment in layer:
        with errors.each():
            earlier = seen.setdefault(assignment.symbol, assignment)
            if earlier.value != assignment.value:
                raise KconfError(
                    f"{assignment.origin}: {assignment.symbol}={assignment.value} contradicts {earlier}: remove one"
                )
    return list(seen.values())


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


def kind(symbol: Symbol) -> str:
    """Return what values a symbol takes."""
    kinds = {
        kconfiglib.BOOL: "y or n",
        kconfiglib.INT: "a whole number",
        kconfiglib.HEX: "a hexadecimal number as 0x1f",
    }
    return kinds.get(symbol.orig_type, "a text of one line")


def refuse_value(symbol: Symbol, assignment: Assignment) -> NoReturn:
    """Raise the error that says what values a symbol takes."""
    raise KconfError(
        f"{assignment.origin}: {assignment.symbol}={assignment.value}: {assignment.symbol} ({location(symbol)}) "
        f"takes {kind(symbol)}"
    )


def _check_choices(tree: Tree, layer: Layer, errors: Errors) -> None:
    chosen: dict[int, Assignment] = {}
    for assignment in layer:
        symbol = tree.symbols.get(assignment.symbol)
        if symbol is None or not symbol.choice or assignment.value != "y":
            continue
        earlier = chosen.setdefault(id(symbol.choice), assignment)
        with errors.each():
            if earlier.symbol != assignment.symbol:
                raise KconfError(
                    f"{assignment.origin}: {assignment.symbol}=y would lose {earlier}: both are of the choice at "
                    f"{location(symbol.choice)}, which has one; remove one"
                )


def faults(tree: Tree, wishes: Mapping[str, Assignment]) -> Iterator[Assignment | Rule]:
    """Yield the wishes that did not come true, and the rules that do not hold."""
    for wish in wishes.values():
        if not has_value(tree.symbols[wish.symbol], wish.value):
            yield wish
    yield from broken_rules(tree)


def refuse(explainer: Explainer, fault: Assignment | Rule, *, with_advice: bool = True) -> NoReturn:
    """Raise the error that says what is wrong and why."""
    text = complaint(explainer, fault, with_advice=with_advice)
    raise KconfError(text) if isinstance(fault, Rule) else UnmetError(text, fault)


def complaint(explainer: Explainer, fault: Assignment | Rule, *, with_advice: bool = True) -> str:
    """Return the paragraph that says what is wrong and why, and the smallest change that would mend it."""
    if isinstance(fault, Rule):
        paragraph = [fault.complain(explainer)]
    else:
        because = lines(explainer.why_not(explainer.tree.symbols[fault.symbol], fault.value))
        paragraph = [f"{fault.origin}: {fault.symbol}={fault.value} cannot be had:", *("  " + line for line in because)]
    if with_advice:
        from .advice import advice  # only when something is wrong

        paragraph += advice(explainer, fault)
    return "\n".join(paragraph)
