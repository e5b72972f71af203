"""The command `armlet`, also `python -m armlet`."""

import argparse
import importlib
import json
import sys
from types import ModuleType

from . import __version__


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 if it succeeded, 1 if the answer is no, 2 for bad usage."""
    words = sys.argv[1:] if argv is None else argv
    arguments = _parser().parse_args(words if words and words[0] in _GENERAL else _with_default(words))
    try:
        return int(arguments.run(arguments))
    except BrokenPipeError:  # the reader of a pipe, `head` say, has seen enough
        sys.stderr.close()
        return 1


_GENERAL = ("-h", "--help", "--version")


def _with_default(words: list[str]) -> list[str]:
    """`armlet` and `armlet --json` are short for `armlet show` and `armlet show --json`."""
    return ["show", *words] if not words or words[0].startswith("-") else words


def _parser() -> argparse.ArgumentParser:
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
    return parser


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
