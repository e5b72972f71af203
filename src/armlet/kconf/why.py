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
from .intent import PREFIX
from .mend import Mend, mend_value
from .resolve import apply, complaint, faults, kind
from .tree import Symbol, Tree, takes

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
    parser.add_argument("request", metavar="SYMBOL[=VALUE]", help="VALUE: y by default; of a number or a string, any")
    add_workspace_options(parser)
    parser.add_argument("--json", action="store_true", help="the same for programs")
    parser.set_defaults(run=why)


def why(arguments: argparse.Namespace) -> int:
    """Answer; 0 for yes, 1 for no, 2 for a question that cannot be answered."""
    workspace = workspace_of(arguments)
    tree = workspace.tree()
    try:
        symbol, value = _question(tree, arguments.request)
    except KconfError as error:
        print(error, file=sys.stderr)
        return 2
    explainer = Explainer(tree, apply(tree, workspace.layers()))
    answer = Answer(explainer, symbol, value)
    print(json.dumps(answer.as_dict(), indent=2) if arguments.json else answer.text())
    for fault in faults(tree, explainer.wishes):
        if fault != explainer.wishes.get(symbol.name):
            print("Setup refuses this configuration as it is:", complaint(explainer, fault), file=sys.stderr)
            break
    return 0 if answer.is_yes else 1


def _question(tree: Tree, request: str) -> tuple[Symbol, str | None]:
    """Read SYMBOL or SYMBOL=VALUE; without a value, a bool is asked for y and anything else for what it has."""
    name, has_value, value = request.removeprefix(PREFIX).partition("=")
    if name in tree.kconfig.named_choices:
        members = ", ".join(symbol.name for symbol in tree.kconfig.named_choices[name].syms)
        raise KconfError(f"{name} is a choice: ask for one of its members, {members}")
    symbol = tree.symbol(name)
    if has_value and not takes(symbol, value):
        raise KconfError(f"{request}: {name} takes {kind(symbol)}")
    if has_value:
        return symbol, value
    return symbol, "y" if symbol.orig_type == kconfiglib.BOOL else None


class Answer:
    """Whether a symbol has a value, and why."""

    def __init__(self, explainer: Explainer, symbol: Symbol, value: str | None) -> None:
        from .trial import has_value

        self.explainer = explainer
        self.symbol = symbol
        self.value = str(symbol.str_value) if value is None else value
        self.is_yes = has_value(symbol, self.value)
        self.reasons = explainer.why(symbol) if self.is_yes else explainer.why_not(symbol, self.value)
        self.mend: Mend | None = None
        if not self.is_yes:
            self.mend = mend_value(explainer.tree, explainer.wishes, symbol, self.value)

    def text(self) -> str:
        """Return the answer for a person."""
        answer = "yes" if self.mend is None else f"no, it is {self.symbol.str_value or 'without a value'}"
        because = [f"  {line}" for line in lines(self.reasons)]
        return "\n".join([f"{self.symbol.name}={self.value}: {answer}", *because, *self._advice()])

    def _advice(self) -> list[str]:
        if self.mend is None:
            return []
        if self.mend.changes is None:
            return [f"{impossible_in_words(self.mend)}{self._blocked()}."]
        proof = "no smaller change does" if self.mend.smallest else "none of it can be left out"
        return [f"To have it, {in_words(self.explainer, self.mend.changes)}: {proof}.", *self._effects(self.mend)]

    def _blocked(self) -> str:
        """Say what stands against it in the end."""
        if not self.mend or not self.mend.impossible:
            return ""
        if not self.mend.blockers:
            return ": what it needs cannot hold together"
        return f": that is up to the target and its tools ({', '.join(self.mend.blockers)})"

    def _effects(self, mend: Mend) -> list[str]:
        others = [f"{name}={new}" for name, (_, new) in mend.effects.items() if not self._is_asked_for(mend, name)]
        if not others:
            return []
        more = f" and {len(others) - MAX_LISTED} more" if len(others) > MAX_LISTED else ""
        return [f"That gives {', '.join(others[:MAX_LISTED])}{more} as well."]

    def _is_asked_for(self, mend: Mend, name: str) -> bool:
        return name == self.symbol.name or name in (mend.changes or {})

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
        if self.mend is None:
            return answer
        mend = self.mend
        replaced = [wish for name, value in (mend.changes or {}).items() for wish in self._overridden(name, value)]
        return answer | {
            "possible": True if mend.solutions else False if mend.impossible else None,
            "changes": mend.changes,
            "smallest": mend.smallest,
            "instead_of": replaced,
            "effects": {name: {"from": old, "to": new} for name, (old, new) in mend.effects.items()},
            "blockers": mend.blockers,
        }

    def _overridden(self, name: str, value: str | None) -> list[dict[str, str]]:
        return [wish._asdict() for wish in overridden(self.explainer, name, value)]
