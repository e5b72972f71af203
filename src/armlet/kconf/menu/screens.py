"""The screens above the menu: help, search, problems, and the dialogs."""

from collections.abc import Iterator
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ..tree import Symbol
from .details import Section, details
from .draft import Line
from .model import Menu, normalized, refused
from .problems import limits
from .widgets import Item, Paper, Rows, wrapped

FOUND = 500  # rows that a search shows; nobody looks at more
EXPLAINED = 20  # problems that are shown at once; to explain one takes its time


class Overlay(ModalScreen[Any]):
    """A screen of its own: a title, something in the middle, and the keys."""

    TITLE_TEXT = ""
    KEYS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,left,q,Q", "dismiss_screen", show=False),
        Binding("ctrl+c", "dismiss_screen", show=False, priority=True),
    ]

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(f" {self.TITLE_TEXT}", id="title", markup=False)
        yield from self.middle()
        yield Static(f" {self.KEYS}", id="keys", markup=False)

    def middle(self) -> Iterator[Any]:
        """Yield what stands between title and keys."""
        raise NotImplementedError

    def action_dismiss_screen(self) -> None:
        """Go back without an answer."""
        self.dismiss(None)


class TextScreen(Overlay):
    """A text to read."""

    KEYS = "Up/Down scroll   Esc back"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,question_mark", "dismiss_screen", show=False)]

    def __init__(self, title: str, sections: list[Section]) -> None:
        super().__init__()
        self.TITLE_TEXT = title
        self._sections = sections

    def middle(self) -> Iterator[Any]:
        """A text as large as the screen."""
        yield Paper()

    def on_mount(self) -> None:
        """Show it."""
        self.query_one(Paper).show(self._sections)


class SearchScreen(Overlay, inherit_bindings=False):
    """A field to type in, and below it the rows found, in every menu; the answer is the place of one."""

    TITLE_TEXT = "Search: every word in the name or the prompt"
    KEYS = "Up/Down choose   Enter go there   F1 help   Esc back"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss_screen", show=False),
        Binding("enter", "go", show=False),  # before the field is there to take it
        Binding("up", "step(-1)", show=False, priority=True),
        Binding("down", "step(1)", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
        Binding("f1", "help", show=False),
    ]

    def __init__(self, menu: Menu) -> None:
        super().__init__()
        self._menu = menu
        self._searched = ""
        self.field, self._rows = Input(compact=True), Rows()
        self._rows.can_focus = False

    def middle(self) -> Iterator[Any]:
        """The field and the rows."""
        yield self.field
        yield self._rows

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while one types."""
        self._search(event.value)

    def _search(self, text: str) -> None:
        self._searched = text
        found = self._menu.search(text)
        width = max((len(row.name) for row in found[:FOUND]), default=0)
        items = [
            Item(
                [
                    (f" {row.name.ljust(width)}  ", "grey" if row.reason else ""),
                    (f"{row.mark} {row.text}", "grey" if row.reason else ""),
                    (f"  {row.reason}", "reason"),
                ],
                row,
            )
            for row in found[:FOUND]
        ]
        if len(found) > FOUND:
            items.append(Item([(f" and {len(found) - FOUND} more", "grey")]))
        if not found and text:
            items.append(Item([(" nothing has these words", "grey")]))
        self._rows.show(items)

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Go to the row: Enter."""
        self.action_go()

    def action_go(self) -> None:
        """Leave for the row under the cursor."""
        if self.field.value != self._searched:
            self._search(self.field.value)
        row = self._rows.payload
        if row is None:
            return
        if row.node.prompt:
            self.dismiss(row.node)
        else:  # it is in no menu
            self.action_help()

    def on_rows_pressed(self) -> None:
        """Go to the row: a click."""
        self.action_go()

    def action_step(self, by: int) -> None:
        """Move the cursor, while the field has the keys."""
        self._rows.action_step(by)

    def action_page(self, by: int) -> None:
        """Move the cursor, while the field has the keys."""
        self._rows.action_page(by)

    def action_help(self) -> None:
        """Show the help of the row."""
        if row := self._rows.payload:
            self.app.push_screen(TextScreen(row.name, details(row, self._menu.draft.explainer)))


