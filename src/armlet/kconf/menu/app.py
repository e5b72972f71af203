"""The menu in a terminal: the keys of the kernel's, and the reason for whatever cannot be chosen."""

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Key, Resize
from textual.widgets import Static

from ..errors import KconfError
from ..save import destination, save
from ..workspace import Workspace, shown
from .details import Section, details, summary
from .draft import Draft, Line, read_intent
from .model import BOOLS, Menu, Row
from .screens import AskScreen, EditScreen, ProblemsScreen, SearchScreen, TextScreen, WaitScreen
from .widgets import Item, Paper, Rows

WIDE = 120  # columns from which the help stands beside the menu
KEYS = "Enter open  Space/Y/N change  Left back  / search  ? help  S save  Q quit"

CSS = """
Screen { background: ansi_default; color: ansi_default; }
ModalScreen { background: ansi_default; align: center middle; }
#title { height: 1; background: ansi_blue; color: ansi_bright_white; text-style: bold; }
#path { height: 1; text-style: bold; margin: 0 0 1 0; }
#body { layout: vertical; height: 1fr; }
#body.wide { layout: horizontal; }
Rows, Paper { height: 1fr; scrollbar-size: 1 1; overflow-x: hidden;
    scrollbar-color: ansi_blue; scrollbar-background: ansi_default; scrollbar-color-hover: ansi_blue;
    scrollbar-color-active: ansi_blue; scrollbar-background-hover: ansi_default;
    scrollbar-background-active: ansi_default; }
#body > Paper { height: 8; border-top: ascii ansi_blue; overflow-y: hidden; }
#body.wide > Rows { margin: 0 1 0 0; }
#body.wide > Paper { height: 1fr; width: 45%; border-top: none; border-left: ascii ansi_blue; overflow-y: auto; }
#message { height: 1; color: ansi_green; }
#message.wrong { color: ansi_red; text-style: bold; }
#keys { height: 1; background: ansi_blue; color: ansi_bright_white; }
Input, Input:focus { border: none; height: 1; background: ansi_default; margin: 1 1; text-style: underline; }
#dialog { width: 70; max-width: 100%; height: auto; border: ascii ansi_blue; padding: 1 2; }
#refused { color: ansi_red; height: 1; }
"""


