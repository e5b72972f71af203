"""Three trees with all that makes Kconfig hard to follow, and what `why` answers to every question about them.

awkward/NAME.kconfig is a tree, awkward/NAME.txt the answers. They are for a person to read; this writes them anew:

    PYTHONPATH=src python3 tests/awkward_trees.py
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from armlet.kconf.explain import Explainer
from armlet.kconf.resolve import apply
from armlet.kconf.target import Probe, Target
from armlet.kconf.tree import Symbol, Tree
from armlet.kconf.why import Answer

FOLDER = Path(__file__).resolve().parent / "awkward"
NAMES = ("chain", "choices", "values")
ARM64 = Target("linux", "aarch64", "little", 64)
PROBES = {
    "ISA_ARM64_NEON": Probe("ISA_ARM64_NEON", "yes", "probes/isa-arm64-neon.S", [], [], ""),
    "ISA_ARM64_SHA3": Probe(
        "ISA_ARM64_SHA3",
        "no",
        "probes/isa-arm64-sha3.S",
        [],
        ["cc", "-c", "probes/isa-arm64-sha3.S"],
        "probes/isa-arm64-sha3.S:2: Error: unknown architectural extension `sha3'",
    ),
}

# The numbers and texts to ask for: those on either side of where something changes. Of a bool it is y and n.
VALUES = {
    "LEVEL_3": ["0", "1", "4", "6", "7", "9", "10"],
    "LOW": ["0", "1", "2", "3", "4", "5"],
    "HIGH": ["0", "1", "2", "3", "4", "5", "6", "7"],
    "MASK": ["0x0", "0x1", "0x2", "0x3"],
    "NAME": ["", "plain", "untitled", "other"],
    "TITLE": ["", "plain", "untitled", "other"],
}


def load(name: str, folder: Path) -> Tree:
    """Return one of the trees, in a folder of its own."""
    (folder / "Kconfig").write_text((FOLDER / f"{name}.kconfig").read_text())
    (folder / "probes").mkdir()
    (folder / "probes/isa-arm64-sha3.S").write_text(
        "/* EOR3 */\n    .arch armv8.2-a+sha3\n    eor3 v0.16b, v1.16b, v2.16b, v3.16b\n"
    )
    return Tree(str(folder), ARM64, PROBES if name == "chain" else {})


def values_of(symbol: Symbol) -> list[str]:
    """Return the values of a symbol to ask for."""
    return VALUES.get(symbol.name, ["n", "y"])


def answers(tree: Tree) -> Iterator[Answer]:
    """Yield the answer to every question about a tree at its defaults."""
    apply(tree, [])
    explainer = Explainer(tree, {})
    for symbol in tree.symbols.values():
        for value in values_of(symbol):
            yield Answer(explainer, symbol, value)


def text(tree: Tree) -> str:
    """Return the answers as `why` prints them."""
    return "\n\n".join(answer.text() for answer in answers(tree)) + "\n"


if __name__ == "__main__":
    for each in NAMES:
        with tempfile.TemporaryDirectory() as temporary:
            (FOLDER / f"{each}.txt").write_text(text(load(each, Path(temporary))))
