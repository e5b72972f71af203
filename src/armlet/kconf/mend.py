"""The smallest change of a configuration that makes a requirement hold: searched for, proven, and verified.

The search goes from the requirement to its levers (see levers.py), makes one of them, and goes on with what does not
hold then, until all does. It tries changes of one symbol first, then of two: what it finds first is smallest. What led
to no solution is learnt as a set of changes that no solution contains; the empty set proves that there is none.
"""

from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from .intent import Assignment
from .levers import Levers
from .rules import Rule, rules
from .tree import Symbol, Tree
from .trial import Change, Has, Requirement, Trial, Undo

Changes = dict[str, str | None]  # None: the user shall no longer wish anything of the symbol
Effects = dict[str, tuple[str, str]]  # symbols, with the value that they had and the one that they get
Nogood = frozenset[Change]

MAX_WORK = 500_000  # things looked at, until the search gives up
MAX_COMPARED = 12  # solutions of the same size
MAX_GIVEN = 4  # of them

_UNLIMITED = 1 << 30


class Mend(NamedTuple):
    """What was found."""

    solutions: list[Changes]  # of one size, the best first: that with few effects on others
    smallest: bool  # proven: no solution has fewer changes; otherwise none of its changes can be left out
    impossible: bool  # proven: there is none
    effects: Effects  # of the best one
    blockers: list[str]  # where there is none: facts of the target and probes that would have to be others
    hopeless: bool  # proven: not even then is there one

    @property
    def changes(self) -> Changes | None:
        """The best solution."""
        return self.solutions[0] if self.solutions else None


def mend_value(
    tree: Tree, wishes: Mapping[str, Assignment], symbol: Symbol, value: str, *, by_wish: bool = False
) -> Mend:
    """Look for changes that give a symbol a value; with BY_WISH only for those in which the user wishes it.

    Where he does already, it stays so. The tree is left alone.
    """
    goal = Has(tree.twin.symbols[symbol.name], value)
    wish = wishes.get(symbol.name)
    mender = _Mender(tree.twin, wishes, goal, symbol.name if wish and wish.value == value else None)
    if by_wish and mender.levers.fixed is None:
        mender.trial.put((symbol.name, value))
    return mender.mend()


def mend_rule(tree: Tree, wishes: Mapping[str, Assignment], rule: Rule) -> Mend:
    """Look for changes that make a rule hold. The tree is left alone."""
    goal = next(twin for twin in rules(tree.twin) if twin.key == rule.key)
    return _Mender(tree.twin, wishes, goal, None).mend()


class _Mender:
    def __init__(self, tree: Tree, wishes: Mapping[str, Assignment], goal: Requirement, fixed: str | None) -> None:
        self.tree = tree
        self.wishes = wishes
        self.goal = goal
        self.trial = Trial(tree, {name: wish.value for name, wish in wishes.items()}, goal)
        self.levers = Levers(self.trial, fixed)

    def mend(self) -> Mend:
        search = _Search(self.trial, self.levers)
        smallest, impossible = search.smallest(), search.refuted
        if not search.solutions and not impossible:
            search.any()
            impossible = search.refuted
            search.solutions = [self._needed(changes) for changes in search.solutions]
        blockers, hopeless = self._blockers() if impossible else ([], False)
        solutions = [
            {name: changes[name] for name in self.tree.symbols if name in changes} for changes in search.solutions
        ]
        effects = [(self._effects(changes), changes) for changes in solutions]
        ranked = sorted(effects, key=lambda pair: self._rank(*pair))
        verified = list(islice((pair for pair in ranked if self._is_verified(pair[1])), MAX_GIVEN))
        exact = self.levers.candidates.complete and verified[:1] == ranked[:1]
        return Mend(
            solutions=[changes for _, changes in verified],
            smallest=smallest and exact,
            impossible=impossible and exact,
            effects=verified[0][0] if verified else {},
            blockers=blockers,
            hopeless=hopeless and exact,
        )

    def _blockers(self) -> tuple[list[str], bool]:
        """Find out which facts of the target and probes would have to be others; and whether not even that would do."""
        self.levers.free_target()
        search = _Search(self.trial, self.levers)
        search.any()
        needed = self._needed(search.solutions[0]) if search.solutions else {}
        return [name for name in needed if self.tree.is_outside(name)], search.refuted

    def _needed(self, changes: Changes) -> Changes:
        """Leave out what can be, until nothing can."""
        trial = self.trial
        left_out: list[Undo] = []
        with trial.having(changes):
            names = list(changes)
            while names:
                undo = trial.drop(names.pop())
                if trial.broken:
                    trial.take_back(undo)
                else:
                    left_out.append(undo)
                    names = list(trial.changes)
            needed = dict(trial.changes)
            for undo in reversed(left_out):
                trial.take_back(undo)
        return needed

    def _effects(self, changes: Changes) -> Effects:
        with self.trial.having(changes):
            return self.trial.effects

    def _rank(self, effects: Effects, changes: Changes) -> tuple[int, int]:
        """A wish should override few others; where a rule is broken, a wish is likely to be at fault."""
        overrides = len(changes.keys() & self.wishes.keys())
        return (len(effects), -overrides) if isinstance(self.goal, Rule) else (overrides, len(effects))

    def _is_verified(self, changes: Changes) -> bool:
        """Whether a change does what it should in a configuration that is resolved anew, as a build does it."""
        from .resolve import apply, faults

        kept = [wish for wish in self.wishes.values() if changes.get(wish.symbol, "") is not None]
        changed = [Assignment(name, value, "the change") for name, value in changes.items() if value is not None]
        wishes = apply(self.tree, [kept, changed])
        return self.goal.holds and all(self.trial.tolerates(fault, changes) for fault in faults(self.tree, wishes))


