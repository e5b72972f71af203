"""What a person sees while wheels are made: a line for each target as it ends, and on a terminal a bar below them."""

import shutil
import sys
import threading
import time
from typing import TextIO

BAR = 20  # columns


class Progress:
    """The state of all targets of one command."""

    def __init__(self, names: list[str], stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._has_bar = self._stream.isatty()
        self._lock = threading.Lock()
        self._width = max(map(len, names))
        self._total = len(names)
        self._ended = 0
        self._started: dict[str, float] = {}
        self._doing: dict[str, str] = {}
        self._is_closed = False

    def step(self, name: str, doing: str) -> None:
        """Say what is done for a target now."""
        with self._lock:
            self._started.setdefault(name, time.monotonic())
            self._doing[name] = doing
            self._draw()

    def pause(self, name: str) -> None:
        """A target waits for others."""
        with self._lock:
            self._doing.pop(name, None)
            self._draw()

    def end(self, name: str, words: str) -> float:
        """Say how it ended for a target, and return how many seconds it took."""
        with self._lock:
            seconds = time.monotonic() - self._started.get(name, time.monotonic())
            self._doing.pop(name, None)
            self._ended += 1
            self._print(f"{name.ljust(self._width)}  {seconds:5.1f} s  {words}")
            self._draw()
            return seconds

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        with self._lock:
            self._print(line)
            self._draw()

    def close(self) -> None:
        """Take the bar away, and say nothing more: what is interrupted does not fail."""
        with self._lock:
            self._clear()
            self._is_closed = True

    def _print(self, line: str) -> None:
        if self._is_closed:
            return
        self._clear()
        print(line, file=self._stream, flush=True)

    def _clear(self) -> None:
        if self._has_bar:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _draw(self) -> None:
        if not self._has_bar or self._is_closed:
            return
        full = BAR * self._ended // self._total
        now = ", ".join(f"{name} {doing}" for name, doing in self._doing.items())
        line = f"[{'#' * full}{'.' * (BAR - full)}] {self._ended} of {self._total}  {now}"
        self._stream.write(f"\r\x1b[K{line[: shutil.get_terminal_size().columns - 1]}")
        self._stream.flush()
