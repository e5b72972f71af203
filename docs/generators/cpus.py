"""Which backends which CPUs can run, and which of them serves: from Kconfig, and the table of CPUs."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from armlet.kconf.baseline import is_measured
from armlet.kconf.tree import ISA, Algorithm, Backend, Tree

from .trees import tree

ARCHITECTURES = {"ARM64": "In 64-bit code", "ARM": "In 32-bit code"}


class Cpu(NamedTuple):
    """A row of the table."""

    name: str
    boards: str
    features: dict[str, list[str]]  # of each architecture that it runs: {"ARM64": ["neon"]}
    llvm: str
    part: bool  # whether it has less than LLVM says
    source: str

    @property
    def title(self) -> str:
        """Its name, and where it is found."""
        return f"{self.name} ({self.boards})" if self.boards else self.name


def read(source: Path) -> list[Cpu]:
    """Read the table."""
    rows = tomllib.loads((source / "docs/cpus.toml").read_text())["cpu"]
    return [
        Cpu(
            row["name"],
            row["boards"],
            {name: row[name.lower()] for name in ARCHITECTURES if name.lower() in row},
            row["llvm"],
            row.get("part", False),
            row["source"],
        )
        for row in rows
    ]


def can_run(cpu: Cpu, architecture: str, kconfig: Tree, backend: Backend) -> bool:
    """Whether a backend is built for an architecture, and a CPU has what it needs."""
    needs = {isa.removeprefix(f"{ISA}{architecture}_").lower() for isa in backend.needs}
    return kconfig.is_on(backend.symbol.name) and needs <= set(cpu.features.get(architecture, []))


def serving(cpu: Cpu, architecture: str, kconfig: Tree, algorithm: Algorithm) -> list[str]:
    """Return the backend of an algorithm that serves on a CPU; or those among which a measurement selects."""
    usable = [backend.name for backend in algorithm.backends if can_run(cpu, architecture, kconfig, backend)]
    return usable if is_measured(kconfig, algorithm) else usable[:1]


def runners(source: Path, symbol: str) -> Iterator[tuple[Cpu, str, bool]]:
    """Name the CPUs that can run the backend with that symbol, in which code, and whether it may serve there."""
    for architecture in ARCHITECTURES:
        kconfig = tree(source, architecture)
        algorithm, backend = kconfig.backend_of[symbol]
        for cpu in read(source):
            if can_run(cpu, architecture, kconfig, backend):
                yield cpu, architecture, backend.name in serving(cpu, architecture, kconfig, algorithm)


def markdown(source: Path) -> str:
    """Return a table for each architecture: CPUs by algorithms."""
    return "\n\n".join(_table(source, architecture, title) for architecture, title in ARCHITECTURES.items())


def _table(source: Path, architecture: str, title: str) -> str:
    kconfig = tree(source, architecture)
    rows = [["CPU", *(algorithm.name for algorithm in kconfig.algorithms)], ["---"] * (len(kconfig.algorithms) + 1)]
    for cpu in read(source):
        if architecture in cpu.features:
            cells = [" or ".join(serving(cpu, architecture, kconfig, algorithm)) for algorithm in kconfig.algorithms]
            rows.append([cpu.title, *cells])
    return "\n".join([f"## {title}", "", *(f"| {' | '.join(row)} |" for row in rows)])


def sources_markdown(source: Path) -> str:
    """Return what each CPU has, and where that stands."""
    rows = ["| CPU | 64-bit | 32-bit | source |", "|---|---|---|---|"]
    for cpu in read(source):
        has = [_features(cpu, architecture) for architecture in ARCHITECTURES]
        rows.append(f"| {cpu.name} | {' | '.join(has)} | {cpu.source} |")
    return "\n".join(rows)


def _features(cpu: Cpu, architecture: str) -> str:
    if architecture not in cpu.features:
        return "does not run it"
    return ", ".join(cpu.features[architecture]) or "none of them"
