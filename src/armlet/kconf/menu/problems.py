"""What is wrong with a draft, where, and what would mend it."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any, NamedTuple, NoReturn

import kconfiglib

from ..errors import KconfError
from ..intent import PREFIX, Assignment
from ..mend import mend
from ..resolve import overridden, refuse_algorithm, refuse_select, selectors, unmet, unserved
from ..tree import Algorithm, Symbol, Tree, has_prompt
from .draft import Draft, Line


class Fix(NamedTuple):
    """One way to mend a problem."""

    label: str
    dropped: list[Line]
    changes: dict[str, str]


class Problem:
    """Something that the setup of a build would refuse. Its text and its fixes are worked out when they are read."""

    def __init__(
        self, symbol: str | None, text: Callable[[], str], fixes: Callable[[], list[Fix]], *lines: Line
    ) -> None:
        self.symbol = symbol  # where the menu shows it
        self.lines = lines  # without which it would not be
        self._text = text
        self._fixes = fixes

    @cached_property
    def text(self) -> str:
        """A paragraph: where, what and why."""
        return self._text()

    @cached_property
    def fixes(self) -> list[Fix]:
        """The ways to mend it, the most likely first."""
        return self._fixes()


def problems(draft: Draft) -> list[Problem]:
    """Return everything that is wrong with a draft."""
    return [*_faults(draft), *_conflicts(draft), *_unmet(draft), *_selects(draft), *_algorithms(draft)]


def _faults(draft: Draft) -> Iterator[Problem]:
    for line in draft.faults:
        known = line.symbol if line.symbol in draft.tree.symbols else None
        yield Problem(known, partial(draft.fault, line), partial(_fixes_of_fault, draft, line), line)


def _fixes_of_fault(draft: Draft, line: Line) -> list[Fix]:
    fixes = []
    if line.assignment and line.symbol not in draft.tree.symbols:
        value = line.assignment.value
        for name in _neighbours(draft.tree, line.assignment):
            fixes.append(Fix(f"read it as {name}={value}", [line], {name: value}))
    what = "the line" if ":" in line.origin else "it"
    return [*fixes, Fix(f"leave {what} out", [line], {})]


def _neighbours(tree: Tree, assignment: Assignment) -> list[str]:
    """Return the symbols that may have been meant, and take the value."""
    import difflib

    settable = [name for name, symbol in tree.symbols.items() if has_prompt(symbol)]
    close = difflib.get_close_matches(assignment.symbol.removeprefix(PREFIX), settable, n=3, cutoff=0.6)
    is_bool = assignment.value in ("y", "n")
    return [name for name in close if (tree.symbols[name].orig_type == kconfiglib.BOOL) == is_bool]


def _conflicts(draft: Draft) -> Iterator[Problem]:
    """Two lines of one file that contradict each other."""
    seen: dict[tuple[str, object], Line] = {}
    faults = set(draft.faults)
    for line in draft.lines:
        if line.assignment is None or line in faults:
            continue
        symbol = draft.tree.symbols[line.assignment.symbol]
        keys: list[object] = [line.symbol]
        if symbol.choice and line.assignment.value == "y":
            keys.append(id(symbol.choice))
        for key in keys:
            earlier = seen.setdefault((line.source, key), line)
            if earlier.assignment and earlier.assignment[:2] != line.assignment[:2]:
                kind = "contradicts" if earlier.symbol == line.symbol else "excludes, in the same choice,"
                text = f"{line.origin}: {line.symbol}={line.assignment.value} {kind} {earlier.assignment}"
                fixes = [Fix(f"keep {earlier.assignment}", [line], {}), Fix(f"keep {line.assignment}", [earlier], {})]
                yield Problem(line.symbol, partial(str, text), partial(list, fixes), earlier)


def _unmet(draft: Draft) -> Iterator[Problem]:
    for wish in draft.unmet():
        lines = [line for line in draft.lines if line.assignment == wish]
        text = partial(unmet, draft.explainer, wish)
        yield Problem(wish.symbol, text, partial(_fixes_of_unmet, draft, wish, lines), *lines)


def _fixes_of_unmet(draft: Draft, wish: Assignment, lines: list[Line]) -> list[Fix]:
    symbol = draft.tree.symbols[wish.symbol]
    fixes = [Fix(f"leave {wish.symbol}={wish.value} out", lines, {})]
    if changes := mend(draft.tree, symbol, wish.value):
        fixes.insert(0, Fix("set " + ", ".join(f"{name}={value}" for name, value in changes.items()), [], changes))
    elif bounds := limits(symbol):
        base = 16 if symbol.orig_type == kconfiglib.HEX else 10
        low, high = (int(bound, base) for bound in bounds)
        closest = bounds[0] if int(wish.value, base) < low else bounds[1] if int(wish.value, base) > high else None
        if closest:
            fixes.insert(0, Fix(f"set {wish.symbol}={closest}", lines, {wish.symbol: closest}))
    return fixes


def limits(symbol: Symbol) -> tuple[str, str] | None:
    """Return the range that an int or hex symbol has now."""
    for low, high, condition, *_ in symbol.ranges:
        if kconfiglib.expr_value(condition):
            return low.str_value, high.str_value
    return None


def _selects(draft: Draft) -> Iterator[Problem]:
    for symbol in overridden(draft.tree):
        changes = {selector.name: "n" for selector in selectors(symbol) if has_prompt(selector)}
        fixes = [Fix("set " + ", ".join(f"{name}=n" for name in changes), [], changes)] if changes else []
        yield Problem(symbol.name, partial(_said, refuse_select, symbol), partial(list, fixes))


def _algorithms(draft: Draft) -> Iterator[Problem]:
    for algorithm in unserved(draft.tree):
        text = partial(_said, refuse_algorithm, draft.explainer, algorithm)
        yield Problem(algorithm.symbol.name, text, partial(_fixes_of_algorithm, draft.tree, algorithm))


def _said(refuse: Callable[..., NoReturn], *what: Any) -> str:
    """Return what the setup of a build would say."""
    try:
        refuse(*what)
    except KconfError as error:
        return str(error)


def _fixes_of_algorithm(tree: Tree, algorithm: Algorithm) -> list[Fix]:
    promised = set(tree.baseline())
    names = [
        str(backend.symbol.name)
        for backend in reversed(algorithm.backends)
        if promised.issuperset(backend.needs) and backend.symbol.visibility
    ]
    fixes = [Fix(f"set {name}=y", [], {name: "y"}) for name in names]
    name = str(algorithm.symbol.name)
    return [*fixes, Fix(f"set {name}=n", [], {name: "n"})]
