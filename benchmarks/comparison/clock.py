"""Time on the machine itself, beside hashlib."""

import json
import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from comparison.counting import INSIDE
from comparison.workshop import Workshop
from runner.commands import Environment, run
from runner.console import say

IMPORTS = ("hashlib", "armlet.digest")
STARTS = 51  # of a Python for each


def take_time(workshop: Workshop, algorithms: Sequence[str]) -> list[dict[str, Any]]:
    """Build for this machine, and measure."""
    workshop.install([])
    site = workshop.native_site()
    say("native: measuring")
    folder = workshop.folder / "runs" / "native"
    folder.mkdir(parents=True, exist_ok=True)
    result = folder / "result.json"
    options = [f"--algorithm={name}" for name in algorithms]
    environment: Environment = {"PYTHONPATH": site, "ARMLET_CPU_MASK": ""}
    run([workshop.python, "-P", INSIDE, result, *options], workshop.log("native"), environment)
    answer: list[dict[str, Any]] = json.loads(result.read_text())
    return answer


def take_import_times(workshop: Workshop) -> dict[str, float]:
    """Return the milliseconds that an import takes, beyond those of a Python that imports nothing."""
    say("native: importing")
    environment = {**os.environ, "PYTHONPATH": str(workshop.native_site()), "PYTHONDONTWRITEBYTECODE": ""}
    commands = {name: [str(workshop.python), "-P", "-c", f"import {name}"] for name in ("sys", *IMPORTS)}
    for command in commands.values():
        subprocess.run(command, env=environment, check=True)  # the first time, it is compiled
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):  # they take turns: what slows the machine down meets them all
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, env=environment, check=True)
            taken[name].append(time.perf_counter() - start)
    pairs = {name: zip(taken[name], taken["sys"], strict=True) for name in IMPORTS}
    return {name: 1e3 * statistics.median(one - nothing for one, nothing in pairs[name]) for name in IMPORTS}
