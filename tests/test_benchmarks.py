"""What can be said of the benchmarks without measuring; `benchmarks/compare.py --check` measures."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

from comparison.bounds import BOUNDS, Bound, architecture, bound_of, symbol
from comparison.counting import Figure, without_repetitions
from comparison.cpus import CPUS
from comparison.inside import ALGORITHMS
from comparison.report import counted
from comparison.verdict import judge, misses, native_misses

pytestmark = pytest.mark.native

PROJECT = Path(__file__).resolve().parent.parent
KCONFIG = "".join((PROJECT / family / "Kconfig").read_text() for family in ("digest", "cipher"))
NAMES = re.findall(r"^menuconfig (\w+)$", KCONFIG, re.MULTILINE)
BACKENDS = re.findall(rf"^config ((?:{'|'.join(NAMES)})_\w+)$", KCONFIG, re.MULTILINE)

CPU = "arm64-max"


def figure(function: str, backend: str | None, per_byte: float, algorithm: str = "sha256") -> Figure:
    return Figure(CPU, algorithm, function, f"armlet {backend}" if backend else "OpenSSL 3.0", backend, per_byte, None)


def test_every_algorithm_is_measured() -> None:
    assert sorted(name.upper() for name in ALGORITHMS) == sorted(NAMES)


def test_bounds_name_backends_of_kconfig() -> None:
    assert {bound.symbol for bound in BOUNDS} <= set(BACKENDS)


@pytest.mark.parametrize("bound", [bound for bound in BOUNDS if "_ARM" in bound.symbol], ids=lambda bound: bound.symbol)
def test_the_bound_of_an_arm_backend_is_below_the_best_peer(bound: Bound) -> None:
    assert bound.limit < bound.best
    assert bound.architecture == ("arm64" if "_ARM64" in bound.symbol else "armhf")


def test_bounds_are_tried_on_cpus_that_are_emulated() -> None:
    assert {bound.cpu for bound in BOUNDS} <= {cpu.name for cpu in CPUS}


def test_a_backend_has_one_bound_for_an_architecture() -> None:
    keys = [(bound.symbol, bound.architecture) for bound in BOUNDS]
    assert len(keys) == len(set(keys))
    assert architecture("armhf-cortex-a8") == "armhf"
    assert symbol("speck64_xts", "arm64-neon") == "SPECK64_XTS_ARM64_NEON"
    assert bound_of("sha256", "arm64-ce", "arm64-cortex-a53") is bound_of("sha256", "arm64-ce", "arm64-max")


@pytest.mark.parametrize(("per_byte", "is_above"), [(1.5649, False), (1.5651, True)])
def test_figures_are_compared_as_they_are_shown(per_byte: float, is_above: bool) -> None:
    judged = judge([figure("sha256", "arm64-ce", per_byte), figure("sha256", None, 1.81)])
    assert [row.is_above for row in judged] == [is_above, False]
    missed = list(misses(judged, [CPU], ["sha256"]))
    assert missed == ([f"{CPU}: sha256 sha256, armlet arm64-ce: 1.57 is above 1.56"] if is_above else [])
    assert ("> 1.57" in counted(judged)) is is_above


def test_a_backend_that_did_not_run_misses_its_bound() -> None:
    assert list(misses([], [CPU], ["sha256"])) == [
        f"{CPU}: SHA256_ARM64_CE is not in the build, or this CPU cannot run it"
    ]
    assert list(misses([], ["arm64-cortex-a53"], ["speck128_xts"])) != []


@pytest.mark.parametrize(("instructions", "is_missed"), [(2059, False), (2060, True)])
def test_a_call_on_arm64_is_held_against_hashlib(instructions: int, is_missed: bool) -> None:
    figures = [
        Figure(CPU, "sha256", "sha256", "armlet arm64-ce", "arm64-ce", 1.5, instructions),
        Figure(CPU, "sha256", "sha256", "armlet generic", "generic", 28, 9000),
        Figure(CPU, "sha256", "sha256", "OpenSSL 3.0", None, 1.81, 4118),
    ]
    told = f'{CPU}: sha256(b"").digest() executes {instructions} instructions, hashlib\'s 4118'
    assert (told in misses(judge(figures), [CPU], ["sha256"])) is is_missed


@pytest.mark.parametrize(
    ("call", "imported", "says"),
    [
        (0.95, 0.9, []),
        (0.96, 0.9, ['sha256(b"").digest() takes 0.960 of hashlib\'s time: above 0.95']),
        (0.95, 1.0, ["import armlet.digest takes 1.00 ms, import hashlib 1.00"]),
    ],
)
def test_a_call_and_an_import_are_held_against_hashlib(call: float, imported: float, says: list[str]) -> None:
    times: list[dict[str, Any]] = [{"call_ratio": call}, {"call_ratio": None}]
    assert list(native_misses(times, {"hashlib": 1.0, "armlet.digest": imported})) == says


def test_decryption_is_held_against_encryption() -> None:
    encrypts = figure("encrypt", "arm64-neon", 4.0, "speck64_xts")
    judged = judge([encrypts, figure("decrypt", "arm64-neon", 4.3, "speck64_xts")])
    assert [(row.limit, row.is_above) for row in judged] == [(6.0, False), (4.2, True)]


def test_a_mask_that_hides_nothing_is_left_out() -> None:
    plain = Figure(CPU, "sha3", "sha3_256", "OpenSSL 3.0", None, 24.02, None)
    masked = Figure(CPU, "sha3", "sha3_256", "OpenSSL 3.0, NEON alone", None, 24.02, None)
    slower = Figure(CPU, "sha3", "sha3_256", "OpenSSL 3.0, no NEON", None, 65.7, None)
    assert list(without_repetitions([plain, masked, slower])) == [plain, slower]


def test_the_plugin_compiles_without_warnings(tmp_path: Path) -> None:
    flags = ["-std=c11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wmissing-prototypes"]
    subprocess.run(["cc", *flags, "-o", tmp_path / "icount.so", PROJECT / "benchmarks/icount.c"], check=True)
