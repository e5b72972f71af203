"""The command `armlet`, also `python -m armlet`."""

import argparse
import importlib
import json
import sys
from types import ModuleType
from typing import Any

from . import __version__
from .kconf.commands import COMMANDS, add_commands, run
from .kconf.errors import KconfError


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 if it succeeded, 1 if the answer is no, 2 for bad usage."""
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] not in _GENERAL:
        words = _with_default(words)
    return run(lambda: _parser(words[0]).parse_args(words))


_GENERAL = ("-h", "--help", "--version")


def _with_default(words: list[str]) -> list[str]:
    """`armlet` and `armlet --json` are short for `armlet show` and `armlet show --json`."""
    return ["show", *words] if not words or words[0].startswith("-") else words


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
    show.add_argument("package", nargs="?", default="armlet", metavar="PACKAGE", help="armlet by default")
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


def _show(arguments: argparse.Namespace) -> int:
    config = _config_of(arguments.package)
    if config is None:
        return 2
    print(json.dumps(config.as_dict(), indent=2) if arguments.json else config.table())
    return 0


def _config_of(package: str) -> ModuleType | None:
    try:
        config = importlib.import_module(f"{package}.config")
    except ImportError as error:
        print(f"armlet: {package}: no report: {error}", file=sys.stderr)
        return None
    if not hasattr(config, "as_dict"):
        print(f"armlet: {package}: its config module is not a report of this framework", file=sys.stderr)
        return None
    return config


if __name__ == "__main__":
    sys.exit(main())
