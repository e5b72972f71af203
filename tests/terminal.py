"""A real terminal to drive a program in: tmux, whose screen is text."""

import itertools
import shlex
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TIME_LIMIT = 30  # seconds that anything on the screen may take, on a machine that has other things to do

_numbers = itertools.count()  # of sockets: the server of the one before may not be gone yet

EXIT = "exit status"  # what the terminal shows when the program has ended


class Terminal:
    """A program in a terminal."""

    def __init__(self, socket: Path) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]

    def run(self, *arguments: str) -> str:
        """Run a command of tmux, and return what it prints."""
        return subprocess.run([*self._tmux, *arguments], capture_output=True, check=True, text=True).stdout

    def screen(self) -> str:
        """Return the text that is on the screen."""
        return self.run("capture-pane", "-p")

    def program(self) -> int:
        """Return the number of the process that runs in it."""
        shell = self.run("display-message", "-p", "#{pane_pid}").strip()
        return int(Path(f"/proc/{shell}/task/{shell}/children").read_text())

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names of them."""
        self.run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self.run("send-keys", "-l", text)

    def wait_for(self, *texts: str) -> str:
        """Wait until all of TEXTS are on the screen; return the screen."""
        deadline = time.monotonic() + TIME_LIMIT
        while not all(text in (screen := self.screen()) for text in texts):
            ended = EXIT in screen and screen == self.screen()
            assert not ended and time.monotonic() < deadline, f"no {texts} on the screen:\n{screen}"
            time.sleep(0.05)
        return screen


@contextmanager
def terminal(
    folder: Path, command: list[str], environment: dict[str, str | None], size: tuple[int, int] = (80, 24)
) -> Iterator[Terminal]:
    """Start a command in a terminal of SIZE, in FOLDER; None takes a variable out of its environment."""
    settings = [f"{name}={value}" for name, value in environment.items() if value is not None]
    unset = [word for name, value in environment.items() if value is None for word in ("-u", name)]
    shell = shlex.join(["env", *unset, *settings, *command]) + f"; echo {EXIT} $?; exec sleep 600"
    window = Terminal(folder / f"{next(_numbers)}.socket")
    columns, rows = map(str, size)
    window.run("new-session", "-d", "-x", columns, "-y", rows, "-c", str(folder), shell)
    try:
        yield window
    finally:
        window.run("kill-server")
