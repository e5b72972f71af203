"""The pages of the documentation as something to be run: commands, what they print, and the files they speak of.

```console                      $ COMMAND, run by bash, and what it prints: ... stands for any text within a line,
                                a line of ... alone for any lines. Without output shown, any will do.
<!-- status: 1 -->              before it: the last of its commands ends with that status, the others with 0
<!-- file: PATH -->             before any other block: the text of a new file of the tree
<!-- before: PATH: LINE -->     likewise: what is inserted there before a line
<!-- instead of: PATH: LINE --> likewise: what takes the place of a line
```pycon                        an example for doctest
"""

import re
import subprocess
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

SHOWN_AS_THEY_ARE = {"c", "ini", "kconfig", "make", "meson", "text", "toml", "yaml"}
TIME_LIMIT = 300  # seconds
_MARK = "--- status of the command above: "

_FENCE = re.compile(r"(?:<!-- (?P<note>.+?) -->\n)?^```(?P<language>\S*)\n(?P<body>.*?)^```$", re.M | re.S)


class Command(NamedTuple):
    """A command, and what came or should come of it."""

    text: str
    output: str
    status: int


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    note: str  # of the comment before it
    body: str
    line: int

    @property
    def commands(self) -> list[Command]:
        """The commands of a console block, with the output that is shown."""
        if self.language != "console":
            return []
        parts = re.split(r"^\$ (.*(?:\\\n.*)*)\n", self.body, flags=re.M)
        assert not parts[0], f"line {self.line}: output before the first command"
        status = int(self.note.removeprefix("status: ")) if self.note else 0
        texts, outputs = parts[1::2], parts[2::2]
        last = len(texts) - 1
        return [
            Command(_without_comment(text), output, status if number == last else 0)
            for number, (text, output) in enumerate(zip(texts, outputs, strict=True))
        ]


def read_blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = page.read_text()
    return [
        Block(found["language"], found["note"] or "", found["body"], text[: found.start()].count("\n") + 1)
        for found in _FENCE.finditer(text)
    ]


def follow(blocks: list[Block], tree: Path, environment: Mapping[str, str], skipped: set[str]) -> Iterator[str]:
    """Do what a page says in a copy of the tree, but for the commands to skip; say what comes out otherwise."""
    with _Shell(tree, environment) as shell:
        for block in blocks:
            if block.language != "console" and block.note:
                edit(tree, block)
            for command in block.commands:
                if command.text not in skipped:
                    yield from _differences(command, shell.run(command.text), block)


def edit(tree: Path, block: Block) -> None:
    """Write, or change, the file that the comment before a block names."""
    kind, path, line = (*block.note.split(": ", 2), "")[:3]
    file = tree / path
    if kind == "file":
        file.write_text(block.body)
        return
    text = file.read_text()
    assert f"\n{line}\n" in text, f"{path} has no line {line!r}"
    new = {"before": f"{block.body}{line}\n", "instead of": block.body}[kind]
    file.write_text(text.replace(f"\n{line}\n", f"\n{new}", 1))


def is_like(shown: str, printed: str) -> bool:
    """Whether a text is as the one that is shown; the widths of columns may differ."""
    lines = [_even(line) for line in shown.splitlines()]
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else _of_line(line) for line in lines)
    text = "".join(f"{_even(line)}\n" for line in printed.splitlines())
    return re.fullmatch(pattern, text) is not None


def _even(line: str) -> str:
    """Columns are as wide as what is in them, and the gap may be wider than it is shown."""
    return re.sub(r"(?<=\S)  +", "  ", line).rstrip()


def _of_line(line: str) -> str:
    return ".*".join(map(re.escape, line.split("..."))) + r"\n"


def _differences(command: Command, got: Command, block: Block) -> Iterator[str]:
    where = f"line {block.line}: $ {command.text}\n"
    if got.status != command.status:
        yield f"{where}ends with status {got.status}, not {command.status}, and prints\n{got.output}"
    elif command.output.strip() and not is_like(command.output, got.output):
        yield f"{where}is shown to print\n{command.output}and prints\n{got.output}"


def _without_comment(text: str) -> str:
    """A comment tells the reader, and not the shell."""
    return re.sub(r"\s{2,}#.*", "", text)


class _Shell:
    """A bash that runs one command after the other."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._bash = subprocess.Popen(
            ["bash"],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._watch = threading.Timer(TIME_LIMIT, self._bash.kill)

    def __enter__(self) -> "_Shell":
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._watch.cancel()
        self._bash.communicate()

    def run(self, text: str) -> Command:
        """Run a command, and return what it prints, errors too, and its status."""
        assert self._bash.stdin
        assert self._bash.stdout
        self._bash.stdin.write(f"{{ {text}\n}} </dev/null\nprintf '\\n%s%s\\n' '{_MARK}' $?\n")
        self._bash.stdin.flush()
        output = ""
        for line in self._bash.stdout:
            if line.startswith(_MARK):
                return Command(text, output.removesuffix("\n"), int(line.removeprefix(_MARK)))
            output += line
        raise AssertionError(f"bash ended, or took too long, in: {text}\n{output}")
