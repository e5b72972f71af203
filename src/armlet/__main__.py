"""The command `armlet`, also `python -m armlet`."""

import argparse
import itertools
import sys
from typing import Any

from . import __version__
from .kconf.commands import COMMANDS, add_commands, run
from .kconf.errors import KconfError
from .kconf.query import add_queries


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 if it succeeded, 1 if the answer is no, 2 for bad usage."""
    words = _in_order(sys.argv[1:] if argv is None else argv)
    return run(lambda: _parser(words[0]).parse_args(words))


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
    add_queries(commands, "armlet")
    if word not in {*commands.choices, *COMMANDS}:  # bench, or the help that lists all
        from .bench import add_bench

        add_bench(commands)
    if word not in commands.choices:
        _add_source_tree_commands(parser, commands, word)
    return parser


def _add_source_tree_commands(parser: argparse.ArgumentParser, commands: Any, word: str) -> None:
    try:
        add_commands(commands, word)
    except KconfError as error:  # the report alone needs no kconfiglib
        if word in COMMANDS:
            raise
        parser.epilog = f"For the commands of a source tree ({', '.join(COMMANDS)}): {error}"


if __name__ == "__main__":
    sys.exit(main())
