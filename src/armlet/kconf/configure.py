"""`configure`: what meson.build runs. Resolves the Kconfig and writes the files that the rest of the build reads."""

import argparse
import os
import sys
from typing import Any

from .errors import Errors
from .files import write_files
from .flags import c_args, link_args
from .generate import Project, Request
from .intent import find_configs, parse_set
from .layout import FOLDER, RUNTIME, check_interface, folder_in, native_sources
from .resolve import Resolution
from .sources import check_build_lines, check_source_files
from .target import Answer, Compiler, Target, answered_probes
from .tree import Tree
from .workspace import read_files

SEPARATOR = "--"  # the line between the parts of standard output


def add_configure(commands: Any) -> None:
    """Add the command to an argparse subparsers object."""
    parser = commands.add_parser(
        "configure",
        help="resolve Kconfig for a build folder (meson.build runs it)",
        description="Resolves the Kconfig of a source folder and writes what the build reads. Prints, with "
        f"lines {SEPARATOR} between: the files it read, one a line; the table of backends; the text of module _config; "
        "the arguments of every compilation; those of the link; the framework's C; its Python for the package.",
    )
    parser.add_argument("--interface", required=True, metavar="VERSION", help="the one that meson.build is written for")
    parser.add_argument("--source-dir", default=".", metavar="DIR", help="by default the one in which it runs")
    parser.add_argument("--build-dir", required=True, metavar="DIR", help="where the generated files go")
    parser.add_argument("--project", required=True, nargs=2, metavar=("NAME", "VERSION"), help="what is configured")
    target = ("SYSTEM", "CPU_FAMILY", "ENDIAN", "POINTER_SIZE")
    parser.add_argument("--target", required=True, nargs=4, metavar=target, help="in Meson's words; bytes of a pointer")
    parser.add_argument("--compiler", required=True, nargs=2, metavar=("ID", "VERSION"), help="in Meson's words")
    parser.add_argument("--optimization", default="plain", metavar="LEVEL", help="Meson's option of that name")
    parser.add_argument(
        "--probe", action="append", default=[], metavar="'FILE FLAGS|WORKS'", help="of probes/; true if it compiles"
    )
    parser.add_argument("--sources", metavar="SYMBOLS", help="that have sources in meson.build, one a line")
    parser.add_argument("--config", action="append", default=[], metavar="NAMES", help="in order, one a line")
    parser.add_argument("--set", action="append", default=[], metavar="ASSIGNMENTS", help="applied last, one a line")
    parser.add_argument("--keep-going", action="store_true", help="report every error, not the first alone")
    parser.add_argument("cc", nargs="+", metavar="CC", help="after --: the compiler's command with the user's c_args")
    parser.set_defaults(run=configure)


def configure(arguments: argparse.Namespace) -> int:
    """Write the generated files of a build folder: all of them, or on any error none."""
    check_interface(arguments.interface)
    source_dir = os.path.abspath(arguments.source_dir)
    system, cpu_family, endian, pointer_size = arguments.target
    target = Target(system, cpu_family, endian, 8 * int(pointer_size))
    compiler = Compiler(arguments.compiler[0], arguments.compiler[1], arguments.cc, arguments.optimization)
    probes = answered_probes([_answer(row) for row in arguments.probe], target, compiler, source_dir)
    tree = Tree(source_dir, target, probes)
    errors = Errors(arguments.keep_going)
    check_source_files(tree, errors)
    if arguments.sources is not None:
        check_build_lines(tree, arguments.sources.split(), errors)
    request = Request(_lines(arguments.config), _lines(arguments.set))
    paths = find_configs(source_dir, request.config, errors)
    layers = [*read_files(paths, source_dir, errors), parse_set(request.set, errors=errors)]
    resolution = Resolution(tree, layers, errors)
    errors.finish()
    name, version = arguments.project
    project = Project(name, version, compiler, resolution)
    own = folder_in(source_dir)
    parts = [
        _watched([*tree.files, *paths, *_own_files(source_dir)], arguments.build_dir),
        [project.table()],
        [project.module()],
        [f"-I{FOLDER}/native", *c_args(tree)],
        link_args(tree),
        [f"{own}/{file}" for file in native_sources()],
        [f"{own}/{file}" for file in RUNTIME],
    ]
    write_files(arguments.build_dir, project.files(request))
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # Meson reads UTF-8 whatever the locale
    print(f"\n{SEPARATOR}\n".join("\n".join(part) for part in parts))
    return 0


def _lines(values: list[Any]) -> list[str]:
    """Return what stands on the lines of an option; what argparse makes of `--set=--` before Python 3.13 is a list."""
    return [line for value in values for line in ("--" if value == [] else value).split("\n") if line]


def _answer(row: str) -> Answer:
    probe, _, works = row.rpartition("|")
    file, *flags = probe.split()
    return Answer(file, flags, works == "true")


def _watched(files: list[str], build_dir: str) -> list[str]:
    """Return the files whose change reconfigures; Meson watches none that is in its own folder."""
    return [file for file in files if not file.startswith(os.path.join(build_dir, ""))]


def _own_files(source_dir: str) -> list[str]:
    """Return the modules of the framework itself where it is part of the source tree."""
    folder = folder_in(source_dir)
    return [] if os.path.isabs(folder) else [f"{folder}/{n}" for n in os.listdir(FOLDER) if n.endswith(".py")]
