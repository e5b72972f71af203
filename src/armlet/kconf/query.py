"""The commands that ask a finished package what it is: show, selftest and inspect. They need nothing but Python."""

import argparse
import importlib
import json
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .errors import KconfError
from .report import SelfTest
from .table import columns, encodable, wants_colour, width_of

if TYPE_CHECKING:
    from .inspection import Finding


def add_queries(commands: Any, package: str) -> None:
    """Add the commands to an argparse subparsers object; PACKAGE is what they are about if no other is named."""
    _add_show(commands, package)
    _add_selftest(commands, package)
    _add_inspect(commands)


def _add_show(commands: Any, package: str) -> None:
    parser = commands.add_parser(
        "show",
        help="what a build contains, what this CPU uses of it, and why not the rest (--json: for programs)",
        description="Prints every backend of every algorithm: not built, not usable on this CPU, usable, or selected.",
    )
    _add_package(parser, package)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="the same, and more, for programs")
    how.add_argument("--why", metavar="ALGORITHM", help="why that algorithm is served by what serves it")
    parser.set_defaults(run=_show)


def _add_selftest(commands: Any, package: str) -> None:
    parser = commands.add_parser(
        "selftest",
        help="known answers of every backend that this CPU can run; status 1 if one is wrong",
        description="Tests every backend that this CPU can run with a known answer.",
    )
    _add_package(parser, package)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=_selftest)


def _add_inspect(commands: Any) -> None:
    parser = commands.add_parser(
        "inspect",
        help="the report of wheels, compiled modules or folders, which are not imported",
        description="Prints what a wheel, a compiled module (.so, .dylib, .pyd) or a folder that holds one was built "
        "to contain, for any system and architecture. Nothing of it is run. Status 1 if one has no report, or says "
        "different things of itself.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a wheel, a .so, .dylib or .pyd, or a folder")
    parser.add_argument("--json", action="store_true", help="the report of `show --json`, and what was inspected")
    parser.set_defaults(run=_inspect)


def _add_package(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "package", nargs="?", type=_package, default=default, metavar="PACKAGE", help=f"{default} by default"
    )


def _package(name: str) -> str:
    if not all(part.isidentifier() for part in name.split(".")):
        raise argparse.ArgumentTypeError(f"{name!r} is not the name of a package")
    return name


def _show(arguments: argparse.Namespace) -> int:
    config = _config_of(arguments.package)
    if config is None:
        return 2
    if arguments.json:
        print(json.dumps(config.as_dict(), indent=2))
    elif arguments.why:
        try:
            _print(config.why(arguments.why, **_look()))
        except ValueError as error:
            print(f"armlet: {error}", file=sys.stderr)
            return 2
    else:
        _print(config.table(**_look()))
    return 0


def _selftest(arguments: argparse.Namespace) -> int:
    config = _config_of(arguments.package)
    if config is None:
        return 2
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # that a backend fails is what this prints
        results: list[SelfTest] = config.selftest()
    failed = sum(result.passed is False for result in results)
    if arguments.json:
        print(json.dumps({"package": arguments.package, "results": [r._asdict() for r in results]}, indent=2))
    else:
        rows = [("algorithm", "backend", "answer", "")]
        rows += [(result.algorithm, result.backend, *_verdict(result, config)) for result in results]
        _print("\n".join(columns(rows, **_look())))
        _print(f"{failed} of {len(results)} backends failed" if failed else "no backend failed")
    return 1 if failed else 0


def _verdict(result: SelfTest, config: ModuleType) -> tuple[str, str]:
    if result.passed is None:
        backends = config.backends(result.algorithm)
        return "not usable", next(backend.reason for backend in backends if backend.name == result.backend)
    return ("passed", "") if result.passed else ("failed", "gives a wrong answer on this machine")


def _inspect(arguments: argparse.Namespace) -> int:
    from .inspection import inspect

    for file in arguments.files:
        if not os.path.lexists(file):
            print(f"armlet: {file}: there is no such file", file=sys.stderr)
            return 2
    findings: list[Finding] = []
    wrong: list[str] = []
    for file in arguments.files:
        try:
            findings += inspect(file)
        except KconfError as error:
            wrong.append(str(error))
    if arguments.json and findings:
        reports = [finding.as_dict() for finding in findings]
        print(json.dumps(reports[0] if len(reports) == len(arguments.files) == 1 else reports, indent=2))
    elif findings:
        _print("\n\n".join(f"{f.where}\n{f.report.table(**_look())}" for f in findings))
    wrong += [f"armlet: {finding.where}: {words}" for finding in findings for words in finding.differences]
    for words in wrong:
        print(words, file=sys.stderr)
    return 1 if wrong else 0


def _look() -> dict[str, Any]:
    return {"width": width_of(sys.stdout), "colour": wants_colour(sys.stdout)}


def _print(text: str) -> None:
    print(encodable(text, sys.stdout))


def _config_of(package: str) -> ModuleType | None:
    name = f"{package}.config"
    try:
        config = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise KconfError(f"armlet: {error}") from None
        hint = f"; of a file or a folder: armlet inspect {package}" if os.path.exists(package) else ""
        print(f"armlet: {package}: no report: {error}{hint}", file=sys.stderr)
        return None
    except (ImportError, Warning) as error:  # the package refuses this CPU; a warning that -W makes an error
        raise KconfError(f"armlet: {error}") from None
    if not hasattr(config, "as_dict"):
        print(f"armlet: {package}: its config module is not a report of this framework", file=sys.stderr)
        return None
    return config
