"""What the screens are made of: lines with a cursor, text that wraps. In ASCII, and in the terminal's own colours."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip

from .details import Section

STYLES = {
    "": Style(),
    "cursor": Style(reverse=True),
    "grey": Style(dim=True),
    "reason": Style(dim=True, italic=True),
    "title": Style(bold=True),
    "wrong": Style(color="red", bold=True),
    "fix": Style(color="cyan"),
}

Spans = Sequence[tuple[str, str]]  # text and the name of its style


class PlainScrollBar(ScrollBarRender):
    """A scroll bar whose ends are no block characters, which not every locale has."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]


ScrollBar.renderer = PlainScrollBar


class Item(NamedTuple):
    """A line to show, and what it stands for: None if the cursor passes it by."""

    spans: Spans
    payload: Any = None


class Rows(ScrollView, can_focus=True):
    """Lines of which one is under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", show=False),
        Binding("down,j", "step(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "jump(0)", show=False),
        Binding("end", "jump(-1)", show=False),
    ]

    class Moved(Message):
        """The cursor is on another line."""

    class Pressed(Message):
        """The line under the cursor was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.cursor = 0

    @property
    def payload(self) -> Any:
        """What the line under the cursor stands for."""
        return self.items[self.cursor].payload if self.items else None

    def show(self, items: Iterable[Item], cursor: int = 0) -> None:
        """Show other lines."""
        self.items = list(items)
        self.virtual_size = Size(0, len(self.items))
        self.cursor = self._selectable(cursor, 1)
        self._scroll_to_cursor()

    def action_step(self, by: int) -> None:
        """Move to the next line, or the one before."""
        self._move(self.cursor + by, by)

    def action_page(self, by: int) -> None:
        """Move by as many lines as are seen."""
        self._move(self.cursor + by * max(1, self.size.height - 1), by)

    def action_jump(self, to: int) -> None:
        """Move to the first line, or to the last one."""
        self._move(0 if to == 0 else len(self.items) - 1, 1 if to == 0 else -1)

    def _move(self, to: int, direction: int) -> None:
        there = self._selectable(to, direction)
        if there == self.cursor:
            self.scroll_relative(y=direction, animate=False)  # to what stands before the first, or after the last
            return
        self.cursor = there
        self._scroll_to_cursor()
        self.post_message(self.Moved())

    def _selectable(self, to: int, direction: int) -> int:
        """Return the line that is meant, or the next one in that direction that the cursor does not pass by."""
        there = max(0, min(to, len(self.items) - 1))
        ahead = range(there, len(self.items) if direction > 0 else -1, direction)
        behind = range(there, -1 if direction > 0 else len(self.items), -direction)
        lines = chain(ahead, behind) if self.items else ()
        return next((line for line in lines if self.items[line].payload is not None), 0)

    def _scroll_to_cursor(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)
        self.refresh()

    def on_click(self, event: Click) -> None:
        """Move to the line; a click on the line under the cursor is a press."""
        there = event.y + self.scroll_offset.y
        if there >= len(self.items) or self.items[there].payload is None:
            return
        if there == self.cursor:
            self.post_message(self.Pressed())
        else:
            self._move(there, 1)

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        number = y + self.scroll_offset.y
        if number >= len(self.items):
            return Strip.blank(self.size.width)
        item = self.items[number]
        if number == self.cursor and item.payload is not None:
            return _strip([("".join(text for text, _ in item.spans), "cursor")], self.size.width)
        return _strip(item.spans, self.size.width)


class Paper(ScrollView, can_focus=True):
    """Sections of text, wrapped to the width; the keys that move a cursor elsewhere scroll it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "scroll_up", show=False),
        Binding("j", "scroll_down", show=False),
        Binding("space", "page_down", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._sections: Sequence[Section] = ()
        self._lines: list[Spans] = []

    def show(self, sections: Sequence[Section]) -> None:
        """Show another text, from its beginning."""
        self._sections = sections
        self.scroll_home(animate=False)
        self._wrap()

    def on_resize(self, _event: Resize) -> None:
        """Wrap to the new width."""
        self._wrap()

    def _wrap(self) -> None:
        self._lines = list(_flow(self._sections, self.size.width - 1))
        self.virtual_size = Size(0, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        number = y + self.scroll_offset.y
        spans = self._lines[number] if number < len(self._lines) else []
        return _strip(spans, self.size.width)


def _strip(spans: Spans, width: int) -> Strip:
    """Draw text on one line, as wide as there is room; the line goes on in the style that it ends in."""
    strip = Strip([Segment(text, STYLES[name]) for text, name in spans])
    last = STYLES[spans[-1][1]] if spans else STYLES[""]
    if strip.cell_length > width:
        strip = Strip([*strip.crop(0, width - 3), Segment("...", last)])
    return strip.adjust_cell_length(width, last)


def _flow(sections: Sequence[Section], width: int) -> Iterable[Spans]:
    """Wrap sections: the first is a heading, the others a title and indented lines."""
    for number, section in enumerate(sections):
        if number:
            yield [("", "")]
        if section.title:
            yield [(f" {section.title}", "title")]
        for line in section.lines:
            for text in wrapped(line, width, 3 if section.title else 1, hanging=not section.is_prose):
                yield [(text, "" if section.title else "title")]


def wrapped(line: str, width: int, indent: int, *, hanging: bool = True) -> list[str]:
    """Wrap a line; what goes on is indented further if HANGING, below the name in a line of a value and a name."""
    text = line.lstrip()
    start = " " * (indent + len(line) - len(text))
    hang = 0 if not hanging else 3 if text[1:3] == "  " else 2
    return textwrap.wrap(text, max(width, 20), initial_indent=start, subsequent_indent=start + " " * hang) or [""]
