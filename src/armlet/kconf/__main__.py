#!/usr/bin/env python3
"""The framework's commands: `python -m armlet.kconf`, or this file by path from a bare checkout.

The file has no run bit: Meson then runs it with the Python that Meson itself runs in.
"""

import argparse
import importlib.machinery
import os
import sys

if not __package__:
    # The package of this checkout, whatever else is installed; the finder of an editable install would start a build.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    sys.meta_path.insert(0, importlib.machinery.PathFinder)
    __package__ = "armlet.kconf"

from armlet.kconf.commands import add_commands, run


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 if it succeeded, 1 if the answer is no, 2 for bad usage."""
    words = sys.argv[1:] if argv is None else argv
    return run(lambda: _parser(words).parse_args(words))


def _parser(words: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m armlet.kconf", description=(__doc__ or "").split("\n", 1)[0])
    add_commands(parser.add_subparsers(title="commands", metavar="COMMAND", required=True), words[0] if words else None)
    return parser


if __name__ == "__main__":
    sys.exit(main())
