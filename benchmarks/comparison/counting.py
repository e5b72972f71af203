"""Executed instructions per byte, of every implementation on every CPU."""

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparison.cpus import MASKS, Cpu, Mask
from comparison.inside import DIGESTS
from comparison.workshop import Guest, Workshop
from runner.commands import Command, Environment, run
from runner.console import say

INSIDE = Path(__file__).with_name("inside.py")


@dataclass(frozen=True)
class Figure:
    """What one implementation of a function executes on one CPU."""

    cpu: str
    algorithm: str
    function: str
    name: str  # of the implementation
    backend: str | None  # of the package; None for a peer
    per_byte: float  # in bulk
    per_call: float | None  # without data; measured of one function alone


@dataclass(frozen=True)
class Counting:
    """Measures under emulation, side by side on all cores: what else the machine does changes no count."""

    workshop: Workshop
    cpus: Sequence[Cpu]
    algorithms: Sequence[str]

    def figures(self) -> list[Figure]:
        """Make what is missing, and measure."""
        targets = list(dict.fromkeys(cpu.target for cpu in self.cpus))
        self.workshop.install(targets)
        plugin = self.workshop.plugin()
        _ = self.workshop.python  # made before the threads share it
        masks = MASKS if DIGESTS.keys() & self.algorithms else ()  # the peers that are here have no Speck
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            guests = dict(zip(targets, pool.map(self.workshop.guest, targets), strict=True))
            runs = [(cpu, mask) for cpu in self.cpus for mask in (None, *masks)]
            results = list(pool.map(lambda made: self._measure(guests[made[0].target], plugin, *made), runs))
        return list(without_repetitions([figure for result in results for figure in result]))

    def _measure(self, guest: Guest, plugin: Path, cpu: Cpu, mask: Mask | None) -> list[Figure]:
        """Measure on one CPU: all of it, or the peers alone under a mask."""
        name = f"{cpu.name} {mask.name}".replace(" ", "-") if mask else cpu.name
        say(f"{name}: measuring")
        folder = self.workshop.folder / "runs" / name
        folder.mkdir(parents=True, exist_ok=True)
        result = folder / "result.json"
        command = [*self._python(guest, cpu, plugin, folder), INSIDE, result, *self._options(mask, folder)]
        run(command, self.workshop.log(name), self._environment(guest, mask))
        return list(read(json.loads(result.read_text()), cpu, mask))

    def _python(self, guest: Guest, cpu: Cpu, plugin: Path, folder: Path) -> Command:
        """Return the command that is the Python of the CPU, with a counter of instructions."""
        counted = f"{escaped(plugin)},counter={escaped(folder / 'counter')}"
        emulator: Command = [guest.target.qemu, "-cpu", cpu.model, "-L", guest.tree.tree, "-plugin", counted]
        return [*emulator, guest.tree.python, "-B", "-P"]

    def _options(self, mask: Mask | None, folder: Path) -> list[str]:
        options = [f"--counter={folder / 'counter'}", *(f"--algorithm={name}" for name in self.algorithms)]
        if mask:
            options += ["--peers-only", *(f"--hide={feature}" for feature in mask.libgcrypt)]
        return options

    def _environment(self, guest: Guest, mask: Mask | None) -> Environment:
        return {
            "PYTHONPATH": guest.site,
            "PYTHONHASHSEED": "0",
            "ARMLET_CPU_MASK": "",
            "OPENSSL_armcap": mask.openssl if mask else "",
        }


def escaped(file: Path) -> str:
    """Return a name for QEMU, which splits its options at commas, unless they are doubled."""
    return str(file).replace(",", ",,")


def read(rows: list[dict[str, Any]], cpu: Cpu, mask: Mask | None) -> Iterator[Figure]:
    """Read what inside.py wrote, and say under which mask."""
    for row in rows:
        name = f"{row['name']}, {mask.name}" if mask else row["name"]
        per_call = None if mask else row["per_call"]
        yield Figure(cpu.name, row["algorithm"], row["function"], name, row["backend"], row["per_byte"], per_call)


def without_repetitions(figures: Sequence[Figure]) -> Iterator[Figure]:
    """Leave out a peer under a mask that hid nothing which it uses: the same figure again."""
    seen = set()
    for figure in figures:
        peer = figure.name.partition(",")[0] if figure.backend is None else figure.name
        key = (figure.cpu, figure.algorithm, figure.function, peer, round(figure.per_byte, 1))
        if key not in seen:
            seen.add(key)
            yield figure
