"""Where the value of a symbol comes from."""

from typing import Any

import kconfiglib

from ..explain import Explainer
from ..tree import Expr, Symbol


def origin(symbol: Symbol, explainer: Explainer) -> str:
    """Say where the value of a symbol comes from."""
    name = symbol.name
    if name in explainer.tree.facts:
        target = explainer.tree.target
        return f"the target is {target.system} {target.cpu_family}, {target.word_bits}-bit, {target.endian}-endian"
    if probe := explainer.tree.probes.get(name):
        return probe.reason or f"the toolchain takes {probe.file}"
    wish = explainer.wishes.get(name)
    if wish and wish.value == symbol.str_value:
        return f"set in {wish.origin}"
    if kconfiglib.expr_value(symbol.rev_dep):
        return f"selected by {_names(symbol.rev_dep)}"
    if symbol.choice and symbol.choice.selection:
        chosen = symbol.choice.selection
        return "the default of its choice" if chosen is symbol else f"{chosen.name} is chosen"
    if not kconfiglib.expr_value(symbol.direct_dep):
        return "what it depends on does not hold"
    if symbol.str_value == "y" and kconfiglib.expr_value(symbol.weak_rev_dep):
        return f"implied by {_names(symbol.weak_rev_dep)}"
    return "the default" + (f", overriding {wish}" if wish else "")


def operands(expr: Expr) -> list[Any]:
    """Return the operands of a disjunction, the constants that say nothing left out."""
    return [o for o in kconfiglib.split_expr(expr, kconfiglib.OR) if not getattr(o, "is_constant", False)]


def _names(expr: Expr) -> str:
    return ", ".join(kconfiglib.expr_str(operand) for operand in operands(expr) if kconfiglib.expr_value(operand))
