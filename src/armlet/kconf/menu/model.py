"""What a menu shows and what its keys do: rows, greyed ones with their reasons, search. It knows no terminal."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import kconfiglib

from ..explain import deepest
from ..tree import Symbol
from .draft import Draft
from .origin import origin
from .problems import Problem, limits, problems

Node = Any  # of kconfiglib: a place in the menus
BOOLS = (kconfiglib.BOOL, kconfiglib.TRISTATE)


class Change(NamedTuple):
    """What became of a key: whether it changed something, and what there is to say about it."""

    done: bool
    text: str


class Row:
    """One line of a menu. It reads the tree when it is shown, so that it is always true."""

    def __init__(self, node: Node, draft: Draft, depth: int = 0) -> None:
        self.node = node
        self.depth = depth
        self._draft = draft

    @property
    def symbol(self) -> Symbol | None:
        """The symbol of the row, None for a menu, a choice or a comment."""
        return self.node.item if self.node.item.__class__ is kconfiglib.Symbol else None

    @property
    def name(self) -> str:
        """The symbol's name, "" where there is none."""
        return str(self.node.item.name or "") if self.symbol or self.is_choice else ""

    @property
    def is_choice(self) -> bool:
        """Whether it is a choice: a menu of which one is chosen."""
        return self.node.item.__class__ is kconfiglib.Choice

    @property
    def is_radio(self) -> bool:
        """Whether it is one of a choice."""
        return self.symbol is not None and self.symbol.choice is not None

    @property
    def opens(self) -> bool:
        """Whether there is a menu below it."""
        return opens(self.node)

    @property
    def text(self) -> str:
        """Its prompt; of a choice also what is chosen, of a symbol without a prompt its name."""
        if not self.node.prompt:
            return self.name
        prompt = str(self.node.prompt[0])
        if self.is_choice and (chosen := self.node.item.selection):
            return f"{prompt} ({_prompt_of(chosen)})"
        return f"*** {prompt} ***" if self.node.item is kconfiglib.COMMENT else prompt

    @property
    def mark(self) -> str:
        """Its value, as the kernel's menu shows it: [*], (X) or (64); "" for what has none."""
        if self.is_choice and self.node.item.is_optional:
            return "[*]" if self.node.item.tri_value else "[ ]"
        if self.symbol is None:
            return ""
        if self.symbol.type not in BOOLS:
            return f"({self.symbol.str_value})"
        if self.is_radio:
            return "(X)" if self.symbol.tri_value else "( )"
        return "[*]" if self.symbol.tri_value else "[ ]"

    @property
    def enabled(self) -> bool:
        """Whether the user can change it now."""
        return not self.reason

    @cached_property
    def reason(self) -> str:
        """Why it cannot be changed, in one line; "" where it can."""
        return deepest(self.reasons)

    @cached_property
    def reasons(self) -> list[str]:
        """Why it cannot be changed: lines, indented by two spaces a level."""
        explainer, item = self._draft.explainer, self.node.item
        if not self.node.prompt:
            return [f"it has no prompt: {origin(self.symbol, explainer)}"]
        if self.is_radio and (reasons := self._reasons_of_choice()):
            return reasons
        for condition in (self.node.prompt[1], self.node.dep):
            if not kconfiglib.expr_value(condition):
                return list(explainer.why_false(condition))
        if item is kconfiglib.MENU and not kconfiglib.expr_value(self.node.visibility):
            return list(explainer.why_false(self.node.visibility))
        if self.symbol is None or self.symbol.type not in BOOLS:
            return []
        if self.is_radio:
            return []
        return [] if len(self.symbol.assignable) > 1 else list(explainer.why_on(self.symbol))

    def _reasons_of_choice(self) -> list[str]:
        choice = self.node.parent
        if reasons := Row(choice, self._draft).reasons:
            return reasons
        return [] if choice.item.tri_value else ["nothing of this choice is wanted: switch the choice itself on"]


