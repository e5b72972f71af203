"""The command `armlet`, also `python -m armlet`."""

import argparse
import importlib
import itertools
import json
import os
import sys
from types import ModuleType
from typing import Any

from . import __version__
from .kconf.commands import COMMANDS, add_commands, run
from .kconf.errors import KconfError


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 if it succeeded, 1 if the answer is no, 2 for bad usage."""
    words = _in_order(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return run(lambda: _parser(words[0]).parse_args(words))
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # the reader of a pipe, `head` say, has seen enough
            print(f"armlet: {error}", file=sys.stderr)
        # What could not be written is still in the buffer, and Python would complain of it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


_GENERAL = ("-h", "--help", "--version")


def _in_order(words: list[str]) -> list[str]:
    """`armlet --json`, and `armlet --json show` too, is short for `armlet show --json`; `armlet` for `armlet show`."""
    if words and words[0] in _GENERAL:
        return words
    options = list(itertools.takewhile(lambda word: word.startswith("-"), words))
    command, *others = words[len(options) :] or ["show"]
    return [command, *options, *others]


def _parser(word: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="armlet",
        description="Without a command: show what this build contains and what this CPU uses of it.",
    )
    parser.add_argument("--version", action="version", version=f"armlet {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    show = commands.add_parser(
        "show",
        help="what a build contains, what this CPU uses of it, and why not the rest",
        description="Prints every backend of every algorithm: not built, not usable on this CPU, usable, or selected.",
    )
    show.add_argument(
        "package", nargs="?", type=_package, default="armlet", metavar="PACKAGE", help="armlet by default"
    )
    show.add_argument("--json", action="store_true", help="the same, and more, for programs")
    show.set_defaults(run=_show)
    if word != "show":
        _add_source_tree_commands(parser, commands, word)
    return parser


def _add_source_tree_commands(parser: argparse.ArgumentParser, commands: Any, word: str) -> None:
    try:
        add_commands(commands, word)
    except KconfError as error:  # the report alone needs no kconfiglib
        if word in COMMANDS:
            raise
        parser.epilog = f"For the commands of a source tree ({', '.join(COMMANDS)}): {error}"


def _package(name: str) -> str:
    if not all(part.isidentifier() for part in name.split(".")):
        raise argparse.ArgumentTypeError(f"{name!r} is not the name of a package")
    return name


def _show(arguments: argparse.Namespace) -> int:
    config = _config_of(arguments.package)
    if config is None:
        return 2
    print(json.dumps(config.as_dict(), indent=2) if arguments.json else config.table())
    return 0


def _config_of(package: str) -> ModuleType | None:
    name = f"{package}.config"
    try:
        config = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise KconfError(f"armlet: {error}") from None
        print(f"armlet: {package}: no report: {error}", file=sys.stderr)
        return None
    except (ImportError, Warning) as error:  # the package refuses this CPU; a warning that -W makes an error
        raise KconfError(f"armlet: {error}") from None
    if not hasattr(config, "as_dict"):
        print(f"armlet: {package}: its config module is not a report of this framework", file=sys.stderr)
        return None
    return config


if __name__ == "__main__":
    sys.exit(main())
