"""What a call without data and the import cost, beside hashlib: in instructions on arm64, in time elsewhere."""

import json
import os
import resource
import statistics
import subprocess
from pathlib import Path
from typing import Any

import pytest

from armlet import config, digest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"

on_arm64 = pytest.mark.skipif(config.target["cpu_family"] != "aarch64", reason="the bounds are those of arm64")
of_sha256 = pytest.mark.skipif("sha256" not in digest.algorithms_available, reason="a build without SHA-256")


@pytest.fixture(scope="module")
def plugin(python: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counter of instructions, which the emulator loads."""
    if not Path(python[0]).name.startswith("qemu-"):
        pytest.skip("nothing is emulated here")
    if "-plugin" not in subprocess.run([python[0], "-help"], capture_output=True, text=True, check=False).stdout:
        pytest.skip(f"{python[0]} cannot load plugins")
    built = tmp_path_factory.mktemp("plugin") / "icount.so"
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-o", built, BENCHMARKS / "icount.c"], check=True)
    return built


def counted(python: list[str], plugin: Path, counter: Path, *arguments: str | Path) -> int:
    """Run a counted Python, and return how many instructions it has executed."""
    command = [python[0], "-plugin", f"{plugin},counter={counter}", *python[1:], "-P", *arguments]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    subprocess.run(command, env=environment, check=True)
    return int.from_bytes(counter.read_bytes(), "little")


@on_arm64
@of_sha256
@pytest.mark.skipif(bool(config.as_dict()["cpu"]["masked"]), reason="what is hidden is not hidden from hashlib")
def test_a_call_executes_half_of_what_hashlib_executes(python: list[str], plugin: Path, tmp_path: Path) -> None:
    result, counter = tmp_path / "result.json", tmp_path / "counter"
    inside = BENCHMARKS / "comparison/inside.py"
    counted(python, plugin, counter, inside, result, f"--counter={counter}", "--algorithm=sha256")
    rows: list[dict[str, Any]] = json.loads(result.read_text())
    calls = {row["name"]: row["per_call"] for row in rows if row["per_call"] is not None}
    own = calls[f"armlet {digest.sha256().backend}"]
    (peer,) = (count for name, count in calls.items() if name.startswith(("OpenSSL", "hashlib")))
    assert own <= 0.5 * peer, calls


@on_arm64
def test_the_import_executes_less_than_that_of_hashlib(python: list[str], plugin: Path, tmp_path: Path) -> None:
    counts = {
        name: counted(python, plugin, tmp_path / "counter", "-c", f"import {name}")
        for name in ("sys", "hashlib", "armlet.digest")
    }
    assert counts["sys"] < counts["armlet.digest"] < counts["hashlib"], counts


@pytest.mark.native
def test_the_import_takes_less_time_than_that_of_hashlib(python: list[str]) -> None:
    """Of a processor, which hardly depends on what else the machine does; compare.py --native --check uses a clock."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    taken: dict[str, list[float]] = {"hashlib": [], "armlet.digest": []}
    for number in range(16):
        for name, times in taken.items():
            before = processor_time()
            subprocess.run([*python, "-P", "-c", f"import {name}"], env=environment, check=True)
            if number:  # the first time, it may have to be compiled
                times.append(processor_time() - before)
    medians = {name: statistics.median(times) for name, times in taken.items()}
    assert medians["armlet.digest"] < medians["hashlib"], medians


def processor_time() -> float:
    """Return the seconds that processors have worked for processes that this one has started, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
