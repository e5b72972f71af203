"""What the baseline makes of the backends: which of them it guarantees, and which it makes pointless.

- BASELINE_X promises that every CPU that runs the build has ISA_X. A backend is guaranteed that needs nothing else.
- What comes after a guaranteed backend is pointless: it never serves. Where a measurement selects, nothing is: with
  SELECT_BY_MEASUREMENT, and with SELECT_MEASURED_WHERE_UNSURE if UNSURE_ALGORITHM says so of the order.
- BACKENDS_USEFUL is for a build without the pointless ones, BACKENDS_ONE for one with the first guaranteed one alone.

All of these are symbols that a project's Kconfig may have. The last two only change defaults: what a user sets to y is
built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import kconfiglib

if TYPE_CHECKING:
    from .tree import Algorithm, Backend, Tree

MEASURED = "SELECT_BY_MEASUREMENT"
MEASURED_WHERE_UNSURE = "SELECT_MEASURED_WHERE_UNSURE"
UNSURE = "UNSURE_"
USEFUL = "BACKENDS_USEFUL"
ONE = "BACKENDS_ONE"

Expr = Any


def is_measured(tree: Tree, algorithm: Algorithm) -> bool:
    """Whether the fastest in a measurement serves, and not the first in order."""
    return bool(kconfiglib.expr_value(_measured(tree, algorithm)))


def is_guaranteed(tree: Tree, backend: Backend) -> bool:
    """Whether every CPU of the baseline can run a backend."""
    return bool(kconfiglib.expr_value(_guaranteed(tree, backend)))


def first_guaranteed(tree: Tree, algorithm: Algorithm) -> Backend | None:
    """Return the first backend that is built and that every CPU of the baseline can run."""
    built = (backend for backend in algorithm.backends if backend.symbol.tri_value)
    return next((backend for backend in built if is_guaranteed(tree, backend)), None)


def why_left_out(tree: Tree, name: str) -> str | None:
    """Return why a symbol is n by default, if it is a backend and BACKENDS_USEFUL or BACKENDS_ONE made it so."""
    if name not in tree.backend_of:
        return None
    algorithm, backend = tree.backend_of[name]
    one = bool(kconfiglib.expr_value(_symbol(tree, ONE)))
    if not one and (is_measured(tree, algorithm) or not kconfiglib.expr_value(_symbol(tree, USEFUL))):
        return None
    first = first_guaranteed(tree, algorithm)
    if first and algorithm.backends.index(first) < algorithm.backends.index(backend):
        return f"the baseline makes it pointless: {first.name} always comes first"
    if one and not is_guaranteed(tree, backend):
        return f"{ONE} is y, and the baseline does not promise all of {', '.join(backend.needs)}"
    return None


def adapt_defaults(tree: Tree) -> None:
    """Work BACKENDS_USEFUL and BACKENDS_ONE into the defaults of the backends, where Kconfig has them."""
    one, useful = _symbol(tree, ONE), _symbol(tree, USEFUL)
    for algorithm in tree.algorithms:
        useful_matters = _and(useful, _not(_measured(tree, algorithm)))
        for index, backend in enumerate(algorithm.backends):
            outdone = _outdone(tree, backend, algorithm.backends[:index])
            unsuited = _or(outdone, _not(_guaranteed(tree, backend)))
            _unless(backend.symbol, _or(_and(useful_matters, outdone), _and(one, unsuited)))


def _outdone(tree: Tree, backend: Backend, before: list[Backend]) -> Expr:
    """Whether one of those before a backend is built and guaranteed, and can do without it."""
    outdone = tree.kconfig.n
    for other in before:
        if backend.symbol not in kconfiglib.split_expr(other.symbol.direct_dep, kconfiglib.AND):
            outdone = _or(outdone, _and(other.symbol, _guaranteed(tree, other)))
    return outdone


def _measured(tree: Tree, algorithm: Algorithm) -> Expr:
    unsure = _symbol(tree, UNSURE + algorithm.symbol.name)
    return _or(_symbol(tree, MEASURED), _and(_symbol(tree, MEASURED_WHERE_UNSURE), unsure))


def _guaranteed(tree: Tree, backend: Backend) -> Expr:
    promise = tree.kconfig.y
    for need in backend.needs:
        promise = _and(promise, _symbol(tree, tree.promise(need)))
    return promise


def _symbol(tree: Tree, name: str) -> Expr:
    return tree.symbols.get(name, tree.kconfig.n)


def _unless(symbol: Any, condition: Expr) -> None:
    """Have the defaults of a symbol apply only where CONDITION does not hold."""
    if _is(condition, "n"):
        return
    for owner in (symbol, *symbol.nodes):
        owner.defaults = [(value, _and(old, _not(condition)), *rest) for value, old, *rest in owner.defaults]
    # As kconfiglib does with the conditions that it reads: when they change, so may the symbol.
    kconfiglib._depend_on(symbol, condition)


def _and(left: Expr, right: Expr) -> Expr:
    if _is(left, "n") or _is(right, "y"):
        return left
    return right if _is(left, "y") or _is(right, "n") else (kconfiglib.AND, left, right)


def _or(left: Expr, right: Expr) -> Expr:
    if _is(left, "y") or _is(right, "n"):
        return left
    return right if _is(left, "n") or _is(right, "y") else (kconfiglib.OR, left, right)


def _not(expr: Expr) -> Expr:
    return expr.kconfig.y if _is(expr, "n") else expr.kconfig.n if _is(expr, "y") else (kconfiglib.NOT, expr)


def _is(expr: Expr, constant: str) -> bool:
    return bool(expr.__class__ is kconfiglib.Symbol and expr.is_constant and expr.name == constant)
