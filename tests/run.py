"""Run all tests: natively and on emulated ARM CPUs. `python3 tests/run.py --help` says how."""

import argparse
import importlib.util
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

if importlib.util.find_spec("tomllib") is None:
    sys.exit(f"tests/run.py needs Python 3.11 or later, and this is {sys.version.split()[0]}, {sys.executable}")

from runner.commands import CommandError
from runner.console import show
from runner.results import summary, total
from runner.session import Session
from runner.targets import RUNS

PROJECT = Path(__file__).resolve().parent.parent

DESCRIPTION = """\
Builds the package for this machine and for each ARM target, runs the same tests on every CPU of the table of runs
(tests/runner/targets.py), checks the style of the sources, and that every backend of every build was tested.
What this machine lacks is named, and the runs that need it are skipped.
"""
EPILOG = """\
What follows -- goes to pytest: tests/run.py --run native -- -k sha512 -x
Builds and logs are in build/tests, Debian's Pythons for ARM in ~/.cache/armlet.
Exit status: 0 all passed, 1 something failed, 2 could not begin.
"""


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    names = [row.name for row in RUNS]
    parser = argparse.ArgumentParser(
        usage="%(prog)s [option ...] [-- pytest-argument ...]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--install-tools",
        action="store_true",
        help="install what is missing: cross compilers, qemu-user and tmux with apt (as root, or with sudo); "
        "Debian's Pythons for ARM are only unpacked into a folder",
    )
    parser.add_argument("--require-all", action="store_true", help="what is skipped for want of a tool is a failure")
    parser.add_argument("--run", action="append", metavar="NAME", choices=names, help="only this run (repeatable)")
    parser.add_argument("--list", action="store_true", help="print the names of the runs, and stop")
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--lint-only", action="store_true", help="only check the style of the sources")
    style.add_argument("--no-lint", action="store_true", help="do not check the style of the sources")
    parser.add_argument("pytest", nargs="*", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main() -> int:
    """Run what the command line says, and return the exit status."""
    options = parse(sys.argv[1:])
    if options.list:
        print(*(row.name for row in RUNS), sep="\n")
        return 0
    if lacking := list(what_is_lacking()):
        print("tests/run.py cannot begin:", *lacking, sep="\n  ", file=sys.stderr)
        return 2
    session = Session(
        PROJECT,
        PROJECT / "build" / "tests",
        install_tools=options.install_tools,
        require_all=options.require_all,
        pytest_arguments=tuple(options.pytest),
    )
    rows = [row for row in RUNS if not options.lint_only and (not options.run or row.name in options.run)]
    complete = rows == list(RUNS) and not options.pytest
    try:
        results = session.run(rows, style=not options.no_lint, complete=complete)
    except CommandError as error:
        show(str(error), error.output())
        return 2
    print(f"\n{summary(results)}\n{total(results)}")
    return 1 if any(result.failed for result in results) else 0


def what_is_lacking() -> Iterator[str]:
    """Name what this machine must have before anything can be built."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        yield f"{sys.executable} cannot make virtual environments (Debian: apt install {name}-venv)"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        yield f"{sys.executable} has no headers (Debian: apt install {name}-dev)"
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        yield "there is no C compiler (Debian: apt install gcc libc6-dev)"


if __name__ == "__main__":
    sys.exit(main())
