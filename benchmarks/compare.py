"""Compare every backend with its bound and with the peers. `python3 benchmarks/compare.py --help` says how."""

import argparse
import contextlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

if importlib.util.find_spec("tomllib") is None:
    sys.exit(f"compare.py needs Python 3.11 or later, and this is {sys.version.split()[0]}, {sys.executable}")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))  # the test runner builds, and finds Pythons

from comparison import report
from comparison.clock import take_import_times, take_time
from comparison.counting import Counting
from comparison.cpus import CPUS
from comparison.inside import ALGORITHMS
from comparison.verdict import judge, misses, native_misses
from comparison.workshop import Workshop
from runner.commands import CommandError, UnavailableError
from runner.console import show

PROJECT = Path(__file__).resolve().parent.parent

DESCRIPTION = """\
Counts the instructions per byte that each backend of each algorithm executes on each emulated ARM CPU, beside OpenSSL
(by way of hashlib) and libgcrypt, where the emulated system has it, and beside the bound that each backend has
(benchmarks/comparison/bounds.py). benchmarks/README.md tells how to read the table.
"""
EPILOG = """\
The table goes to stdout, progress to stderr. Builds and logs are in build/benchmarks, Debian's Pythons for ARM in
~/.cache/armlet; what is there is used again.
Exit status: 0 done, 1 a bound is missed (with --check), 2 could not be measured.
"""


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    cpus = [cpu.name for cpu in CPUS]
    parser.add_argument("--algorithm", action="append", choices=ALGORITHMS, help="only this algorithm (repeatable)")
    parser.add_argument("--cpu", action="append", choices=cpus, help="only this CPU (repeatable)")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a bound is missed")
    parser.add_argument("--native", action="store_true", help="instead, take the time on this machine, beside hashlib")
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    parser.add_argument(
        "--install-tools",
        action="store_true",
        help="install what is missing: cross compilers and qemu-user with apt (as root, or with sudo); "
        "Debian's Pythons for ARM are only unpacked into a folder",
    )
    options = parser.parse_args(arguments)
    if options.native and options.cpu:
        parser.error("--native has no emulated CPU: not with --cpu")
    return options


def main() -> int:
    """Do what the command line says, and return the exit status."""
    options = parse(sys.argv[1:])
    algorithms = options.algorithm or list(ALGORITHMS)
    workshop = Workshop(PROJECT, options.install_tools)
    with contextlib.redirect_stdout(sys.stderr):
        try:
            answer, missed = take(options, workshop, algorithms)
        except UnavailableError as reason:
            print(f"benchmarks/compare.py: {reason}")
            return 2
        except CommandError as error:
            show(str(error), error.output())
            return 2
        print(*(f"missed: {miss}" for miss in missed), sep="\n", end="\n" if missed else "")
    print(answer)
    return 1 if options.check and missed else 0


def take(options: argparse.Namespace, workshop: Workshop, algorithms: Sequence[str]) -> tuple[str, list[str]]:
    """Measure, and return what is to be printed, and which bounds are missed."""
    if options.native:
        times, imports = take_time(workshop, algorithms), take_import_times(workshop)
        missed = list(native_misses(times, imports))
        answer = report.timed_json(times, imports, missed) if options.json else report.timed(times, imports)
        return answer, missed
    cpus = [cpu for cpu in CPUS if not options.cpu or cpu.name in options.cpu]
    judged = judge(Counting(workshop, cpus, algorithms).figures())
    missed = list(misses(judged, [cpu.name for cpu in cpus], algorithms))
    return report.counted_json(judged, missed) if options.json else report.counted(judged), missed


if __name__ == "__main__":
    sys.exit(main())
