"""`configure`: what meson.build runs. Resolves the Kconfig and writes the files that the rest of the build reads."""

import argparse
import os
import sys
from typing import Any

from .errors import Errors
from .files import write_files
from .generate import Project, Request
from .intent import find_configs, parse_set
from .resolve import Resolution
from .sources import check_source_files
from .target import Compiler, Probe, Target, failed_probe, probe_command
from .tree import Tree
from .workspace import read_files

SEPARATOR = "--"  # the line between the parts of standard output


def add_configure(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "configure",
        help="resolve Kconfig for a build folder (meson.build runs it)",
        description="Resolves the Kconfig of a source folder and writes what the build reads. Prints, with "
        f"lines {SEPARATOR} between: the files it read, one a line; the table of backends; the text of module _config.",
    )
    parser.add_argument("--source-dir", required=True, metavar="DIR")
    parser.add_argument("--build-dir", required=True, metavar="DIR")
    parser.add_argument("--project", required=True, nargs=2, metavar=("NAME", "VERSION"))
    parser.add_argument("--target", required=True, nargs=4, metavar=("SYSTEM", "CPU_FAMILY", "ENDIAN", "WORD_BITS"))
    parser.add_argument("--compiler", required=True, nargs=2, metavar=("ID", "VERSION"))
    parser.add_argument(
        "--probe",
        action="append",
        default=[],
        metavar="SYMBOL|ANSWER|FILE|FLAGS...",
        help="ANSWER: yes, no or n/a; FLAGS: those with which it compiled, or all that were tried",
    )
    parser.add_argument("--config", action="append", default=[], metavar="NAME", help="a configuration, in order")
    parser.add_argument("--set", action="append", default=[], metavar="SYMBOL=VALUE", help="applied last")
    parser.add_argument("--keep-going", action="store_true", help="report every error, not the first alone")
    parser.add_argument("cc", nargs="+", metavar="CC", help="after --: the compiler's command with the user's c_args")
    parser.set_defaults(run=configure)


def configure(arguments: argparse.Namespace) -> int:
    """Write the generated files of a build folder: all of them, or on any error none."""
    source_dir = os.path.abspath(arguments.source_dir)
    system, cpu_family, endian, word_bits = arguments.target
    compiler = Compiler(arguments.compiler[0], arguments.compiler[1], arguments.cc)
    probes = {probe.symbol: probe for probe in (_probe(row, compiler, source_dir) for row in arguments.probe)}
    tree = Tree(source_dir, Target(system, cpu_family, endian, int(word_bits)), probes)
    errors = Errors(arguments.keep_going)
    check_source_files(tree, errors)
    request = Request(_words(arguments.config), _words(arguments.set))
    paths = find_configs(source_dir, request.config, errors)
    layers = [*read_files(paths, source_dir, errors), parse_set(request.set, errors=errors)]
    resolution = Resolution(tree, layers, errors)
    errors.finish()
    name, version = arguments.project
    project = Project(name, version, compiler, resolution)
    inputs = "\n".join([*tree.files, *paths, *_own_files(source_dir)])
    answer = f"\n{SEPARATOR}\n".join([inputs, project.table(), project.module()])
    write_files(arguments.build_dir, project.files(request))
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # Meson reads UTF-8 whatever the locale
    print(answer)
    return 0


def _words(values: list[str]) -> list[str]:
    """Undo what argparse makes of `--config=--` before Python 3.13: an empty list."""
    return [value or "--" for value in values]


def _own_files(source_dir: str) -> list[str]:
    """Return the files of the framework itself where it is part of the source tree: a change of them reconfigures."""
    folder = os.path.dirname(os.path.abspath(__file__))
    if os.path.commonpath([folder, source_dir]) != source_dir:
        return []
    return [os.path.relpath(os.path.join(folder, n), source_dir) for n in os.listdir(folder) if n.endswith(".py")]


def _probe(row: str, compiler: Compiler, source_dir: str) -> Probe:
    symbol, answer, file, *alternatives = row.split("|")
    flags = [alternative.split() for alternative in alternatives] or [[]]
    if answer == "no":
        return failed_probe(symbol, file, flags, compiler, source_dir)
    argv = probe_command(compiler, flags[0], file) if answer == "yes" else []
    return Probe(symbol, answer, file, flags[0], argv, "")