class Menu:
    """The menus of a draft, and the one that is open."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.node: Node = draft.tree.kconfig.top_node
        self.cursor = 0
        self.problems: list[Problem] = []
        self._wrong_nodes: set[Node] = set()
        self.rows: list[Row] = []
        self.refresh()

    @property
    def path(self) -> list[str]:
        """The prompts of the menus that are open, the outermost first."""
        prompts: list[str] = []
        node = self.node
        while node:
            if opens(node):
                prompts.insert(0, str(node.prompt[0]))
            node = node.parent
        return prompts

    @property
    def row(self) -> Row | None:
        """The row under the cursor; None in an empty menu."""
        return self.rows[self.cursor] if self.rows else None

    def refresh(self) -> None:
        """Look at the tree anew."""
        self.problems = problems(self.draft)
        self._wrong_nodes = {node for problem in self.problems for node in self._nodes_of(problem)}
        self.rows = list(self._rows_below(self.node))
        self.cursor = max(0, min(self.cursor, len(self.rows) - 1))

    def is_wrong(self, row: Row) -> bool:
        """Whether a problem is shown at a row: at the symbol's own, or at a menu that it is in."""
        return row.node in self._wrong_nodes

    def move(self, to: int) -> None:
        """Put the cursor on a row."""
        self.cursor = max(0, min(to, len(self.rows) - 1))

    def open(self) -> bool:
        """Open the menu under the cursor, a choice with the cursor on what is chosen; whether there is one."""
        if not self.row or not self.row.opens:
            return False
        self.node, self.cursor = self.row.node, 0
        self.refresh()
        if self.node.item.__class__ is kconfiglib.Choice:
            chosen = [number for number, row in enumerate(self.rows) if row.symbol is self.node.item.selection]
            self.cursor = chosen[0] if chosen else 0
        return True

    def leave(self) -> bool:
        """Go up, to the row of the menu that was open; whether there is a menu above."""
        if self.node is self.draft.tree.kconfig.top_node:
            return False
        self.go_to(self.node)
        return True

    def go_to(self, node: Node) -> None:
        """Open the menu that a node stands in, with the cursor on it."""
        self.node = _menu_of(node)
        self.refresh()
        self.cursor = next((number for number, row in enumerate(self.rows) if row.node is node), 0)

    def node_of(self, name: str) -> Node:
        """Return the place of a symbol in the menus; the first one, if it has several."""
        nodes = self.draft.tree.symbols[name].nodes
        return next((node for node in nodes if node.prompt), nodes[0])

    def set(self, row: Row, value: str | None) -> Change:
        """Set a row to VALUE; None is the space bar's: the other one. A greyed row says why it stays as it is."""
        if row.symbol is None and not (row.is_choice and row.node.item.is_optional):
            return Change(False, "")
        if not row.enabled:
            return Change(False, f"cannot be changed: {row.reason}")
        if row.is_choice:
            row.node.item.set_value(value or ("n" if row.node.item.tri_value else "y"))
            self.refresh()
            return Change(True, "")
        return self._set_symbol(row.symbol, value)

    def _set_symbol(self, symbol: Symbol, value: str | None) -> Change:
        if value is None:
            value = "n" if symbol.tri_value and not symbol.choice else "y"
        if symbol.choice and value == "n":
            return Change(False, "choose another one instead")
        others = self.draft.set(symbol.name, value)
        self.refresh()
        return Change(True, _summary(symbol, others))

    def search(self, text: str) -> list[Row]:
        """Return the rows, of all menus, whose name or prompt has every word of TEXT: the closest names first."""
        words = text.lower().removeprefix("config_").split()
        if not words:
            return []
        found = []
        for name in self.draft.tree.symbols:
            node = self.node_of(name)
            prompt = str(node.prompt[0]) if node.prompt else ""
            if all(word in f"{name} {prompt}".lower() for word in words):
                found.append(Row(node, self.draft))
        return sorted(found, key=lambda row: _distance(row, words[0]))

    def _nodes_of(self, problem: Problem) -> Iterator[Node]:
        node = self.node_of(problem.symbol) if problem.symbol else None
        while node:
            yield node
            node = node.parent

    def _rows_below(self, node: Node, depth: int = 0) -> Iterator[Row]:
        child = node.list
        while child:
            if child.prompt and (child.item is not kconfiglib.COMMENT or kconfiglib.expr_value(child.dep)):
                yield Row(child, self.draft, depth)
                if child.list and not opens(child):
                    yield from self._rows_below(child, depth + 1)
            child = child.next


def opens(node: Node) -> bool:
    """Whether a node is a menu of its own; the symbols below others are shown indented."""
    return bool(node.list and node.prompt and (node.is_menuconfig or node.item.__class__ is kconfiglib.Choice))


def refused(symbol: Symbol, text: str) -> str:
    """Return why a number or a string cannot be the value of a symbol; "" where it can."""
    if symbol.type == kconfiglib.STRING:
        return "" if text.isprintable() else "a value is one line of printable text"
    base = 16 if symbol.type == kconfiglib.HEX else 10
    try:
        number = int(text, base)
    except ValueError:
        return "a hexadecimal number, as 0x1f" if base == 16 else "a whole number"
    bounds = limits(symbol)
    if bounds and not int(bounds[0], base) <= number <= int(bounds[1], base):
        return f"from {bounds[0]} to {bounds[1]}"
    return ""


def normalized(symbol: Symbol, text: str) -> str:
    """Return a number in the one spelling that configurations have: 8 for "08", 0x1f for "1F"."""
    if symbol.type == kconfiglib.INT:
        return str(int(text))
    return hex(int(text, 16)) if symbol.type == kconfiglib.HEX else text


def _menu_of(node: Node) -> Node:
    parent = node.parent or node
    while parent.parent and not opens(parent):
        parent = parent.parent
    return parent


def _distance(row: Row, word: str) -> tuple[bool, ...]:
    """The same name; those that are in no menu last; a name that begins so, has it, or whose prompt alone has it."""
    name = row.name.lower()
    return (name != word, not row.node.prompt, not name.startswith(word), word not in name)


def _prompt_of(symbol: Symbol) -> str:
    return next((str(node.prompt[0]) for node in symbol.nodes if node.prompt), str(symbol.name))


def _summary(symbol: Symbol, others: dict[str, str]) -> str:
    text = f"{symbol.name}={symbol.str_value}"
    if symbol.choice:
        others = {name: value for name, value in others.items() if name not in {s.name for s in symbol.choice.syms}}
    if not others:
        return text
    names = [f"{name}={value}" for name, value in others.items()]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{text}, and with it {', '.join(names[:3])}{more}"
