"""The commands and their options, from the parsers that read them."""

import argparse
import os
from pathlib import Path
from typing import Any
from unittest import mock

from armlet import __main__ as program


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of every command."""
    (commands,) = (action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(commands.choices)


def markdown(_source: Path) -> str:
    """Return a section for each command."""
    parser = _parser()
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    sections = [_general(parser)]
    sections += [_section(name, command, helps[name]) for name, command in commands.choices.items()]
    return "\n\n".join(sections)


def _parser() -> argparse.ArgumentParser:
    """Of no command in particular: with all of them."""
    return program._parser("--help")


def _general(parser: argparse.ArgumentParser) -> str:
    return f"{_usage(parser)}\n\n{parser.description}\n\n{_arguments(parser)}"


def _section(name: str, parser: argparse.ArgumentParser, summary: str) -> str:
    summary = f"{summary[:1].upper()}{summary[1:]}."
    description = parser.description or ""
    sentences = [description] if description.startswith(summary) else [summary, description]
    return "\n\n".join(filter(None, [f"## {name}", *sentences, _usage(parser), _arguments(parser)]))


def _usage(parser: argparse.ArgumentParser) -> str:
    with mock.patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}):
        return f"```text\n{parser.format_usage().removeprefix('usage: ').strip()}\n```"


def _arguments(parser: argparse.ArgumentParser) -> str:
    formatter = parser._get_formatter()
    rows = []
    for action in parser._actions:
        if action.help is argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        meaning = formatter._expand_help(action) if action.help else action.dest
        rows.append(f"`{_spelling(action)}`\n: {meaning}")
    return "\n\n".join(rows)


def _spelling(action: Any) -> str:
    value = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    if isinstance(value, tuple):
        value = " ".join(value)
    if not action.option_strings:
        return str(value)
    return ", ".join(action.option_strings) + ("" if action.nargs == 0 else f" {value}")
