"""Where the value of a symbol comes from, in words."""

import kconfiglib

from .. import listing
from ..baseline import why_left_out
from ..explain import Explainer
from ..tree import Symbol


def origin(symbol: Symbol, explainer: Explainer) -> str:
    """Say where the value of a symbol comes from."""
    if symbol.name in explainer.tree.facts:
        target = explainer.tree.target
        return f"the target is {target.system} {target.cpu_family}, {target.word_bits}-bit, {target.endian}-endian"
    if probe := explainer.tree.probes.get(symbol.name):
        return probe.reason or f"the toolchain takes {probe.file}"
    wish = explainer.wishes.get(symbol.name)
    if wish and wish.value == symbol.str_value:
        return f"set in {wish.origin}"
    if symbol.choice and symbol.choice.selection:
        chosen = symbol.choice.selection
        return "the default of its choice" if chosen is symbol else f"{chosen.name} is chosen"
    if not kconfiglib.expr_value(symbol.direct_dep):
        return "what it depends on does not hold"
    if wish:
        return f"not {wish}"
    left_out = None if symbol.tri_value else why_left_out(explainer.tree, symbol.name)
    return left_out or listing.origin(explainer, symbol)