class _GaveUpError(Exception):
    """The search has become too long."""


class _Search:
    """A depth-first search that is repeated with ever larger bounds on the number of changes."""

    def __init__(self, trial: Trial, levers: Levers) -> None:
        self.trial = trial
        self.levers = levers
        self.solutions: list[Changes] = []
        self.refuted = False  # whether it is proven that there is no solution
        self._learnt: dict[Change, list[Nogood]] = {}  # by each of the changes in them
        self._bound = 0
        self._next_bound = 0
        self._wanted = 0  # solutions
        self._spare: Changes | None = None  # a solution beyond the bound
        self._work_until = 0

    def smallest(self) -> bool:
        """Find solutions of the smallest size, or refute that there are any; whether it could."""
        self._wanted = MAX_COMPARED
        self._work_until = self._work() + MAX_WORK
        self._next_bound = 1
        with suppress(_GaveUpError):
            while not self.solutions and not self.refuted:
                self._bound, self._next_bound, self._spare = self._next_bound, _UNLIMITED, None
                self.refuted = self._below(frozenset()) is not None and not self.solutions
                if self._spare and not self.solutions and len(self._spare) < self._next_bound:
                    self.solutions = [self._spare]
        return bool(self.solutions)

    def any(self) -> None:
        """Find one solution, or refute that there is any."""
        self._wanted = 1
        self._work_until = self._work() + MAX_WORK
        self._bound = _UNLIMITED
        with suppress(_GaveUpError):
            self.refuted = self._below(frozenset()) is not None and not self.solutions

    def _work(self) -> int:
        return self.trial.work + self.levers.work

    def _below(self, elsewhere: frozenset[Change]) -> Nogood | None:
        """Search with the changes that the trial has, and more.

        Changes in ELSEWHERE are searched by another branch. Returns those of the trial's changes with which there is
        no solution (but those that were found), or None if the bound kept the search from telling.
        """
        if self._work() > self._work_until or len(self.solutions) >= self._wanted:
            raise _GaveUpError
        size = len(self.trial.changes)
        if not self.trial.broken:
            return self._solved(size)
        levers, reads = self.levers.narrowest(self.trial.broken.values())
        if len(levers) > 1 and size >= self._bound:
            self._next_bound = min(self._next_bound, size + 1)
            return None
        causes = {(name, self.trial.changes[name]) for name in reads}
        told = True
        for lever in levers:
            nogood = self._known(lever)
            if nogood is None and lever not in elsewhere:
                nogood = self._with(lever, elsewhere)
                elsewhere |= {lever}
            if nogood is None:
                told = False
            elif lever in nogood:
                causes |= nogood - {lever}
            else:
                return nogood
        return self._learn(causes) if told else None

    def _with(self, lever: Change, elsewhere: frozenset[Change]) -> Nogood | None:
        undo = self.trial.put(lever)
        try:
            return self._below(elsewhere)
        finally:
            self.trial.take_back(undo)

    def _solved(self, size: int) -> Nogood | None:
        if size > self._bound:  # there was no choice on the way
            if self._spare is None or size < len(self._spare):
                self._spare = dict(self.trial.changes)
            else:
                self._next_bound = min(self._next_bound, size)
            return None
        self.solutions.append(dict(self.trial.changes))
        return self._learn(set(self.trial.changes.items()))  # with more changes it would be no better

    def _known(self, lever: Change) -> Nogood | None:
        made = self.trial.changes.items()
        return next((nogood for nogood in self._learnt.get(lever, ()) if nogood - {lever} <= made), None)

    def _learn(self, changes: set[Change]) -> Nogood:
        nogood = frozenset(changes)
        for change in nogood:
            self._learnt.setdefault(change, []).append(nogood)
        return nogood
