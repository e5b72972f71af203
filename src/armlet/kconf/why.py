"""`why`: whether a symbol has a value, what decided that, and what would have to change."""

import argparse
import json
import sys
from typing import Any

import kconfiglib

from .advice import impossible_in_words, in_words, overridden
from .commands import add_workspace_options, workspace_of
from .errors import KconfError
from .explain import Explainer, lines
from .intent import PREFIX, Assignment
from .mend import Mend, mend_value
from .resolve import apply, complaint, faults, kind
from .tree import Symbol, Tree, has_prompt, has_value, no_garbage, takes

SCHEMA = 1
MAX_LISTED = 6  # symbols that a change has an effect on


def add_why(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "why",
        help="why a symbol has its value, or cannot have another one, and the smallest change that would give it",
        description="Whether a symbol has a value: yes, and what decided it; or no, and all that stands against it, "
        "with the smallest change of the configuration that would give it, tried on a copy of the tree. "
        "Exit status: 0 for yes, 1 for no, 2 for an unknown symbol.",
    )
    parser.add_argument("request", metavar="SYMBOL[=VALUE]", help="VALUE: y by default; of a number or a text, any")
    add_workspace_options(parser)
    parser.add_argument("--json", action="store_true", help="the same for programs")
    parser.set_defaults(run=why)


def why(arguments: argparse.Namespace) -> int:
    """Answer; 0 for yes, 1 for no, 2 for a question that cannot be answered."""
    workspace = workspace_of(arguments)
    tree = workspace.tree()
    try:
        symbol, value = read_question(tree, arguments.request)
    except KconfError as error:
        print(error, file=sys.stderr)
        return 2
    explainer = Explainer(tree, apply(tree, workspace.layers()))
    answer = Answer(explainer, symbol, value)
    print(json.dumps(answer.as_dict(), indent=2) if arguments.json else answer.text())
    _tell_another_fault(explainer, symbol)
    return 0 if answer.is_yes else 1


def read_question(tree: Tree, request: str) -> tuple[Symbol, str | None]:
    """Read SYMBOL or SYMBOL=VALUE; without a value, a bool is asked for y and anything else for what it has."""
    name, equals, value = request.removeprefix(PREFIX).partition("=")
    if name in tree.kconfig.named_choices:
        members = ", ".join(symbol.name for symbol in tree.kconfig.named_choices[name].syms)
        raise KconfError(f"{name} is a choice: ask for one of its members, {members}")
    symbol = tree.symbol(name)
    if not equals:
        return symbol, "y" if symbol.orig_type == kconfiglib.BOOL else None
    if not takes(symbol, value):
        raise KconfError(f"{request}: {name} takes {kind(symbol)}")
    return symbol, value


def _tell_another_fault(explainer: Explainer, symbol: Symbol) -> None:
    """Say that the configuration is one that setup refuses, if that is not what was asked about."""
    asked_about = explainer.wishes.get(symbol.name)
    fault = next((fault for fault in faults(explainer.tree, explainer.wishes) if fault != asked_about), None)
    if fault:
        print(f"Setup refuses the configuration as it is. {complaint(explainer, fault)}", file=sys.stderr)


