"""Which changes of the configuration would give a symbol a value: found along its dependencies, then verified."""

import kconfiglib

from .tree import Expr, Symbol, Tree

Changes = dict[str, str]


def mend(tree: Tree, symbol: Symbol, value: str) -> Changes:
    """Return changes beside SYMBOL=VALUE, none of which can be left out, that give SYMBOL that value.

    Empty where no change was found. The tree is as before afterwards.
    """
    if symbol.orig_type != kconfiglib.BOOL:
        changes: Changes = {}
        found = _make(tree, symbol.direct_dep, True, changes)
    else:
        changes = {}
        found = _set(tree, symbol, value == "y", changes)
    changes[symbol.name] = value
    if not found or not _works(tree, changes, symbol, value):
        return {}
    for name in [name for name in changes if name != symbol.name]:
        fewer = {key: change for key, change in changes.items() if key != name}
        if _works(tree, fewer, symbol, value):
            changes = fewer
    del changes[symbol.name]
    return changes


def _works(tree: Tree, changes: Changes, symbol: Symbol, value: str) -> bool:
    """Apply CHANGES to the tree, look, and take them back."""
    before = {name: tree.symbols[name].user_value for name in changes}
    selections = {s.choice: s.choice.user_selection for s in (tree.symbols[name] for name in changes) if s.choice}
    for name, change in changes.items():
        tree.symbols[name].set_value(change)
    works = bool(symbol.str_value == value)
    for name, old in before.items():
        tree.symbols[name].unset_value()
        if old is not None:
            tree.symbols[name].set_value(old)
    for choice, selection in selections.items():
        choice.unset_value()
        if selection is not None:
            selection.set_value(2)
    return works


def _make(tree: Tree, expr: Expr, wanted: bool, changes: Changes) -> bool:
    """Add to CHANGES what makes a bool expression true or false; whether that was possible."""
    if bool(kconfiglib.expr_value(expr)) == wanted:
        return True
    if expr.__class__ is not tuple:
        return _set(tree, expr, wanted, changes)
    operator, *operands = expr
    if operator == kconfiglib.NOT:
        return _make(tree, operands[0], not wanted, changes)
    if operator not in (kconfiglib.AND, kconfiglib.OR):
        return _make_relation(tree, expr, wanted, changes)
    if (operator == kconfiglib.AND) == wanted:
        return all(_make(tree, operand, wanted, changes) for operand in operands)
    for operand in operands:
        attempt = dict(changes)
        if _make(tree, operand, wanted, attempt):
            changes.update(attempt)
            return True
    return False


def _make_relation(tree: Tree, expr: Expr, wanted: bool, changes: Changes) -> bool:
    """Solve SYMBOL = constant; other comparisons are for a person to solve."""
    operator, left, right = expr
    if (operator == kconfiglib.EQUAL) != wanted or operator not in (kconfiglib.EQUAL, kconfiglib.UNEQUAL):
        return False
    symbol, constant = (left, right) if left.nodes else (right, left)
    if constant.nodes or not symbol.nodes:
        return False
    if symbol.orig_type == kconfiglib.BOOL:
        return _set(tree, symbol, constant.str_value == "y", changes)
    changes[symbol.name] = constant.str_value
    return _make(tree, symbol.direct_dep, True, changes)


def _set(tree: Tree, symbol: Symbol, wanted: bool, changes: Changes) -> bool:
    value = "y" if wanted else "n"
    if symbol.name in changes:
        return changes[symbol.name] == value
    if symbol.__class__ is not kconfiglib.Symbol or not symbol.nodes:
        return False
    if symbol.name in tree.facts or symbol.name in tree.probes:
        return False
    if not any(node.prompt for node in symbol.nodes):
        return _follow(tree, symbol, wanted, changes)
    changes[symbol.name] = value
    if wanted:
        return _make(tree, symbol.direct_dep, True, changes)
    return _make(tree, symbol.rev_dep, False, changes)


def _follow(tree: Tree, symbol: Symbol, wanted: bool, changes: Changes) -> bool:
    """A symbol without a prompt has the value of its first default that applies, or is selected."""
    if wanted:
        for default, condition, *_ in symbol.defaults:
            attempt = dict(changes)
            if _make(tree, default, True, attempt) and _make(tree, condition, True, attempt):
                changes.update(attempt)
                return True
        return _make(tree, symbol.rev_dep, True, changes)
    return all(
        _make(tree, default, False, changes) or _make(tree, condition, False, changes)
        for default, condition, *_ in symbol.defaults
    ) and _make(tree, symbol.rev_dep, False, changes)
