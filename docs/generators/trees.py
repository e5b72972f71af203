"""The project's own Kconfig, as it is for a target whose assembler and compiler take every probe."""

from functools import cache
from pathlib import Path

from armlet.kconf.target import ARCHITECTURES, Probe, Target, architecture_of
from armlet.kconf.tree import Tree

WORD_BITS = {"ARM": 32, "ARM64": 64, "X86_64": 64}


@cache
def tree(source: Path, architecture: str) -> Tree:
    """Return the tree for Linux on an architecture, "ARM64": everything at its default."""
    target = Target("linux", ARCHITECTURES[architecture], "little", WORD_BITS[architecture])
    probes = {probe.symbol: probe for probe in (_probe(file, architecture) for file in _probe_files(source))}
    return Tree(str(source), target, probes)


def _probe_files(source: Path) -> list[Path]:
    return sorted((source / "probes").iterdir())


def _probe(file: Path, architecture: str) -> Probe:
    symbol = file.stem.upper().replace("-", "_")
    answer = "yes" if architecture_of(symbol) == architecture else "n/a"
    return Probe(symbol, answer, f"probes/{file.name}", [], [], "")
