"""What would have to change for a requirement to hold: followed from it through everything that decides its value now.

The value of an expression or a symbol is decided by a few others: by one operand of a false `&&`, say, if only that one
stays false. Following these to the end gives a set of changes (levers) of which any solution must make one at least:
as long as none of them is made, nothing of what was followed can change. Where several parts decide alone, the one with
the fewest levers is followed. No lever at all proves that there is no solution.

What was found to decide something is true as long as nothing of it changes, and kept from one question to the next.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Any, NamedTuple

import kconfiglib

from .candidates import Candidates, Comparison, compare
from .rules import Rule
from .tree import Choice, Expr, Symbol, has_prompt, has_value, is_same, operands
from .trial import Change, Has, Requirement, Trial

Part = tuple[str, Any]  # a method of Levers, and what it is about
Key = tuple[str, int]  # of a part

MANY = 1 << 20  # as good as any larger weight
ALTERNATIVES = 16  # of the parts that decide alone, how many are looked at


class Look(NamedTuple):
    """What decides something."""

    levers: list[Change]  # those of its own
    reads: list[str]  # symbols whose changes, already made, decide it
    parts: list[Part]  # what else decides it, and has levers and reads of its own
    weight: int  # the number of levers in all; shared ones are counted more than once


class Found(NamedTuple):
    """The levers of a requirement."""

    levers: list[Change]
    reads: list[str]  # symbols whose changes decide it


class Levers:
    """Finds the levers of what is broken in a trial."""

    def __init__(self, trial: Trial, fixed: str | None) -> None:
        self.trial = trial
        self.fixed = fixed  # a symbol whose wish is not to be changed
        self.work = 0  # a measure of it: parts looked at
        self.candidates = Candidates(trial.tree, trial.given, trial.goal)
        self._target_is_free = False
        self._known: dict[Key, Look] = {}
        self._users: dict[Key, set[Key]] = {}  # of a look: those that may be wrong when it is
        self._looking: list[Key] = []

    def free_target(self) -> None:
        """From now on, facts of the target and answers of probes count as levers."""
        self._target_is_free = True
        self._known = {}

    def narrowest(self, requirements: Collection[Requirement]) -> Found:
        """Return the levers of that requirement which has the fewest."""
        self._forget(self.trial.changed)
        self.trial.changed.clear()
        if self.trial.tree.is_deep:
            for symbol in self.trial.influences(requirements):
                self._look(("value", symbol))
        return self._collect(min(map(self._requirement, requirements), key=lambda look: look.weight))

    def _forget(self, items: Iterable[Symbol | Choice]) -> None:
        """Forget what is no longer true of some items, and of what they decide: up to the values of others.

        Where such a value has changed, it is among the items; where it has not, what it decides is decided as before.
        """
        waiting = [(kind, id(item)) for item in items for kind in ("value", "selection", "mode")]
        while waiting:
            key = waiting.pop()
            self._known.pop(key, None)
            for user in self._users.pop(key, ()):
                if user[0] == "value":
                    self._known.pop(user, None)
                else:
                    waiting.append(user)

    def _collect(self, look: Look) -> Found:
        """Gather the levers of a look, the nearest first."""
        levers: dict[Change, None] = {}
        reads: dict[str, None] = {}
        seen = set()
        waiting = deque([look])
        while waiting:
            look = waiting.popleft()
            levers.update(dict.fromkeys(look.levers))
            reads.update(dict.fromkeys(look.reads))
            for part in look.parts:
                key = (part[0], id(part[1]))
                if key not in seen:
                    seen.add(key)
                    waiting.append(self._look(part))
        self.work += len(seen)
        return Found(list(levers), list(reads))

    def _requirement(self, requirement: Requirement) -> Look:
        """Why a requirement does not hold. A wish may also be taken back, be it by choosing another of its choice."""
        if isinstance(requirement, Rule):
            return self._of([("expr", requirement.expr)])
        symbol, value = requirement
        look = self._look(("value", symbol))
        levers = [lever for lever in look.levers if self._may_give(lever, requirement)]
        look = self._of(look.parts, levers, look.reads)
        if requirement is self.trial.goal or symbol.name == self.fixed:
            return look
        if symbol.name in self.trial.changes:
            return self._of(look.parts, look.levers, [*look.reads, symbol.name])
        others = [change for change in self._changes(symbol) if change[1] != value]
        if not symbol.choice or value == "n":
            return self._of(look.parts, [*look.levers, *others], look.reads)
        rivals, reads = self._choosing(symbol.choice, symbol)
        return self._of(look.parts, [*look.levers, *others, *rivals], [*look.reads, *reads])

    def _may_give(self, lever: Change, requirement: Has) -> bool:
        """Whether a change of a symbol, or of the choice that it is in, may be the one that gives it its value."""
        symbol, value = requirement
        if lever[0] != symbol.name:
            return value == "n"
        return lever[1] is None or is_same(symbol, lever[1], value)

    def _changes(self, symbol: Symbol) -> list[Change]:
        """Return all that the user may wish of a symbol instead of what he wishes now."""
        if symbol.orig_type == kconfiglib.BOOL:
            return [(symbol.name, "n"), (symbol.name, "y")]
        removed: list[Change] = [(symbol.name, None)] if symbol.name in self.trial.given else []
        return [*removed, *((symbol.name, value) for value in self.candidates.of(symbol))]

    def _of(self, parts: list[Part], levers: Iterable[Change] = (), reads: Iterable[str] = ()) -> Look:
        own = list(levers)
        weight = len(own) + sum(self._look(part).weight for part in parts)
        return Look(own, list(reads), parts, min(weight, MANY))

    def _look(self, part: Part) -> Look:
        key = (part[0], id(part[1]))
        if self._looking:
            self._users.setdefault(key, set()).add(self._looking[-1])
        look = self._known.get(key)
        if look is None:
            self.work += 1
            looker: Callable[[Any], Look] = getattr(self, "_" + part[0])
            self._looking.append(key)
            look = self._known[key] = looker(part[1])
            self._looking.pop()
        return look

    def _narrowest(self, parts: Iterable[Part]) -> Part:
        """Return one of the parts that decide alone; of many, not all are looked at."""
        return min(islice(parts, ALTERNATIVES), key=lambda part: self._look(part).weight)

    def _fewest(self, looks: list[Look]) -> Look:
        return min(looks, key=lambda look: look.weight)

    # -- expressions

    def _expr(self, expr: Expr) -> Look:
        """One operand decides a false `&&` or a true `||` alone, all of them the others."""
        if expr.__class__ is kconfiglib.Choice:
            return self._of([("mode", expr)])
        if expr.__class__ is not tuple:
            is_bool = expr.nodes and expr.orig_type == kconfiglib.BOOL
            return self._of([("value", expr)] if is_bool else [])
        operator = expr[0]
        if operator == kconfiglib.NOT:
            return self._of([("expr", expr[1])])
        if operator not in (kconfiglib.AND, kconfiglib.OR):
            return self._relation(expr)
        terms = operands(expr, operator)
        self.work += len(terms) // 3
        decisive = 0 if operator == kconfiglib.AND else 2
        if kconfiglib.expr_value(expr) != decisive:
            return self._of([("expr", term) for term in terms])
        return self._of([self._narrowest(("expr", term) for term in terms if kconfiglib.expr_value(term) == decisive)])

    def _relation(self, expr: Expr) -> Look:
        """Leave out the changes that cannot turn a comparison with a constant."""
        _, left, right = expr
        truth = bool(kconfiglib.expr_value(expr))
        if left.nodes and right.nodes:
            return self._of([("value", left), ("value", right)])
        symbol = left if left.nodes else right
        if not symbol.nodes:
            return self._of([])
        look = self._look(("value", symbol))

        def turns(change: Change) -> bool:
            name, value = change
            if name != symbol.name or value is None or symbol.orig_type == kconfiglib.BOOL:
                return True
            return compare(Comparison(*expr), symbol, value) != truth

        return self._of(look.parts, filter(turns, look.levers), look.reads)

    # -- symbols

    def _value(self, symbol: Symbol) -> Look:
        """What decides it depends on its kind; if its dependencies do not hold, they alone do, but for a `select`."""
        if not symbol.nodes:
            return self._of([])
        if self._target_is_free and self.trial.tree.is_outside(symbol.name):
            return self._of([], *self._own(symbol))
        if not kconfiglib.expr_value(symbol.direct_dep) and not symbol.choice:
            selected = symbol.orig_type == kconfiglib.BOOL and kconfiglib.expr_value(symbol.rev_dep)
            if not selected:
                return self._of([("expr", symbol.direct_dep), ("expr", symbol.rev_dep)])
        if symbol.orig_type != kconfiglib.BOOL:
            return self._valued(symbol)
        if symbol.choice:
            return self._member(symbol)
        return self._on(symbol) if symbol.tri_value else self._off(symbol)

    def _on(self, symbol: Symbol) -> Look:
        """A bool that is y: selected, or set, or by default; each of these alone would do."""
        looks = []
        if kconfiglib.expr_value(symbol.rev_dep):
            looks.append(self._of([("expr", symbol.rev_dep)]))
        if symbol.visibility and symbol.user_value is not None:
            looks += [self._by_user(symbol)] if symbol.user_value else []
        elif self._default_gives(symbol):
            looks.append(self._by_default(symbol))
        return self._fewest(looks)

    def _off(self, symbol: Symbol) -> Look:
        """A bool that is n: not selected, and set to n or n by default."""
        by = self._by_user(symbol) if symbol.visibility and symbol.user_value is not None else self._by_default(symbol)
        return self._of([*by.parts, ("expr", symbol.rev_dep)], by.levers, by.reads)

    def _by_user(self, symbol: Symbol) -> Look:
        """The user's wish is heard, as long as the symbol can be set."""
        levers, reads = self._own(symbol)
        return self._of([("visibility", symbol)], levers, reads)

    def _by_default(self, symbol: Symbol) -> Look:
        """No wish of the user is heard: there is none, or the symbol cannot be set."""
        parts: list[Part] = [("default", symbol)]
        if not has_prompt(symbol):
            return self._of(parts)
        if symbol.user_value is not None:
            return self._of([*parts, ("visibility", symbol)])
        levers, reads = self._own(symbol)
        return self._of(parts, levers, reads)

    def _own(self, symbol: Symbol) -> tuple[list[Change], list[str]]:
        """Return the changes of what the user wishes of a symbol that give it another value, or that it was changed."""
        if symbol.name == self.fixed:
            return [], []
        if symbol.name in self.trial.changes:
            return [], [symbol.name]
        present = symbol.str_value
        return [change for change in self._changes(symbol) if change[1] != present], []

    def _default_gives(self, symbol: Symbol) -> bool:
        """Whether a bool would be y if nothing selected it."""
        if kconfiglib.expr_value(symbol.weak_rev_dep) and kconfiglib.expr_value(symbol.direct_dep):
            return True
        for value, condition, *_ in symbol.defaults:
            if kconfiglib.expr_value(condition):
                return bool(kconfiglib.expr_value(value))
        return False

    def _default(self, symbol: Symbol) -> Look:
        """What the defaults give: all before the first that applies do not; and, for a bool, what `imply` does."""
        parts: list[Part] = []
        gives = 0
        is_bool = symbol.orig_type == kconfiglib.BOOL
        for value, condition, *_ in symbol.defaults:
            parts.append(("expr", condition))
            if kconfiglib.expr_value(condition):
                parts.append(("expr" if is_bool else "value", value))
                gives = kconfiglib.expr_value(value) if is_bool else 0
                break
        by_default = self._of(parts)
        if not is_bool:
            return by_default
        implied, possible = kconfiglib.expr_value(symbol.weak_rev_dep), kconfiglib.expr_value(symbol.direct_dep)
        imply: Part = ("expr", symbol.weak_rev_dep)
        allow: Part = ("expr", symbol.direct_dep)
        if implied and possible:
            by_imply = self._of([imply, allow])
            return self._fewest([by_default, by_imply] if gives else [by_imply])
        if gives:
            return by_default
        not_implied = [self._of([*parts, part]) for part, value in ((imply, implied), (allow, possible)) if not value]
        return self._fewest(not_implied)

    def _visibility(self, item: Symbol | Choice) -> Look:
        """Whether an item can be set: by one of its prompts."""
        conditions = [node.prompt[1] for node in item.nodes if node.prompt]
        parts: list[Part] = [("expr", condition) for condition in conditions]
        if not item.visibility:
            return self._of(parts)
        return self._of([self._narrowest(part for part in parts if kconfiglib.expr_value(part[1]))])

    # -- numbers and strings

    def _valued(self, symbol: Symbol) -> Look:
        """A number or a string: set, if it is in its range, or by default."""
        bounds: list[Part] = []
        for low, high, condition, *_ in symbol.ranges:
            bounds.append(("expr", condition))
            if kconfiglib.expr_value(condition):
                bounds += [("value", low), ("value", high)]
                break
        if symbol.visibility and symbol.user_value is not None:
            by_user = self._by_user(symbol)
            parts = [*bounds, *by_user.parts]
            if not has_value(symbol, symbol.user_value):
                parts.append(("default", symbol))
            return self._of(parts, by_user.levers, by_user.reads)
        by_default = self._by_default(symbol)
        return self._of([*bounds, *by_default.parts], by_default.levers, by_default.reads)

    # -- choices

    def _member(self, symbol: Symbol) -> Look:
        """One of a choice: y if it is the chosen one; n also if it cannot be."""
        chosen: Part = ("selection", symbol.choice)
        if symbol.tri_value:
            return self._of([("visibility", symbol), chosen])
        look = self._look(chosen)
        levers = [lever for lever in look.levers if lever[0] == symbol.name]
        by_choice = self._of(look.parts, levers, look.reads)
        if symbol.visibility:
            return by_choice
        return self._fewest([self._of([("visibility", symbol)]), by_choice])

    def _mode(self, choice: Choice) -> Look:
        """Whether a choice is on: it can be set, and need not stay empty."""
        if not choice.visibility:
            return self._of([("visibility", choice)])
        parts: list[Part] = [("visibility", choice)] if choice.tri_value else []
        if not choice.is_optional:
            return self._of(parts)
        if not choice.tri_value:
            return self._of(parts, *self._choosing(choice, None))
        wished = next(symbol.name for symbol in choice.syms if self.trial.wishes.get(symbol.name) == "y")
        if wished == self.fixed:
            return self._of(parts)
        if wished in self.trial.changes:
            return self._of(parts, [], [wished])
        return self._of(parts, [(wished, "n")])

    def _selection(self, choice: Choice) -> Look:
        """Which member is chosen: the user's, if it can be; the first default that can; the first member that can."""
        if not choice.tri_value:
            return self._of([("mode", choice)])
        levers, reads = self._choosing(choice, choice.selection)
        parts: list[Part] = [("mode", choice)]
        for symbol, condition in _in_turn(choice):
            if kconfiglib.expr_value(condition):
                parts.append(("visibility", symbol))
                if symbol.visibility:
                    parts.append(("expr", condition))
                    break
            else:
                parts.append(("expr", condition))
        return self._of(parts, levers, reads)

    def _choosing(self, choice: Choice, chosen: Symbol | None) -> tuple[list[Change], list[str]]:
        """Return the changes by which the user chooses another than CHOSEN, and those already made in the choice."""
        names = [symbol.name for symbol in choice.syms]
        reads = [name for name in names if name in self.trial.changes]
        changed = {*reads, self.fixed}
        if any(self.trial.wishes.get(name) == "y" for name in names if name in changed):
            return [], reads
        return [(s.name, "y") for s in choice.syms if s is not chosen and s.name not in changed], reads


def _in_turn(choice: Choice) -> Iterable[tuple[Symbol, Expr]]:
    """Yield the members in the order in which they are considered, each with the condition under which it is."""
    always = choice.kconfig.y
    if choice.user_selection:
        yield choice.user_selection, always
    for symbol, condition, *_ in choice.defaults:
        yield symbol, condition
    for symbol in choice.syms:
        yield symbol, always