class Answer:
    """Whether a symbol has a value, why, and what would give it."""

    @no_garbage()
    def __init__(self, explainer: Explainer, symbol: Symbol, value: str | None) -> None:
        self.explainer = explainer
        self.symbol = symbol
        self.value = str(symbol.str_value) if value is None else value
        self.is_yes = has_value(symbol, self.value)
        self.reasons = explainer.why(symbol) if self.is_yes else explainer.why_not(symbol, self.value)
        self.breaks: list[str] = []  # what would not hold if the user just set it: paragraphs
        self.mend: Mend | None = None
        self.gentler: Mend | None = None  # larger, and with fewer effects
        if not self.is_yes:
            self._look_for_changes()

    def _look_for_changes(self) -> None:
        self.mend = self._changes()
        if not has_prompt(self.symbol) or self._is_direct():
            return
        self.breaks = self._breaks()
        if self.mend.changes and self.symbol.name not in self.mend.changes:
            by_wish = self._changes(by_wish=True)
            self.gentler = by_wish if 0 < len(by_wish.effects) < len(self.mend.effects) else None

    def _changes(self, *, by_wish: bool = False) -> Mend:
        return mend_value(self.explainer.tree, self.explainer.wishes, self.symbol, self.value, by_wish=by_wish)

    def _is_direct(self) -> bool:
        """Whether it is enough to set it."""
        return self.mend is not None and self.mend.changes == {self.symbol.name: self.value}

    def _breaks(self) -> list[str]:
        """Set it in a copy of the tree, and see."""
        tree, wishes = self.explainer.tree, self.explainer.wishes
        before = set(map(_key, faults(tree, wishes)))
        wish = Assignment(self.symbol.name, self.value, "the question")
        others = apply(tree.twin, [list(wishes.values()), [wish]])
        broken = [fault for fault in faults(tree.twin, others) if _key(fault) not in before and fault != wish]
        return [complaint(Explainer(tree.twin, others), fault, with_advice=False) for fault in broken]

    def text(self) -> str:
        """Return the answer for a person."""
        answer = "yes" if self.is_yes else f"no, it is {self.symbol.str_value or 'without a value'}"
        text = [f"{self.symbol.name}={self.value}: {answer}", *("  " + line for line in lines(self.reasons))]
        for paragraph in self.breaks:
            text.append("  If it is just set, something else does not hold:")
            text += ["    " + line for line in paragraph.splitlines()]
        return "\n".join([*text, *(self._advice(self.mend) if self.mend else [])])

    def _advice(self, mend: Mend) -> list[str]:
        if mend.changes is None:
            return [f"{impossible_in_words(mend)}{_blocked(mend)}."]
        proof = "no smaller change does" if mend.smallest else "none of it can be left out"
        advice = [f"To have it, {in_words(self.explainer, mend.changes)}: {proof}.", *self._effects(mend)]
        others = [in_words(self.explainer, changes) for changes in mend.solutions[1:]]
        if others and not self._is_direct():
            advice.append(f"As small: {'; or '.join(others)}.")
        if self.gentler and self.gentler.changes:
            advice.append(f"With more changes and fewer effects: {in_words(self.explainer, self.gentler.changes)}.")
        return advice

    def _effects(self, mend: Mend) -> list[str]:
        known = {self.symbol.name, *(mend.changes or {})}
        others = [f"{name}={new}" for name, (_, new) in mend.effects.items() if name not in known]
        if not others:
            return []
        more = f" and {len(others) - MAX_LISTED} more" if len(others) > MAX_LISTED else ""
        return [f"That gives {', '.join(others[:MAX_LISTED])}{more} as well."]

    def as_dict(self) -> dict[str, Any]:
        """Return the answer for a program."""
        answer: dict[str, Any] = {
            "schema": SCHEMA,
            "symbol": self.symbol.name,
            "asked": self.value,
            "value": str(self.symbol.str_value),
            "answer": self.is_yes,
            "because": [reason._asdict() for reason in self.reasons],
        }
        return answer | (self._mend_as_dict(self.mend) if self.mend else {})

    def _mend_as_dict(self, mend: Mend) -> dict[str, Any]:
        changes = mend.changes or {}
        replaced = [wish for name, value in changes.items() for wish in overridden(self.explainer, name, value)]
        return {
            "breaks": self.breaks,
            "possible": True if mend.solutions else False if mend.impossible else None,
            "changes": mend.changes,
            "smallest": mend.smallest,
            "instead_of": [wish._asdict() for wish in replaced],
            "effects": {name: {"from": old, "to": new} for name, (old, new) in mend.effects.items()},
            "alternatives": mend.solutions[1:],
            "gentler": self.gentler.changes if self.gentler else None,
            "blockers": mend.blockers,
            "hopeless": mend.hopeless,
        }


def _key(fault: Any) -> str:
    return str(fault.symbol if isinstance(fault, Assignment) else fault.key)


def _blocked(mend: Mend) -> str:
    """Say what stands against a value in the end."""
    if mend.hopeless:
        return ", whatever the target: Kconfig excludes it"
    return f": that is up to the target and its tools ({', '.join(mend.blockers)})" if mend.blockers else ""
