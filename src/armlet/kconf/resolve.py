"""The user's intent applied to a tree, and everything that must hold afterwards."""

from typing import NoReturn

import kconfiglib

from .baseline import first_guaranteed
from .errors import Errors, KconfError, nearest
from .explain import Explainer
from .intent import Assignment, Layer
from .mend import mend
from .target import PROBE_PREFIXES
from .tree import Algorithm, Symbol, Tree, assign, conjuncts, has_prompt, location
from .upgrade import renamed


class Resolution:
    """A tree with an intent applied, in which every wish came true; or else ERRORS says which did not."""

    def __init__(self, tree: Tree, layers: list[Layer], errors: Errors | None = None) -> None:
        self.tree = tree
        errors = errors or Errors()
        self.wishes = _apply(tree, layers, errors)
        self.explainer = Explainer(tree, self.wishes)
        for wish in list(self.wishes.values()):
            with errors.each():
                _check_wish(self, wish)
        for symbol in overridden(tree):
            with errors.each():
                refuse_select(symbol)
        for algorithm in unserved(tree):
            with errors.each():
                refuse_algorithm(self.explainer, algorithm)

    def requested(self, symbol: Symbol) -> str:
        """Return what was asked of a symbol and where, "y (-Dset)", or "default"."""
        wish = self.wishes.get(symbol.name)
        return f"{wish.value} ({wish.origin})" if wish else "default"


class UnmetError(KconfError):
    """A wish that did not come true."""

    def __init__(self, text: str, wish: Assignment) -> None:
        super().__init__(text)
        self.wish = wish


def overridden(tree: Tree) -> list[Symbol]:
    """Return the symbols that another one selects although what they depend on does not hold."""
    return [s for s in tree.symbols.values() if kconfiglib.expr_value(s.rev_dep) > kconfiglib.expr_value(s.direct_dep)]


def unserved(tree: Tree) -> list[Algorithm]:
    """Return the algorithms that are built without a backend that every CPU of the baseline can run."""
    return [a for a in tree.algorithms if tree.is_on(a.symbol.name) and not first_guaranteed(tree, a)]


def _apply(tree: Tree, layers: list[Layer], errors: Errors) -> dict[str, Assignment]:
    """Set the values, layer by layer, and return the wishes that stand: a later layer overrides an earlier one."""
    wishes: dict[str, Assignment] = {}
    for layer in layers:
        present = _without_conflicts(renamed(layer, tree.formers, errors), errors)
        _check_choices(tree, present, errors)
        for assignment in present:
            with errors.each():
                symbol = settable(tree, assignment)
                if not assign(symbol, assignment.value):
                    refuse_value(symbol, assignment)
                for rival in symbol.choice.syms if symbol.choice and assignment.value == "y" else ():
                    if rival.name in wishes and wishes[rival.name].value == "y":
                        del wishes[rival.name]
                wishes[symbol.name] = assignment
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


def refuse_value(symbol: Symbol, assignment: Assignment) -> NoReturn:
    """Raise the error that says what values a symbol takes."""
    allowed = {
        kconfiglib.BOOL: "y or n",
        kconfiglib.INT: "a whole number",
        kconfiglib.HEX: "a hexadecimal number as 0x1f",
    }
    raise KconfError(
        f"{assignment.origin}: {assignment.symbol}={assignment.value}: {assignment.symbol} ({location(symbol)}) "
        f"takes {allowed.get(symbol.orig_type, 'another type of value')}"
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


def _check_wish(resolution: Resolution, wish: Assignment) -> None:
    if resolution.tree.symbols[wish.symbol].str_value != wish.value:
        raise UnmetError(unmet(resolution.explainer, wish), wish)


def unmet(explainer: Explainer, wish: Assignment) -> str:
    """Return the paragraph that says why a wish did not come true, and the smallest change that would mend it."""
    symbol = explainer.tree.symbols[wish.symbol]
    lines = [f"{wish.origin}: {wish.symbol}={wish.value} cannot be had:"]
    lines += ["  " + line for line in explainer.why_not(symbol, wish.value)]
    changes = mend(explainer.tree, symbol, wish.value)
    if changes:
        wanted = ", ".join(f"{name}={value}" for name, value in changes.items())
        lines.append(f"To have it, set {wanted} too; or remove {wish.symbol}={wish.value} from {wish.origin}.")
    elif kconfiglib.expr_value(symbol.direct_dep):
        lines.append(f"Remove {wish.symbol}={wish.value} from {wish.origin}, or change it to what is possible.")
    else:
        lines.append(
            f"No change of the configuration gives it: remove {wish.symbol}={wish.value} from {wish.origin}, "
            f"or build for a target, and with tools, that have what is missing."
        )
    return "\n".join(lines)


def selectors(symbol: Symbol) -> list[Symbol]:
    """Return the symbols that select one, as things are."""
    terms = kconfiglib.split_expr(symbol.rev_dep, kconfiglib.OR)
    return [conjuncts(term)[0] for term in terms if kconfiglib.expr_value(term)]


def refuse_select(symbol: Symbol) -> NoReturn:
    """Raise the error that says who selects a symbol although its dependencies do not hold."""
    raise KconfError(
        f"{', '.join(map(_named, selectors(symbol)))} selects {symbol.name} ({location(symbol)}), whose dependencies "
        f"do not hold: {kconfiglib.expr_str(symbol.direct_dep)}\n"
        f"Let the selecting symbol depend on the same, or use `imply`."
    )


def _named(symbol: Symbol) -> str:
    return f"{symbol.name} ({location(symbol)})"


def refuse_algorithm(explainer: Explainer, algorithm: Algorithm) -> NoReturn:
    """Raise the error that says which backends an algorithm has, and why none runs on every CPU of the baseline."""
    tree = explainer.tree
    lines = [f"{_named(algorithm.symbol)} has no backend that runs on every CPU of the baseline:"]
    for backend in algorithm.backends:
        if tree.is_on(backend.symbol.name):
            missing = " and ".join(sorted(set(backend.needs).difference(tree.baseline())))
            lines.append(f"  {_named(backend.symbol)} needs {missing}, which the baseline does not promise")
        else:
            lines.append(f"  {_named(backend.symbol)} is n: {explainer.brief(backend.symbol)}")
    portable = next((b.symbol.name for b in reversed(algorithm.backends) if not b.needs), None)
    mends = [f"{portable}=y"] if portable else []
    lines.append(f"Set {' or '.join([*mends, f'{algorithm.symbol.name}=n'])}.")
    raise KconfError("\n".join(lines))
