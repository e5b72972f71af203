"""What must hold of every configuration, beside that each wish of the user comes true.

A rule is an expression like those in Kconfig, so that whoever looks for a change of the configuration can follow it.
"""

from collections.abc import Callable
from typing import NamedTuple

import kconfiglib

from .explain import Explainer, named
from .tree import BASELINE, ISA, Algorithm, Backend, Expr, Symbol, Tree, conjuncts, operands


class Rule(NamedTuple):
    """An expression that must be true."""

    key: str  # the only rule of that name
    symbol: Symbol  # that it is about
    expr: Expr
    complain: Callable[[Explainer], str]  # what to say where it is false

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


def _select_rule(symbol: Symbol) -> Rule:
    """A selected symbol needs its dependencies: `select` does not look at them."""

    def complain(_: Explainer) -> str:
        selectors = [term for term in operands(symbol.rev_dep, kconfiglib.OR) if kconfiglib.expr_value(term)]
        return (
            f"{', '.join(named(conjuncts(selector)[0]) for selector in selectors)} selects {named(symbol)}, "
            f"whose dependencies do not hold: {kconfiglib.expr_str(symbol.direct_dep)}\n"
            f"Let the selecting symbol depend on the same, or use `imply`."
        )

    return Rule(f"select {symbol.name}", symbol, (kconfiglib.OR, (kconfiglib.NOT, symbol.rev_dep), symbol.direct_dep), complain)


def _algorithm_rule(tree: Tree, algorithm: Algorithm) -> Rule:
    """An algorithm that is built needs a backend that every CPU of the baseline can run."""
    expr: Expr = (kconfiglib.NOT, algorithm.symbol)
    for backend in algorithm.backends:
        promises = [tree.symbols.get(_promise(isa)) for isa in backend.needs]
        if all(promises):
            serves = backend.symbol
            for promise in promises:
                serves = (kconfiglib.AND, serves, promise)
            expr = (kconfiglib.OR, expr, serves)

    def complain(explainer: Explainer) -> str:
        lines = [f"{named(algorithm.symbol)} has no backend that runs on every CPU of the baseline:"]
        lines += [f"  {_why_not_enough(explainer, backend)}" for backend in algorithm.backends]
        return "\n".join(lines)

    return Rule(f"algorithm {algorithm.name}", algorithm.symbol, expr, complain)


def _promise(isa: str) -> str:
    return BASELINE + isa[len(ISA) :]


def _why_not_enough(explainer: Explainer, backend: Backend) -> str:
    what = named(backend.symbol)
    if not backend.symbol.tri_value:
        reason = explainer.brief(backend.symbol)
        return reason if reason.startswith(what) else f"{what} is n: {reason}"
    missing = sorted(set(backend.needs) - set(explainer.tree.baseline()))
    return f"{what} needs {' and '.join(missing)}, which the baseline does not promise"