class MenuApp(App[str]):
    """The menu of a build folder. It returns what there is to say when it is gone."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    ended_by: int | None = None  # the signal
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enter", show=False),
        Binding("right", "open", show=False),
        Binding("left,backspace", "leave", show=False),
        Binding("escape", "leave_or_quit", show=False),
        Binding("space", "set(None)", show=False),
        Binding("y,Y", "set('y')", show=False),
        Binding("n,N", "set('n')", show=False),
        Binding("slash", "search", show=False),
        Binding("question_mark,h,f1", "help", show=False),
        Binding("p,P", "problems", show=False),
        Binding("s,S", "save", show=False),
        Binding("q,Q,ctrl+c,ctrl+q", "quit", show=False),
    ]

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(ansi_color=True)
        self.workspace = workspace
        self._read, self.menu = _read(workspace)
        self._saved = ""
        self._title, self._path, self._message = (
            Static(id=name, markup=False) for name in ("title", "path", "message")
        )
        self._rows, self._about, self._body = Rows(), Paper(), Container(id="body")
        self._about.can_focus = False

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield self._title
        yield self._path
        with self._body:
            yield self._rows
            yield self._about
        yield self._message
        yield Static(f" {KEYS}", id="keys", markup=False)

    def on_mount(self) -> None:
        """Begin with what is wrong, where something is."""
        self._show()
        if self.menu.problems:
            self.action_problems()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end, number)

    def _end(self, number: int) -> None:
        """Leave the terminal as it was, which the signal alone would not."""
        self.ended_by = number
        self.exit("The menu was ended by a signal; what was not saved is lost.")

    def on_resize(self, event: Resize) -> None:
        """Put the help below the menu, or beside it where there is room."""
        self._body.set_class(event.size.width >= WIDE, "wide")
        self.call_after_refresh(self._show)

    def on_key(self, event: Key) -> None:
        """Give a field what was typed before it had the keys: fingers are faster than a screen."""
        if isinstance(self.screen, SearchScreen | EditScreen) and event.is_printable:
            field = self.screen.field
            field.value += event.character or ""
            field.cursor_position = len(field.value)

    def on_rows_moved(self) -> None:
        """Follow the cursor."""
        self._show_details()
        self._say("")

    def on_rows_pressed(self) -> None:
        """A click on the row under the cursor."""
        self.action_enter()

    # -- keys

    def action_enter(self) -> None:
        """Open a menu; change what is none."""
        row = self._row
        if row and row.opens:
            self.action_open()
        elif row:
            self.action_set(None)

    def action_open(self) -> None:
        """Open the menu under the cursor."""
        if self._row and self.menu.open():
            self._show()

    def action_leave(self) -> bool:
        """Go up; whether there is a menu above."""
        if not self.menu.leave():
            return False
        self._show()
        return True

    async def action_leave_or_quit(self) -> None:
        """Go up, and out of the outermost menu."""
        if not self.action_leave():
            await self.action_quit()

    def action_set(self, value: str | None) -> None:
        """Set the row under the cursor; None changes it, in a dialog where it takes more than y and n."""
        row = self._row
        if row is None:
            return
        if row.symbol and row.enabled and row.symbol.type not in BOOLS:
            if value is None:
                self.push_screen(EditScreen(row.text, row.symbol), lambda text: self._take(row, text))
        elif value is None and not row.mark:
            self.action_open()
        else:
            self._set(row, value)

    def _take(self, row: Row, text: str | None) -> None:
        if text is not None:
            self._set(row, text)

    def _set(self, row: Row, value: str | None) -> None:
        change = self.menu.set(row, value)
        if change.done and row.is_radio:
            self.menu.leave()
        self._show()
        if not change.done or not self.menu.problems:
            self._say(change.text, wrong=not change.done)

    def action_search(self) -> None:
        """Search in all menus."""
        self.push_screen(SearchScreen(self.menu), self._go)

    def _go(self, node: Any) -> None:
        if node:
            self.menu.go_to(node)
        self._show()

    def action_help(self) -> None:
        """Show all there is to say about the row."""
        if row := self._row:
            self.push_screen(TextScreen(row.name or row.text, details(row, self.menu.draft.explainer)))

    def action_problems(self, title: str = "") -> None:
        """Show what is wrong, and what would mend it."""
        if not self.menu.problems:
            self._say("nothing is wrong")
            return
        self.push_screen(ProblemsScreen(self.menu, title or "This configuration cannot be built as it is"), self._go)

    def action_save(self, then: Callable[[], None] | None = None) -> None:
        """Save and reconfigure; what cannot be built is not saved."""
        if self.menu.problems:
            self.action_problems("Not saved: mend this first")
            return
        if read_intent(self.workspace) == self._read:
            self._save(then)
            return
        question = f"{self._file} has changed since it was read. Save over it?"
        self.push_screen(AskScreen(question, "Y save   N, Esc back"), lambda yes: self._save(then) if yes else None)

    async def action_quit(self) -> None:
        """Leave, after a question where something would be lost."""
        if not self.menu.draft.modified:
            self.exit(self._saved)
            return

        def leave(save_it: bool | None) -> None:
            if save_it:
                self.action_save(lambda: self.exit(self._saved))
            elif save_it is False:
                self.exit(self._saved or "Nothing was saved.")

        question = f"Save the configuration to {self._file}?"
        self.push_screen(AskScreen(question, "Y save and quit   N quit without saving   Esc stay"), leave)

    # -- saving

    def _save(self, then: Callable[[], None] | None) -> None:
        self.push_screen(WaitScreen(f"Saving {self._file}, and reconfiguring {self._folder} ..."))
        self._save_in_background(then)

    @work(thread=True)
    def _save_in_background(self, then: Callable[[], None] | None) -> None:
        try:
            with self.workspace.locked():
                save(self.workspace, self.menu.draft.tree, "menuconfig")
            workspace = Workspace(self.workspace.build_dir)
            self.call_from_thread(self._after_save, workspace, *_read(workspace), then)
        except KconfError as error:
            self.call_from_thread(self._after_failure, str(error))

    def _after_save(self, workspace: Workspace, lines: list[Line], menu: Menu, then: Callable[[], None] | None) -> None:
        """Show what was read anew: from now on a value comes from the lines that were saved."""
        self.pop_screen()
        self._saved = f"Saved {self._file}; meson compile -C {self._folder} builds it."
        row = self._row
        self.workspace, self._read, self.menu = workspace, lines, menu
        if row:
            menu.go_to(self._same(row.node))
        self._show()
        self._say(self._saved)
        if then:
            then()

    def _after_failure(self, error: str) -> None:
        self.pop_screen()
        self.push_screen(TextScreen("Not saved, or not reconfigured", [Section("", error.splitlines())]))

    # -- showing

    @property
    def _row(self) -> Row | None:
        """The row under the cursor."""
        self.menu.move(self._rows.cursor)
        return self.menu.row

    @property
    def _file(self) -> str:
        return shown(destination(self.workspace), self.workspace.source_dir)

    @property
    def _folder(self) -> str:
        relative = os.path.relpath(self.workspace.build_dir, self.workspace.source_dir)
        return self.workspace.build_dir if relative.startswith("..") else relative

    def _show(self) -> None:
        menu = self.menu
        state = " (modified)" if menu.draft.modified else ""
        target = self.workspace.target
        name = f"{self.workspace.project} {self.workspace.version} for {target.system} {target.cpu_family}"
        self._title.update(_apart(f" {name}", f"{self._file}{state} ", self.size.width))
        self._path.update(" " + " > ".join(menu.path))
        self._rows.show(self._items(), menu.cursor)
        self._show_details()
        self._say("")

    def _items(self) -> list[Item]:
        rows = self.menu.rows
        marks = max((len(row.mark) for row in rows), default=0)
        texts = [row.depth * 2 * " " + row.text + ("  --->" if row.opens else "") for row in rows]
        width = min(max((len(text) for row, text in zip(rows, texts, strict=True) if row.reason), default=0), 48)
        return [
            Item(
                [
                    (" ! ", "wrong") if self.menu.is_wrong(row) else ("   ", ""),
                    (f"{row.mark.ljust(marks)} {text.ljust(width)}", "grey" if row.reason else ""),
                    (f"  {row.reason}", "reason"),
                ],
                row,
            )
            for row, text in zip(rows, texts, strict=True)
        ]

    def _show_details(self) -> None:
        if row := self._row:
            describe = details if self._body.has_class("wide") else summary
            self._about.show(describe(row, self.menu.draft.explainer))

    def _say(self, text: str, *, wrong: bool = False) -> None:
        """Say something until the next key; without anything to say, what is wrong."""
        count = len(self.menu.problems)
        if count and not text:
            text, wrong = f"{count} problem{'s' * (count > 1)} to mend before it can be built: press P", True
        room = self.size.width - 2
        self._message.set_class(wrong, "wrong")
        self._message.update(f" {text if len(text) <= room else text[: room - 3] + '...'}")

    def _same(self, node: Any) -> Any:
        """Return the node of the present tree at the place where NODE stood in an earlier one."""
        place = (node.filename, node.linenr)
        nodes = self.menu.draft.tree.kconfig.node_iter()
        return next((n for n in nodes if (n.filename, n.linenr) == place), self.menu.node)


def _read(workspace: Workspace) -> tuple[list[Line], Menu]:
    lines = read_intent(workspace)
    return lines, Menu(Draft(workspace.tree(), lines))


def _apart(left: str, right: str, width: int) -> str:
    return left + right.rjust(max(width - len(left), len(right) + 2))
