"""`wheel` and `targets`: wheels for many targets, and the list of targets."""

import argparse
import importlib.util
import json
import os
import re
import shutil
import sys
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import KconfError
from ..intent import config_path, is_path
from ..table import aligned, listed
from .targets import WheelTarget, all_targets, find_target, github_matrix, search_path

if TYPE_CHECKING:
    from .order import Result

SCHEMA = 1
# What the extra [wheel] installs, by the names under which it is imported, and the programs of it that are run.
MODULES = (
    *("abi3info", "auditwheel", "build", "capstone", "elftools", "macholib"),
    *("mesonbuild", "mesonpy", "packaging", "ziglang"),
)


def add_targets(commands: Any) -> None:
    """Add the command `targets` to an argparse subparsers object."""
    parser = commands.add_parser(
        "targets",
        help="the machines that wheels are made for",
        description="Lists the files targets/*.ini: Meson cross files that say how wheels are tagged and tried too.",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the same, and more, for programs")
    form.add_argument("--github-matrix", action="store_true", help="the matrix of a GitHub workflow, a job for each")
    parser.set_defaults(run=_targets)


def _targets(arguments: argparse.Namespace) -> int:
    targets = all_targets(os.getcwd())
    if not targets:
        raise KconfError(f"{os.getcwd()} has no targets/*.ini: run this in a source tree")
    if arguments.json:
        print(json.dumps({"schema": SCHEMA, "targets": [target.as_dict() for target in targets]}, indent=2))
    elif arguments.github_matrix:
        print(json.dumps(github_matrix(targets)))
    else:
        print(*listed([(t.name, t.platform, t.description) for t in targets], sys.stdout), sep="\n")
    return 0


def add_wheel(commands: Any) -> None:
    """Add the command `wheel` to an argparse subparsers object."""
    parser = commands.add_parser(
        "wheel",
        help="wheels for other machines, checked and tried",
        description="Builds the source tree in which it runs for each target, tags and repairs the wheel, checks it "
        "against its tag, and leaves in the output folder what passed. Nothing is compiled before every target was "
        "configured.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--target", action="append", default=[], metavar="NAME", help="targets/NAME.ini, or the path of a cross file"
    )
    which.add_argument("--all", action="store_true", help="every file in targets/")
    parser.add_argument(
        "--out", default="dist", type=_not_empty, metavar="DIR", help="where the wheels go; dist by default"
    )
    parser.add_argument(
        "--config", action="append", default=[], type=_not_empty, metavar="NAME", help="a configuration, in order"
    )
    parser.add_argument(
        "--set", action="append", default=[], type=_not_empty, metavar="SYMBOL=VALUE", help="applied last"
    )
    parser.add_argument("--build-tag", metavar="TAG", help="by default one made of --config and --set, if given")
    parser.add_argument(
        "--compiler", choices=("cross-file", "gcc"), default="cross-file", help="gcc: the one that the target names"
    )
    parser.add_argument("--try", dest="try_it", action="store_true", help="import each in a Python of its architecture")
    parser.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N", help="targets at a time")
    parser.add_argument("-v", "--verbose", action="store_true", help="what the compilers print, too")
    parser.add_argument("--json", action="store_true", help="the result for programs, on standard output")
    parser.set_defaults(run=_wheel)


def _positive(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _not_empty(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    return text


def _wheel(arguments: argparse.Namespace) -> int:
    source_dir = os.getcwd()
    for file in ("meson.build", "pyproject.toml"):
        if not os.path.exists(file):
            raise KconfError(f"{source_dir} has no {file}: run this in a source tree")
    _require_tools()
    from .build import Wish, source_date_epoch  # which import them
    from .order import Order

    targets = _chosen(source_dir, arguments)
    out = os.path.abspath(arguments.out)
    require_writable(out)
    jobs = min(arguments.jobs, len(targets))
    wish = Wish(
        source_dir,
        arguments.config,
        arguments.set,
        build_tag(arguments),
        arguments.compiler,
        source_date_epoch(source_dir),
        max(1, (os.cpu_count() or 1) // jobs),
    )
    order = Order(targets, wish, out, arguments.try_it, arguments.verbose)
    results = order.carry_out(jobs)
    if arguments.json:
        print(json.dumps({"schema": SCHEMA, "wheels": [result._asdict() for result in results]}, indent=2))
    else:
        print(_table(results))
    return 1 if any(result.error for result in results) else 0


def _require_tools() -> None:
    lacking = [name for name in MODULES if importlib.util.find_spec(name) is None]
    lacking += [name for name in ("ninja", "patchelf") if not shutil.which(name, path=search_path())]
    if lacking:
        raise KconfError(f"{', '.join(lacking)} not found: {sys.executable} -m pip install 'armlet[wheel]'")


def _chosen(source_dir: str, arguments: argparse.Namespace) -> list[WheelTarget]:
    targets = all_targets(source_dir) if arguments.all else [find_target(source_dir, n) for n in arguments.target]
    targets = list({os.path.realpath(target.path): target for target in targets}.values())
    if not targets:
        raise KconfError(f"--all: {source_dir} has no targets/*.ini")
    _require_different(targets)
    for target in targets if arguments.compiler == "cross-file" else []:
        if missing := target.missing_programs():
            raise KconfError(f"{target.path}: {' and '.join(missing)} not found, of its [binaries]")
    return targets


def _require_different(targets: list[WheelTarget]) -> None:
    """Of two targets with one name, or one tag, the second would take the place of the first."""
    for what in ("name", "platform"):
        first: dict[str, WheelTarget] = {}
        for target in targets:
            value = getattr(target, what)
            if (other := first.setdefault(value, target)) is not target:
                raise KconfError(
                    f"{other.path} and {target.path} have the same {what}, {value}: build one after the other, each "
                    "with an --out of its own"
                )


def require_writable(out: str) -> None:
    """Say before anything is compiled that wheels cannot be left there; the folder itself is made for the first one."""
    parent = out
    while not os.path.lexists(parent):
        parent = os.path.dirname(parent)
    if not os.path.isdir(parent):
        raise KconfError(f"--out {out}: {parent} is no folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise KconfError(f"--out {out}: {parent} cannot be written to")


def build_tag(arguments: argparse.Namespace) -> str:
    """Return what keeps wheels of two configurations apart: the default one has no build tag."""
    if arguments.build_tag is not None:
        if not re.fullmatch(r"\d[\w.]*", arguments.build_tag, re.ASCII):
            raise KconfError(f"--build-tag {arguments.build_tag}: a digit, then letters, digits, . and _")
        return str(arguments.build_tag)
    if not arguments.config and not arguments.set:
        return ""
    names = [os.path.basename(name).removesuffix(".config") or "config" for name in arguments.config]
    variable = [*_contents_of_files(arguments.config), *sorted(arguments.set)]  # what no name stands for
    checksum = f"{zlib.crc32(chr(10).join(variable).encode()):08x}"
    return re.sub(r"\W+", "_", "_".join(["1", *names, *([checksum] if variable else [])]))


def _contents_of_files(configs: list[str]) -> Iterator[str]:
    """Yield what is in configurations that are given by their paths; one that cannot be read is refused later."""
    for name in configs:
        path = config_path(os.getcwd(), name)
        if is_path(name) and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                yield file.read()


def _table(results: "list[Result]") -> str:
    from .tries import summary

    rows = [("target", "size", "backends", "tried", "file")]
    for result in results:
        if result.error:
            rows.append((result.target, "", "", "", "none: it failed"))
            continue
        count = sum(map(len, result.backends.values()))
        backends = f"{count} for {len(result.backends)} algorithms"
        size = f"{(result.size or 0) / 1000:.0f} kB"
        tried = summary(result.tried) or "no"  # its line above says why
        rows.append((result.target, size, backends, tried, os.path.basename(result.file or "")))
    return "\n".join(aligned(rows))
