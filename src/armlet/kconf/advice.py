"""What a user is told to change: a mend in words."""

from collections.abc import Mapping

from .explain import Explainer
from .intent import Assignment
from .mend import Changes, Mend, mend_rule, mend_value
from .rules import Rule


def advice(explainer: Explainer, fault: Assignment | Rule) -> list[str]:
    """Return the lines that say how to have what is missing, or that it cannot be had."""
    if isinstance(fault, Rule):
        ways = [
            in_words(explainer, changes) for changes in mend_rule(explainer.tree, explainer.wishes, fault).solutions
        ]
        return [f"To mend it, {'; or '.join(ways)}."] if ways else []
    symbol = explainer.tree.symbols[fault.symbol]
    mend = mend_value(explainer.tree, explainer.wishes, symbol, fault.value)
    remove = f"remove {fault.symbol}={fault.value} from {fault.origin}"
    if mend.changes is not None:
        return [f"To have it, also {in_words(explainer, mend.changes)}; or {remove}."]
    return [f"{impossible_in_words(mend)}: {remove}, or {_other_way_out(mend)}."]


def impossible_in_words(mend: Mend) -> str:
    """Say that nothing was found, and what that means."""
    if mend.impossible:
        return "No change of the configuration gives it"
    return "No change of the configuration that gives it was found, in a search that did not come to its end"


def _other_way_out(mend: Mend) -> str:
    if mend.blockers:
        return "build for a target, and with tools, that have what is missing"
    return "change it to what is possible"


def in_words(explainer: Explainer, changes: Changes) -> str:
    """Return "set A=y, B=n, and C=y instead of C=n (.config:3), and remove D=5 (.config:4)"."""
    wishes = explainer.wishes
    added = [f"{name}={value}" for name, value in changes.items() if not overridden(explainer, name, value)]
    replaced = [
        f"{name}={value} instead of {' and '.join(map(str, rivals))}"
        for name, value in changes.items()
        if value is not None and (rivals := overridden(explainer, name, value))
    ]
    removed = [f"remove {wishes[name]}" for name, value in changes.items() if value is None]
    parts = [", ".join(added)] if added else []
    parts += replaced
    return ", and ".join([*([f"set {', and '.join(parts)}"] if parts else []), *removed])


def overridden(explainer: Explainer, name: str, value: str | None) -> list[Assignment]:
    """Return the wishes that a change takes the place of: that for the same symbol, or for another of its choice."""
    wishes: Mapping[str, Assignment] = explainer.wishes
    choice = explainer.tree.symbols[name].choice
    rivals = [symbol.name for symbol in choice.syms] if choice and value == "y" else []
    return [wish for wish in wishes.values() if wish.symbol == name or (wish.symbol in rivals and wish.value == "y")]
