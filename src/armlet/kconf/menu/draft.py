"""The user's intent while it is edited, read so that whatever is wrong in it is kept and can be mended."""

from collections.abc import Iterable
from typing import NamedTuple

from ..errors import Errors, KconfError
from ..explain import Explainer
from ..intent import Assignment, find_configs, parse_line, parse_set, read_text, split_lines
from ..resolve import refuse_value, settable
from ..tree import Tree, assign, has_prompt
from ..upgrade import renamed
from ..workspace import Workspace, shown

MENU = "this menu"


class Line(NamedTuple):
    """A line of a configuration file, or what else was asked for, as it was found."""

    source: str  # the file, "-Dset" or the menu: what is asked for in a later one wins
    origin: str
    assignment: Assignment | None
    error: str  # why there is none

    @property
    def symbol(self) -> str | None:
        """The symbol that it is about."""
        return self.assignment.symbol if self.assignment else None


def read_lines(workspace: Workspace) -> list[Line]:
    """Read what a build folder was asked for; whatever cannot be understood is a line with an error."""
    lines: list[Line] = []
    try:
        paths = find_configs(workspace.source_dir, workspace.configs)
    except KconfError as error:
        paths, lines = [], [Line("-Dconfig", "-Dconfig", None, str(error))]
    for path in paths:
        lines += _read_file(path, shown(path, workspace.source_dir))
    for entry in workspace.set:
        try:
            lines += [Line("-Dset", "-Dset", assignment, "") for assignment in parse_set([entry])]
        except KconfError as error:
            lines.append(Line("-Dset", "-Dset", None, str(error)))
    return lines


def _read_file(path: str, name: str) -> Iterable[Line]:
    try:
        texts = split_lines(read_text(path, name))
    except KconfError as error:
        return [Line(name, name, None, str(error))]
    lines = []
    for number, text in enumerate(texts, 1):
        origin = f"{name}:{number}"
        try:
            assignment = parse_line(text.strip(), origin)
        except KconfError as error:
            lines.append(Line(name, origin, None, str(error)))
        else:
            if assignment:
                lines.append(Line(name, origin, assignment, ""))
    return lines


def _with_present_name(tree: Tree, line: Line) -> Line:
    """Read a symbol by the name that it has now; one that is gone is an error."""
    if line.assignment is None:
        return line
    try:
        (assignment,) = renamed([line.assignment], tree.formers, Errors())
    except KconfError as error:
        return line._replace(assignment=None, error=str(error))
    return line._replace(assignment=assignment)


class Draft:
    """A tree with those lines applied that can be; of several about one symbol the last wins, as in the kernel's."""

    def __init__(self, tree: Tree, lines: list[Line]) -> None:
        self.tree = tree
        self.lines = [_with_present_name(tree, line) for line in lines]
        self.wishes: dict[str, Assignment] = {}  # those that stand
        self.faults: list[Line] = []  # those that cannot be applied
        self.explainer = Explainer(tree, self.wishes)
        self._mended = False
        self._apply()
        self._opening = self.values()
        self._unmet = {wish for wish in self.wishes.values() if not self._is_met(wish)}

    @property
    def modified(self) -> bool:
        """Whether there is something to save: a line was mended, or a symbol has another value."""
        return self._mended or self.values() != self._opening

    def values(self) -> dict[str, str]:
        """Return the value of every symbol."""
        return {name: symbol.str_value for name, symbol in self.tree.symbols.items()}

    def unmet(self) -> list[Assignment]:
        """Return the wishes that did not come true; not those that gave way to a change made in the menu."""
        return [wish for wish in self.wishes.values() if wish in self._unmet and not self._is_met(wish)]

    def set(self, name: str, value: str) -> dict[str, str]:
        """Give a symbol a value, whatever was asked for before; return the other symbols whose values changed."""
        before = self.values()
        self._forget(name, value)
        assignment = Assignment(name, value, MENU)
        self.lines.append(Line(MENU, MENU, assignment, ""))
        self._assign(assignment)
        return {n: v for n, v in self.values().items() if v != before[n] and n != name}

    def mend(self, dropped: Iterable[Line], changes: dict[str, str]) -> None:
        """Take lines out, and then set symbols."""
        self._mended = True
        unwanted = set(dropped)
        self.lines = [line for line in self.lines if line not in unwanted]
        self._apply()
        for name, value in changes.items():
            self.set(name, value)
        self._unmet.update(wish for name in changes if not self._is_met(wish := self.wishes[name]))

    def _forget(self, name: str, value: str) -> None:
        """Take out the lines that a new value of a symbol overrides."""
        choice = self.tree.symbols[name].choice
        rivals = {symbol.name for symbol in choice.syms} if choice and value == "y" else set()
        self.lines = [
            line
            for line in self.lines
            if line.assignment is None
            or (line.symbol != name and (line.symbol not in rivals or line.assignment.value != "y"))
        ]

    def fault(self, line: Line) -> str:
        """Return why a line cannot be applied."""
        if line.assignment is None:
            return line.error
        try:
            refuse_value(settable(self.tree, line.assignment), line.assignment)
        except KconfError as error:
            return str(error)

    def _apply(self) -> None:
        self.tree.kconfig.unset_values()
        self.wishes.clear()
        self.faults = [line for line in self.lines if not self._assign(line.assignment)]

    def _assign(self, assignment: Assignment | None) -> bool:
        """Apply an assignment if that is possible: the texts of thousands of errors would take their time."""
        symbol = self.tree.symbols.get(assignment.symbol) if assignment else None
        if assignment is None or symbol is None or not has_prompt(symbol) or not assign(symbol, assignment.value):
            return False
        for rival in symbol.choice.syms if symbol.choice and assignment.value == "y" else ():
            if rival.name in self.wishes and self.wishes[rival.name].value == "y":
                del self.wishes[rival.name]
        self.wishes[symbol.name] = assignment
        return True

    def _is_met(self, wish: Assignment) -> bool:
        return bool(self.tree.symbols[wish.symbol].str_value == wish.value)
