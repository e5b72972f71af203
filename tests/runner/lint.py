"""What reads the sources and runs none of them."""

import time
from collections.abc import Iterator
from pathlib import Path

from runner.commands import Command, Environment, status_of
from runner.console import say, show
from runner.results import Result

C_FOLDERS = ("src", "digest", "cipher", "examples", "tests", "benchmarks")


def lint(project: Path, python: Path, folder: Path) -> Result:
    """Run each check, and show the output of those that fail."""
    say("lint: checking")
    start = time.monotonic()
    environment: Environment = {"RUFF_CACHE_DIR": folder / "ruff", "MYPY_CACHE_DIR": folder / "mypy"}
    failed = []
    checks = list(_checks(project, python))
    for name, command in checks:
        log = folder / f"{name.replace(' ', '-')}.txt"
        log.unlink(missing_ok=True)
        if status_of(command, log, environment, project) != 0:
            failed.append(name)
            show(f"lint: {name}", log.read_text(errors="replace"))
    return Result(
        "lint",
        passed=len(checks) - len(failed),
        failed=len(failed),
        seconds=time.monotonic() - start,
        note=", ".join(failed),
    )


def _checks(project: Path, python: Path) -> Iterator[tuple[str, Command]]:
    yield "ruff check", [python, "-m", "ruff", "check"]
    yield "ruff format", [python, "-m", "ruff", "format", "--check", "--diff"]
    yield "mypy", [python, "-m", "mypy"]
    sources = [file for folder in C_FOLDERS for file in (project / folder).rglob("*.[ch]")]
    yield "clang-format", [python.parent / "clang-format", "--dry-run", "-Werror", *sorted(sources)]