class ProblemsScreen(Overlay):
    """What is wrong with the configuration, and below each problem what would mend it; the answer is a place to see."""

    KEYS = "Enter mend it so   G go to the symbol   D leave out all wrong lines   Esc back"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "mend", show=False),
        Binding("g,G", "go", show=False),
        Binding("d,D", "drop", show=False),
    ]

    def __init__(self, menu: Menu, title: str) -> None:
        super().__init__()
        self._menu = menu
        self.TITLE_TEXT = title

    def middle(self) -> Iterator[Any]:
        """The problems."""
        yield Rows()

    def on_resize(self, _event: Resize) -> None:
        """Wrap to the new width."""
        self._show()

    def on_rows_pressed(self) -> None:
        """A click on a fix."""
        self.action_mend()

    def action_mend(self) -> None:
        """Do what the line under the cursor says."""
        chosen = self.query_one(Rows).payload
        if chosen:
            self._apply(chosen[1].dropped, chosen[1].changes)

    def action_drop(self) -> None:
        """Do without every line that is wrong; what only a change of a symbol mends stays."""
        self._apply([line for problem in self._menu.problems for line in problem.lines], {})

    def action_go(self) -> None:
        """Leave for the symbol of the problem under the cursor."""
        chosen = self.query_one(Rows).payload
        if chosen and chosen[0].symbol:
            self.dismiss(self._menu.node_of(chosen[0].symbol))

    def _apply(self, dropped: list[Line], changes: dict[str, str]) -> None:
        self._menu.draft.mend(dropped, changes)
        self._menu.refresh()
        if self._menu.problems:
            self._show()
        else:
            self.dismiss(None)

    def _show(self) -> None:
        rows = self.query_one(Rows)
        rows.show(self._items(self.size.width - 2), rows.cursor)

    def _items(self, width: int) -> Iterator[Item]:
        for problem in self._menu.problems[:EXPLAINED]:
            for number, line in enumerate(problem.text.splitlines()):
                for text in wrapped(line, width, 1):
                    yield Item([(text, "" if number else "wrong")])
            for fix in problem.fixes:
                yield Item([(f"   > {fix.label}", "fix")], (problem, fix))
            yield Item([("", "")])
        if (more := len(self._menu.problems) - EXPLAINED) > 0:
            yield Item([(f" and {more} more", "wrong")])


class EditScreen(ModalScreen[str | None]):
    """A dialog for the value of a number or a text, which it checks while one types."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "cancel", show=False, priority=True)]

    def __init__(self, prompt: str, symbol: Symbol) -> None:
        super().__init__()
        self._prompt = prompt
        self._symbol = symbol
        self.field = Input(value=symbol.str_value, compact=True)

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        bounds = limits(self._symbol)
        allowed = f", from {bounds[0]} to {bounds[1]}" if bounds else ""
        with Vertical(id="dialog"):
            yield Static(f"{self._prompt}\n{self._symbol.name}{allowed}", markup=False)
            yield self.field
            yield Static("", id="refused", markup=False)
            yield Static("Enter take it   Esc leave it as it is", markup=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say what is wrong with the value."""
        self.query_one("#refused", Static).update(refused(self._symbol, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the value, if it is one."""
        if not refused(self._symbol, event.value):
            self.dismiss(normalized(self._symbol, event.value))

    def action_cancel(self) -> None:
        """Leave the symbol as it is."""
        self.dismiss(None)


class AskScreen(ModalScreen[bool | None]):
    """A question: yes, no, or neither."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,Y,enter", "answer(True)", show=False),
        Binding("n,N", "answer(False)", show=False),
        Binding("escape,ctrl+c,q,Q", "stay", show=False, priority=True),
    ]

    def __init__(self, question: str, keys: str) -> None:
        super().__init__()
        self._texts = (question, keys)

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="dialog"):
            yield Static("\n\n".join(self._texts), markup=False)

    def action_answer(self, answer: bool) -> None:
        """Yes or no."""
        self.dismiss(answer)

    def action_stay(self) -> None:
        """Neither."""
        self.dismiss(None)


class WaitScreen(ModalScreen[None]):
    """Something that takes its time, during which no key does anything."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="dialog"):
            yield Static(self._text, markup=False)
