"""Running other programs: their output goes to a file, and is at hand when they fail."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

TIME_LIMIT = 1800  # seconds; nothing here takes a tenth of it, unless it hangs

Command = Sequence[str | Path]
Environment = Mapping[str, str | Path]


class CommandError(Exception):
    """A program that exited with an error; its output is in the log."""

    def __init__(self, command: Command, outcome: str, log: Path) -> None:
        super().__init__(f"{Path(command[0]).name} {' '.join(map(str, command[1:4]))} ... {outcome}")
        self.log = log

    def output(self) -> str:
        """Return what the program, and those run before it for the same purpose, printed."""
        return self.log.read_text(errors="replace")


class UnavailableError(Exception):
    """What this machine lacks for a run: the reason why the run is skipped."""


def status_of(command: Command, log: Path, environment: Environment | None = None, folder: Path | None = None) -> int:
    """Run the command, its output appended to the log, and return its exit status.

    It runs in our environment with the given additions, of which an empty one removes.
    """
    variables = {name: value for name, value in {**os.environ, **(environment or {})}.items() if value}
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as output:
        print("$", *command, file=output, flush=True)
        try:
            return subprocess.run(
                command,
                check=False,
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=TIME_LIMIT,
            ).returncode
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CommandError(command, f"did not run to its end: {error}", log) from error


def run(command: Command, log: Path, environment: Environment | None = None, folder: Path | None = None) -> None:
    """Run the command likewise, where a failure is an error."""
    if status := status_of(command, log, environment, folder):
        raise CommandError(command, f"exited with status {status}", log)
