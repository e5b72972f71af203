"""A tree on which changes of the configuration are tried and taken back, and what they break."""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

import kconfiglib

from .intent import Assignment
from .rules import Rule, rules
from .tree import Choice, Expr, Symbol, Tree, assign, dependents, has_value

Change = tuple[str, str | None]  # a symbol, and the value that the user shall give it; None: none any more
Wishes = dict[str, str]


class Has(NamedTuple):
    """The requirement that a symbol has a value."""

    symbol: Symbol
    value: str

    @property
    def holds(self) -> bool:
        """Whether it has it at present."""
        return has_value(self.symbol, self.value)


Requirement = Has | Rule
Key = tuple[int, str]  # of a requirement: the goal is first, then wishes, then rules


class Undo(NamedTuple):
    """What there was before a change."""

    wishes: dict[str, str | None]
    changes: dict[str, str | None]
    values: dict[int, Any]
    broken: dict[Key, Requirement]


class Trial:
    """A tree with the user's wishes, and changes of them. What was broken from the start may stay so, but the goal."""

    def __init__(self, tree: Tree, wishes: Wishes, goal: Requirement) -> None:
        self.tree = tree
        self.given = wishes
        self.wishes: Wishes = {}
        self.changes: dict[str, str | None] = {}
        self.goal = goal
        self._answers: dict[str, Any] = {}  # how Kconfig defines facts and probes that were supposed to be others
        self.work = 0  # a measure of it: symbols looked at
        self.changed: set[Symbol | Choice] = set()  # what has another value, or another wish, since somebody cleared it
        tree.kconfig.unset_values()
        self._set(dict(wishes))
        self._index = {item: index for index, item in enumerate(tree.order)}
        self._values = [_value(item) for item in tree.order]
        self._before: dict[int, Any] = {}  # of those items that have another value now
        self._rules, self._rules_about = _watched(rules(tree))
        self.tolerated = {key for key in self._keys() if not self._requirement(key).holds}
        self.broken: dict[Key, Requirement] = {} if goal.holds else {_GOAL: goal}

    @property
    def effects(self) -> dict[str, tuple[str, str]]:
        """The symbols that have another value than without the changes: the old one, and the new."""
        before = {self.tree.order[index]: value for index, value in self._before.items()}
        return {name: (before[s], s.str_value) for name, s in self.tree.symbols.items() if s in before}

    def put(self, change: Change) -> Undo:
        """Make a change; return what take_back() needs."""
        name, value = change
        rivals = self._rivals(name) if value == "y" else []
        wishes = {**{rival: None for rival in rivals if self.wishes.get(rival) == "y"}, name: value}
        return self._shift(wishes, {**self.changes, name: value})

    def drop(self, name: str) -> Undo:
        """Leave a change out; return what take_back() needs."""
        changes = {other: value for other, value in self.changes.items() if other != name}
        chosen = {rival: "y" for rival in self._rivals(name) if self.given.get(rival) == "y" and rival not in changes}
        return self._shift({name: self.given.get(name), **chosen}, changes)

    def _rivals(self, name: str) -> list[str]:
        choice = self.tree.symbols[name].choice
        return [symbol.name for symbol in choice.syms if symbol.name != name] if choice else []

    def _shift(self, wishes: dict[str, str | None], changes: dict[str, str | None]) -> Undo:
        undo = Undo({name: self.wishes.get(name) for name in wishes}, self.changes, {}, self.broken)
        self.changes = changes
        self._set(wishes)
        symbols = [self.tree.symbols[name] for name in wishes]
        undo.values.update(self._propagate([*symbols, *(symbol.choice for symbol in symbols if symbol.choice)]))
        self._tell_changed(undo)
        keys = {_GOAL, *((_WISH, name) for name in wishes)}
        for index in undo.values:
            keys |= self._keys_about(self.tree.order[index])
        self._check(keys)
        return undo

    def take_back(self, undo: Undo) -> None:
        """Undo the last change that is not taken back yet."""
        self._set(undo.wishes)
        for index, value in undo.values.items():
            self._note(index, value)
        self.changes = undo.changes
        self.broken = undo.broken
        self._tell_changed(undo)

    def _tell_changed(self, undo: Undo) -> None:
        self.changed.update(self.tree.order[index] for index in undo.values)
        for symbol in (self.tree.symbols[name] for name in undo.wishes):
            self.changed.add(symbol)
            if symbol.choice:
                self.changed.update((symbol.choice, *symbol.choice.syms))

    @contextmanager
    def having(self, changes: Mapping[str, str | None]) -> Iterator[None]:
        """Make several changes for a while."""
        undos = [self.put(change) for change in changes.items()]
        try:
            yield
        finally:
            for undo in reversed(undos):
                self.take_back(undo)

    def tolerates(self, fault: Assignment | Rule, changes: Container[str]) -> bool:
        """Whether a fault was there from the start, and has nothing to do with the CHANGES."""
        if isinstance(fault, Rule):
            return (_RULE, fault.key) in self.tolerated
        return (_WISH, fault.symbol) in self.tolerated and fault.symbol not in changes

    def influences(self, requirements: Iterable[Requirement]) -> list[Symbol]:
        """Return the symbols that requirements have to do with, each after those that it depends on."""
        waiting = [item for r in requirements for item in (_items(r.expr) if isinstance(r, Rule) else [r.symbol])]
        found: set[Symbol | Choice] = set()
        while waiting:
            item = waiting.pop()
            if item not in found and item in self._index:
                found.add(item)
                waiting += self._needs[item]
        return sorted((i for i in found if i.__class__ is kconfiglib.Symbol), key=self._index.__getitem__)

    @cached_property
    def _needs(self) -> dict[Symbol | Choice, list[Symbol | Choice]]:
        """What each symbol and choice depends on."""
        needs: dict[Symbol | Choice, list[Symbol | Choice]] = {item: [] for item in self.tree.order}
        for item in self.tree.order:
            for dependent in dependents(item):
                needs[dependent].append(item)
        return needs

    def _set(self, wishes: dict[str, str | None]) -> None:
        """Have the user wish for these values, and no longer for those that are None."""
        for name, value in wishes.items():
            symbol = self.tree.symbols[name]
            if self.tree.is_outside(name):
                self._suppose(symbol, value)
                continue
            if value is not None:
                self.wishes[name] = value
                assign(symbol, value)
                continue
            self.wishes.pop(name, None)
            if symbol.choice and symbol.choice.user_selection is symbol:
                symbol.choice.unset_value()
            symbol.unset_value()
        self.work += self.tree.evaluate()

    def _suppose(self, symbol: Symbol, value: str | None) -> None:
        """Have a fact of the target, or the answer of a probe, be another one."""
        defaults = self._answers.setdefault(symbol.name, symbol.defaults)
        kconfig = self.tree.kconfig
        symbol.defaults = defaults if value is None else [(kconfig.y if value == "y" else kconfig.n, kconfig.y)]
        symbol._rec_invalidate()  # as kconfiglib does when the user sets a symbol

    def _propagate(self, items: Iterable[Symbol | Choice]) -> dict[int, Any]:
        """Follow a change to all whose values it changes, in order of dependency; return the values they had."""
        waiting = [self._index[item] for item in items]
        heapify(waiting)
        seen = set(waiting)
        changed = {}
        while waiting:
            index = heappop(waiting)
            item = self.tree.order[index]
            value = _value(item)
            self.work += 1
            if value == self._values[index]:
                continue
            changed[index] = self._values[index]
            self._note(index, value)
            for dependent in dependents(item):
                follower = self._index[dependent]
                if follower not in seen:
                    seen.add(follower)
                    heappush(waiting, follower)
        return changed

    def _note(self, index: int, value: Any) -> None:
        first = self._before.pop(index, self._values[index])
        if value != first:
            self._before[index] = first
        self._values[index] = value

    def _keys(self) -> list[Key]:
        return [*((_WISH, name) for name in self.wishes), *self._rules]

    def _keys_about(self, item: Symbol | Choice) -> set[Key]:
        about = self._rules_about.get(item, set())
        return about | {(_WISH, item.name)} if item.__class__ is kconfiglib.Symbol else about

    def _requirement(self, key: Key) -> Requirement:
        if key == _GOAL:
            return self.goal
        if key in self._rules:
            return self._rules[key]
        return Has(self.tree.symbols[key[1]], self.wishes[key[1]])

    def _check(self, keys: Iterable[Key]) -> None:
        broken = dict(self.broken)
        for key in keys:
            broken.pop(key, None)
            if key[0] == _WISH and key[1] not in self.wishes:
                continue
            if key in self.tolerated and key[1] not in self.changes:
                continue
            requirement = self._requirement(key)
            if not requirement.holds:
                broken[key] = requirement
        self.broken = {key: broken[key] for key in sorted(broken)}


_GOAL: Key = (0, "")
_WISH = 1
_RULE = 2


def _value(item: Symbol | Choice) -> Any:
    return item.str_value if item.__class__ is kconfiglib.Symbol else (item.tri_value, item.selection)


def _watched(all_rules: list[Rule]) -> tuple[dict[Key, Rule], dict[Any, set[Key]]]:
    """Return the rules by their keys, and for each symbol the keys of the rules that have it in their expression."""
    by_key = {(_RULE, rule.key): rule for rule in all_rules}
    about: dict[Any, set[Key]] = {}
    for key, rule in by_key.items():
        for item in _items(rule.expr):
            about.setdefault(item, set()).add(key)
    return by_key, about


def _items(expr: Expr) -> Iterable[Symbol | Choice]:
    pending = [expr]
    while pending:
        term = pending.pop()
        if term.__class__ is tuple:
            pending += term[1:]
        else:
            yield term
