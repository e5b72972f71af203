"""What must hold of every configuration, beside that each wish of the user comes true.

A rule is an expression like those in Kconfig, so that whoever looks for a change of the configuration can follow it.
"""

from collections.abc import Callable
from typing import NamedTuple

import kconfiglib

from .baseline import guaranteed
from .explain import Explainer, named
from .tree import Algorithm, Backend, Expr, Symbol, Tree, conjuncts, operands


class Rule(NamedTuple):
    """An expression that must be true."""

    key: str  # the only rule of that name
    symbol: Symbol  # that it is about
    expr: Expr
    complain: Callable[[Explainer], str]  # what to say where it is false
    algorithm: Algorithm | None = None  # that it is about, if it is not about a `select`

    @property
    def holds(self) -> bool:
        """Whether it is true at present."""
        return bool(kconfiglib.expr_value(self.expr))


def rules(tree: Tree) -> list[Rule]:
    """Return the rules of a tree."""
    selected = [symbol for symbol in tree.symbols.values() if symbol.rev_dep is not tree.kconfig.n]
    return [
        *(_select_rule(symbol) for symbol in selected if symbol.direct_dep is not tree.kconfig.y),
        *(_algorithm_rule(tree, algorithm) for algorithm in tree.algorithms),
    ]


def broken_rules(tree: Tree) -> list[Rule]:
    """Return the rules that do not hold at present."""
    return [rule for rule in rules(tree) if not rule.holds]


def selectors(symbol: Symbol) -> list[Symbol]:
    """Return the symbols that select one at present."""
    return [conjuncts(term)[0] for term in operands(symbol.rev_dep, kconfiglib.OR) if kconfiglib.expr_value(term)]


def _select_rule(symbol: Symbol) -> Rule:
    """A selected symbol needs its dependencies: `select` does not look at them."""

    def complain(_: Explainer) -> str:
        return (
            f"{', '.join(map(named, selectors(symbol)))} selects {named(symbol)}, whose dependencies do not hold: "
            f"{kconfiglib.expr_str(symbol.direct_dep)}\nLet the selecting symbol depend on the same, or use `imply`."
        )

    expr = (kconfiglib.OR, (kconfiglib.NOT, symbol.rev_dep), symbol.direct_dep)
    return Rule(f"select {symbol.name}", symbol, expr, complain)


def _algorithm_rule(tree: Tree, algorithm: Algorithm) -> Rule:
    """An algorithm that is built needs a backend that every CPU of the baseline can run."""

    def complain(explainer: Explainer) -> str:
        lines = [f"{named(algorithm.symbol)} has no backend that runs on every CPU of the baseline:"]
        lines += [f"  {_why_not_enough(explainer, backend)}" for backend in algorithm.backends]
        return "\n".join(lines)

    expr: Expr = (kconfiglib.NOT, algorithm.symbol)
    for backend in algorithm.backends:
        expr = (kconfiglib.OR, expr, (kconfiglib.AND, backend.symbol, guaranteed(tree, backend)))
    return Rule(f"algorithm {algorithm.name}", algorithm.symbol, expr, complain, algorithm)


def _why_not_enough(explainer: Explainer, backend: Backend) -> str:
    what = named(backend.symbol)
    if not backend.symbol.tri_value:
        reason = explainer.brief(backend.symbol)
        return reason if reason.startswith(what) else f"{what} is n: {reason}"
    missing = sorted(set(backend.needs) - set(explainer.tree.baseline()))
    return f"{what} needs {' and '.join(missing)}, which the baseline does not promise"
