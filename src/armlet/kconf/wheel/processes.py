"""The programs that a wheel takes: logged, and all of them ended when the user interrupts."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from typing import IO

from ..errors import KconfError


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
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def run(
        self,
        argv: list[str],
        *,
        folder: str,
        environment: Mapping[str, str],
        log: IO[str],
        echo: Callable[[str], None] | None = None,
        timeout: float | None = None,
    ) -> str:
        """Run a program to its end and return what it prints, which goes to LOG too, and to ECHO line by line."""
        print("$", *argv, file=log, flush=True)
        process = self._start(argv, folder, environment)
        timer = threading.Timer(timeout, _kill, [process]) if timeout else None
        if timer:
            timer.start()
        lines = []
        try:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                log.write(line)
                if echo:
                    echo(line.rstrip("\n"))
            status = process.wait()
        finally:
            if timer:
                timer.cancel()
            with self._lock:
                self._running.discard(process)
        log.flush()
        output = "".join(lines)
        if status:
            raise Failed(f"{os.path.basename(argv[0])} failed with status {status}", output)
        return output

    def _start(self, argv: list[str], folder: str, environment: Mapping[str, str]) -> subprocess.Popen[str]:
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

    def stop(self) -> None:
        """End what runs, and let nothing start any more."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)


def _kill(process: "subprocess.Popen[str]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
