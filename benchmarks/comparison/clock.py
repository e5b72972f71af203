"""Time on the machine itself, beside hashlib."""

import json
from collections.abc import Sequence
from typing import Any

from comparison.counting import INSIDE
from comparison.workshop import Workshop
from runner.commands import Environment, run
from runner.console import say


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
