"""The programs that a wheel takes: logged, and all of them ended when the user interrupts."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from typing import IO, NamedTuple

from ..errors import KconfError

Program = subprocess.Popen[str]


class Failed(KconfError):  # noqa: N818  # what a program did
    """A program that did not succeed; `output` is what it printed."""

    def __init__(self, text: str, output: str) -> None:
        """TEXT says what failed."""
        super().__init__(text)
        self.output = output


class Processes:
    """Every program that runs for one command."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Program] = set()
        self._stopped = False

    def start(self, argv: list[str], folder: str, environment: Mapping[str, str]) -> Program:
        """Start a program, unless all were stopped."""
        with self._lock:
            if self._stopped:
                raise KconfError("interrupted")
            process = subprocess.Popen(
                argv,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,  # so that it can be ended with all that it started
            )
            self._running.add(process)
            return process

    def wait(self, process: Program) -> int:
        """Wait for a program to end, and return its status."""
        try:
            return process.wait()
        finally:
            with self._lock:
                self._running.discard(process)

    def stop(self) -> None:
        """End what runs, and let nothing start any more."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)


class Output(NamedTuple):
    """Where the programs of one wheel run, and where goes what they print."""

    folder: str  # of the wheel's own
    processes: Processes
    log: IO[str]
    echo: Callable[[str], None] | None  # gets every line too

    def run(self, argv: list[str], folder: str, environment: Mapping[str, str], timeout: float | None = None) -> str:
        """Run a program to its end, and return what it prints."""
        print("$", *argv, file=self.log, flush=True)
        process = self.processes.start(argv, folder, environment)
        timer = threading.Timer(timeout or threading.TIMEOUT_MAX, _kill, [process])
        if timeout:
            timer.start()
        lines = []
        for line in process.stdout or ():
            lines.append(line)
            self.log.write(line)
            if self.echo:
                self.echo(line.rstrip("\n"))
        status = self.processes.wait(process)
        timer.cancel()
        self.log.flush()
        if status:
            raise Failed(f"{os.path.basename(argv[0])} failed with status {status}", "".join(lines))
        return "".join(lines)


def _kill(process: Program) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
