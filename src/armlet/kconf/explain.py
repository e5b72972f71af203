"""Why a symbol has the value it has: down to the user's file, the target, or the probe with the assembler's words."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import kconfiglib

from .baseline import why_left_out
from .intent import Assignment
from .target import ARCHITECTURES, Probe, architecture_of
from .tree import Choice, Expr, Symbol, Tree, conjuncts, has_prompt, location, operands

MAX_DEPTH = 40  # of the lines shown; what is further down is told by its last line
MAX_LISTED = 8  # of the operands of one `||`, of the symbols that select one
MAX_FOLLOWED = 5000  # levels, of which each takes some of Python's stack


class Reason(NamedTuple):
    """One line of an explanation; those that follow it and are deeper are its own reasons."""

    depth: int
    symbol: str  # that the line is about; none where it only tells more of the line above
    text: str


class Explainer:
    """Explains the symbols of a tree to which the assignments WISHES, by symbol, were applied."""

    def __init__(self, tree: Tree, wishes: Mapping[str, Assignment]) -> None:
        self.tree = tree
        self.wishes = wishes

    def why(self, symbol: Symbol) -> list[Reason]:
        """Return what decided the value of a symbol."""
        account = _Account(self)
        account.value(symbol, 0)
        return account.reasons

    def why_not(self, symbol: Symbol, value: str) -> list[Reason]:
        """Return the reasons why a symbol does not have VALUE but another one."""
        account = _Account(self)
        outside = [bounds for bounds in _ranges(symbol) if not bounds.admits(value)]
        if not outside or not symbol.visibility:
            account.value(symbol, 0)
        for bounds in outside:
            account.range(symbol, bounds, 0)
        return account.reasons

    def why_false(self, condition: Expr) -> list[Reason]:
        """Return the reasons why a condition, that of a prompt say, does not hold."""
        account = _Account(self)
        account.condition(condition, 0)
        return account.reasons

    def brief(self, symbol: Symbol) -> str:
        """Return the deepest of the reasons for the value of a symbol."""
        return deepest(self.why(symbol))


def lines(reasons: list[Reason]) -> Iterator[str]:
    """Yield the lines of an explanation, indented by two spaces a level."""
    hidden = 0
    for reason in reasons:
        if reason.depth <= MAX_DEPTH:
            yield "  " * reason.depth + reason.text
        hidden += reason.depth > MAX_DEPTH
    if hidden:
        yield f"{'  ' * MAX_DEPTH}... and, after {hidden - 1} more lines: {deepest(reasons)}"


def deepest(reasons: list[Reason]) -> str:
    """Return the line of an explanation that says what is at the bottom of it; "" where there is none."""
    about_symbols = [reason for reason in reasons if reason.symbol] or reasons
    return max(about_symbols, key=lambda reason: reason.depth).text if reasons else ""


def named(item: Symbol | Choice) -> str:
    """Return what a symbol, or a choice, is called and where it stands."""
    if item.__class__ is kconfiglib.Choice:
        return f"the choice {item.name + ' ' if item.name else ''}at {location(item)}"
    return f"{item.name} ({location(item)})"


def describe(tree: Tree) -> str:
    """Return the target in a few words."""
    target = tree.target
    return f"{target.cpu_family} ({target.word_bits}-bit, {target.endian}-endian)"


class _Account:
    """One explanation in the making. No symbol is explained twice in it."""

    def __init__(self, explainer: Explainer) -> None:
        self.tree = explainer.tree
        self.wishes = explainer.wishes
        self.reasons: list[Reason] = []
        self._told: set[Symbol | Choice] = set()

    def value(self, symbol: Symbol, depth: int) -> None:
        """Say why a symbol has its value."""
        if symbol in self._told or depth > MAX_FOLLOWED:
            return
        self._told.add(symbol)
        if self.tree.is_outside(symbol.name):
            self._outside(symbol, depth)
        elif not kconfiglib.expr_value(symbol.direct_dep):
            self._unmet(symbol, symbol.direct_dep, "depends on", depth)
            if len(symbol.nodes) > 1 and has_prompt(symbol):
                self._hidden(symbol, depth)
        elif symbol.choice:
            self._member(symbol, depth)
        elif symbol.orig_type == kconfiglib.BOOL and kconfiglib.expr_value(symbol.rev_dep):
            self._selected(symbol, depth)
        elif self._is_set(symbol):
            self._say(depth, symbol, f"{named(symbol)} is {_shown(symbol)} {self._wish(symbol)}")
        else:
            self._default(symbol, depth)

    def range(self, symbol: Symbol, bounds: "_Range", depth: int) -> None:
        """Say in which range the value of a number must be."""
        low, high, condition = bounds
        only_if = "" if condition is self.tree.kconfig.y else f", as {kconfiglib.expr_str(condition)} holds"
        self._say(depth, symbol, f"{named(symbol)} ranges from {low.str_value or 0} to {high.str_value or 0}{only_if}")
        for bound in (low, high):
            if bound.nodes:
                self.value(bound, depth + 1)

    def condition(self, expr: Expr, depth: int) -> None:
        """Say why an expression does not hold."""
        for term in operands(expr, kconfiglib.AND):
            if not kconfiglib.expr_value(term):
                if not _is_item(term):
                    self._say(depth, None, f"{kconfiglib.expr_str(term)} does not hold")
                self._truth(term, depth + (not _is_item(term)))

    def _say(self, depth: int, symbol: Symbol | None, text: str) -> None:
        self.reasons.append(Reason(depth, symbol.name or "" if symbol else "", text))

    def _wish(self, symbol: Symbol) -> str:
        wish = self.wishes.get(symbol.name)
        return f"(set in {wish.origin})" if wish else "by default"

    def _is_set(self, symbol: Symbol) -> bool:
        """Whether the user decided the value of a symbol that nothing selects."""
        wish = self.wishes.get(symbol.name)
        return bool(wish and symbol.visibility and wish.value == symbol.str_value)

    def _outside(self, symbol: Symbol, depth: int) -> None:
        """Say how the target or its tools decide a symbol."""
        probe = self.tree.probes.get(symbol.name)
        if probe is None:
            self._say(depth, symbol, f"{named(symbol)} is {_shown(symbol)}: the target is {describe(self.tree)}")
        elif probe.answer == "n/a":
            family = ARCHITECTURES[architecture_of(symbol.name)]
            self._say(depth, symbol, f"{named(symbol)} is for {family}; the target is {describe(self.tree)}")
        elif probe.answer == "no":
            self._say(depth, symbol, f"{named(symbol)} is n: {probe.reason}")
            for text in _details(probe, self.tree.source_dir):
                self._say(depth + 1, None, text)
        else:
            self._say(depth, symbol, f"{named(symbol)} is y: the toolchain takes {probe.file}")

    def _unmet(self, item: Symbol | Choice, expr: Expr, verb: str, depth: int) -> None:
        """Say for each operand of a false expression that makes it false why it is so."""
        for term in operands(expr, kconfiglib.AND):
            if kconfiglib.expr_value(term):
                continue
            if term.__class__ is kconfiglib.Choice:
                self._say(depth, item, f"{named(item)} is of {named(term)}, which is off")
            elif _is_item(term):
                self._say(depth, item, f"{named(item)} {verb} {term.name}, which is n")
            else:
                self._say(depth, item, f"{named(item)} {verb} {kconfiglib.expr_str(term)}, which does not hold")
            self._truth(term, depth + 1)

    def _truth(self, expr: Expr, depth: int) -> None:
        """Say why an expression holds, or does not: by those of its operands alone that decide it."""
        if expr.__class__ is kconfiglib.Choice:
            self._choice(expr, depth)
        elif expr.__class__ is not tuple:
            if expr.nodes:
                self.value(expr, depth)
        elif expr[0] in (kconfiglib.AND, kconfiglib.OR):
            truth = kconfiglib.expr_value(expr)
            terms = [term for term in operands(expr, expr[0]) if kconfiglib.expr_value(term) == truth]
            for term in terms[:MAX_LISTED]:
                self._truth(term, depth)
            if len(terms) > MAX_LISTED:
                self._say(depth, None, f"and likewise {len(terms) - MAX_LISTED} more")
        elif expr[0] == kconfiglib.NOT:
            self._truth(expr[1], depth)
        else:
            for item in expr[1:]:
                self._operand(item, depth)

    def _operand(self, item: Symbol, depth: int) -> None:
        """Say what value an operand of a comparison has, and why."""
        if not item.nodes:
            return
        if item in self._told or not kconfiglib.expr_value(item.direct_dep):
            self._say(depth, item, f"{named(item)} is {_shown(item)}")
            depth += 1
        self.value(item, depth)

    def _choice(self, choice: Choice, depth: int) -> None:
        """Say why a choice is off."""
        if choice in self._told:
            return
        self._told.add(choice)
        if not choice.visibility:
            self._unmet(choice, _prompt_condition(choice), "depends on", depth)
        else:
            self._say(depth, choice, f"{named(choice)} may be empty, and nothing is chosen in it")

    def _member(self, symbol: Symbol, depth: int) -> None:
        """Say why a symbol is the chosen one of its choice, or is not."""
        chosen = symbol.choice.selection
        if chosen is symbol:
            self._say(depth, symbol, f"{named(symbol)} is the chosen one of its choice {self._wish(symbol)}")
        elif not symbol.visibility:
            self._hidden(symbol, depth)
        elif chosen is None:
            self._choice(symbol.choice, depth)
        else:
            how = self._wish(chosen)
            self._say(depth, symbol, f"{named(symbol)} and {chosen.name} exclude each other, which is on {how}")

    def _selected(self, symbol: Symbol, depth: int) -> None:
        """Say which symbols select one."""
        selectors = [s for s in operands(symbol.rev_dep, kconfiglib.OR) if kconfiglib.expr_value(s)]
        shown = [kconfiglib.expr_str(selector) for selector in selectors[:MAX_LISTED]]
        more = f" and {len(selectors) - MAX_LISTED} more" if len(selectors) > MAX_LISTED else ""
        self._say(depth, symbol, f"{named(symbol)} is selected by {', '.join(shown)}{more}")
        for selector in selectors[:MAX_LISTED]:
            self.value(conjuncts(selector)[0], depth + 1)

    def _default(self, symbol: Symbol, depth: int) -> None:
        """Say what gave a symbol the value that neither the user nor a `select` gave it."""
        is_bool = symbol.orig_type == kconfiglib.BOOL
        if is_bool and kconfiglib.expr_value(symbol.weak_rev_dep):
            source = next(s for s in operands(symbol.weak_rev_dep, kconfiglib.OR) if kconfiglib.expr_value(s))
            self._say(depth, symbol, f"{named(symbol)} is y, implied by {kconfiglib.expr_str(source)}")
            self.value(conjuncts(source)[0], depth + 1)
            return
        if left_out := why_left_out(self.tree, symbol.name):
            self._say(depth, symbol, f"{named(symbol)} is n: {left_out}")
            return
        passed, applies = _defaults(symbol)
        self._say(depth, symbol, f"{named(symbol)} is {_shown(symbol)} by default{_how(symbol, applies)}")
        if applies:
            self._truth(applies.value, depth + 1)
        for default in passed:
            if is_bool and bool(kconfiglib.expr_value(default.value)) == bool(symbol.tri_value):
                continue
            self._say(depth + 1, symbol, f"its `{default.text}` does not apply")
            self.condition(default.condition, depth + 2)
        if not has_prompt(symbol):
            self._unselected(symbol, depth + 1)
        elif not symbol.visibility:
            self._hidden(symbol, depth + 1)

    def _hidden(self, symbol: Symbol, depth: int) -> None:
        """Say why a symbol whose dependencies hold cannot be set all the same."""
        self._unmet(symbol, _prompt_condition(symbol), "can be set only with", depth)

    def _unselected(self, symbol: Symbol, depth: int) -> None:
        """Say why nothing selects a symbol."""
        if symbol.orig_type != kconfiglib.BOOL or symbol.tri_value:
            return
        for selector in operands(symbol.rev_dep, kconfiglib.OR)[:MAX_LISTED]:
            if selector is not self.tree.kconfig.n:
                self._say(depth, symbol, f"{symbol.name} would be selected by {kconfiglib.expr_str(selector)}")
                self.condition(selector, depth + 1)


def _details(probe: Probe, source_dir: str) -> Iterator[str]:
    """Yield the line of a probe that was refused, and the command that shows it."""
    if where := re.search(re.escape(probe.file) + r":(\d+)", probe.words):
        try:
            with open(os.path.join(source_dir, probe.file), encoding="utf-8") as file:
                yield f"line {where[1]}: {file.read().splitlines()[int(where[1]) - 1].strip()}"
        except (OSError, ValueError, IndexError):  # changed since it was probed
            pass
    yield f"command: {' '.join(probe.argv)}"


def _prompt_condition(item: Symbol | Choice) -> Expr:
    """Return what must hold for the user to set a symbol or a choice."""
    conditions = [node.prompt[1] for node in item.nodes if node.prompt]
    expr = conditions[0]
    for condition in conditions[1:]:
        expr = (kconfiglib.OR, expr, condition)
    return expr


class _Default(NamedTuple):
    value: Expr
    condition: Expr
    text: str  # as it is written in Kconfig


def _defaults(symbol: Symbol) -> tuple[list[_Default], _Default | None]:
    """Return the defaults whose condition does not hold, and the first whose condition does."""
    passed: list[_Default] = []
    for (value, condition, *_), (_, written, *_) in zip(symbol.defaults, symbol.orig_defaults, strict=True):
        only_if = "" if written is symbol.kconfig.y else f" if {kconfiglib.expr_str(written)}"
        default = _Default(value, condition, f"default {kconfiglib.expr_str(value)}{only_if}")
        if kconfiglib.expr_value(condition):
            return passed, default
        passed.append(default)
    return passed, None


def _how(symbol: Symbol, applies: _Default | None) -> str:
    """Say which default it is, where that is not plain, or what came of it."""
    if symbol.orig_type in (kconfiglib.INT, kconfiglib.HEX):
        given = applies.value.str_value if applies else ""
        if given != symbol.str_value:
            return f" (`{applies.text}`, brought into its range)" if applies else " (the nearest to 0 in its range)"
    is_plain = not applies or (not _is_tuple_or_symbol(applies.value) and " if " not in applies.text)
    return "" if is_plain or not applies else f" (`{applies.text}`)"


def _is_tuple_or_symbol(expr: Expr) -> bool:
    return expr.__class__ is tuple or bool(expr.nodes)


class _Range(NamedTuple):
    low: Symbol
    high: Symbol
    condition: Expr  # as it is written in Kconfig

    def admits(self, value: str) -> bool:
        """Whether a number is in the range."""
        low, high, number = (_number(text) for text in (self.low.str_value, self.high.str_value, value))
        return low <= number <= high


def _ranges(symbol: Symbol) -> Iterator[_Range]:
    """Yield the range that a number must be in; where it can have no value now, that which it always must be in."""
    for (low, high, condition, *_), (_, _, written, *_) in zip(symbol.ranges, symbol.orig_ranges, strict=True):
        if kconfiglib.expr_value(condition) or (not symbol.visibility and written is symbol.kconfig.y):
            yield _Range(low, high, written)
            return


def _number(text: str) -> int:
    try:
        return int(text, 16 if text[:2] in ("0x", "0X") else 10)
    except ValueError:
        return 0  # as in Kconfig


def _shown(symbol: Symbol) -> str:
    value = str(symbol.str_value)
    return f'"{value}"' if symbol.orig_type == kconfiglib.STRING else value or "without a value"


def _is_item(term: Expr) -> bool:
    """Whether an expression is a symbol, or a choice, that is defined somewhere."""
    return term.__class__ is not tuple and bool(term.nodes)
