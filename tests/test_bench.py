"""`armlet bench`: every backend that this CPU can run is in it, and its figures are what a clock says."""

import hashlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from armlet import bench, cipher, config, digest, speed
from armlet.kconf.errors import KconfError
from armlet.kconf.timing import ROUNDS, measure


class Machine:
    """A clock, and calls that move it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []

    def call(self, name: str, *seconds: float) -> Callable[[], None]:
        turns = itertools.cycle(seconds)

        def work() -> None:
            self.now += next(turns)
            if self.order[-1:] != [name]:
                self.order.append(name)

        return work


def test_measurement_by_a_clock() -> None:
    machine = Machine()
    calls = [machine.call("fast", 2e-6), machine.call("slow", 3e-3)]
    fast, slow = measure(calls, 0.1, lambda: machine.now)
    assert fast == pytest.approx(2e-6)
    assert slow == pytest.approx(3e-3)
    assert machine.now < 0.6, "twice the time that was given, and what it took to find out how often to call"
    assert machine.order[-2 * ROUNDS :] == ["fast", "slow"] * ROUNDS, "in turn, not one after the other"


def test_one_disturbance_does_not_count() -> None:
    machine = Machine()
    calls = [machine.call("one", *[1.0] * 2, 50.0, *[1.0] * 100)]
    assert measure(calls, 0.001, lambda: machine.now) == [1.0]


def test_a_clock_that_stands_still_for_a_while() -> None:
    machine = Machine()
    (taken,) = measure([machine.call("one", 1e-7)], 0.05, lambda: round(machine.now, 4))
    assert taken == pytest.approx(1e-7, rel=0.1)


def run(python: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*python, "-m", "armlet", "bench", "--time", "0.001", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def usable(name: str) -> list[str]:
    return [backend.name for backend in config.backends(name) if backend.usable]


def test_every_backend_is_in_it(python: list[str]) -> None:
    done = run(python, "--sizes", "16,4K", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["schema"] == 1
    points = report["points"]
    found = {(point["function"], point["operation"], point["size"], point["backend"]) for point in points}
    functions = {
        "sha256": "digest",
        "sha512": "digest",
        "sha3_256": "digest",
        "Speck128XTS": "xts",
        "Speck64XTS": "xts",
    }
    there = {name: kind for name, kind in functions.items() if name in {*digest.algorithms_available, *cipher.__all__}}
    assert found == {
        (name, operation, size, backend)
        for name, kind in there.items()
        for operation in (["digest"] if kind == "digest" else ["encrypt", "decrypt"])
        for size in (16, 4096)
        for backend in [*usable(name), *(["hashlib"] if kind == "digest" else [])]
    }
    for point in points:
        assert point["nanoseconds"] > 0
        assert point["megabytes_per_second"] == pytest.approx(
            point["size"] * 1e3 / point["nanoseconds"], rel=0.01, abs=0.1
        )
        base = next(
            (
                p
                for p in points
                if p["backend"] == "generic" and all(p[k] == point[k] for k in ("function", "operation", "size"))
            ),
            None,
        )
        assert (point["ratio"] is None) == (base is None)
        if base:
            assert point["ratio"] == pytest.approx(base["nanoseconds"] / point["nanoseconds"], rel=0.02, abs=0.02)


def test_table(python: list[str]) -> None:
    done = run(python, "SHA3-384", "--sizes", "64,1K")
    assert done.returncode == 0, done.stderr
    heading, *rows = done.stdout.splitlines()
    assert heading.split() == ["function", "size", "backend", "ns/call", "MB/s", "x", "generic"]
    assert len(rows) == 2 * (len(usable("sha3")) + 1)
    assert rows[0].startswith("sha3_384")
    assert max(map(len, [heading, *rows])) <= 80


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sha38"], "armlet bench: there is no algorithm 'sha38'; did you mean sha384"),
        (["Speck128XTS", "--sizes", "16,24"], "armlet bench: Speck128XTS takes whole blocks of 16 bytes: not 24"),
        (["--sizes", "0"], "'0' is no size from 1 to 1024M"),
        (["--sizes", "2048M"], "'2048M' is no size"),
        (["--sizes", "16,,32"], "'' is no size"),
        (["--time", "0"], "'0' is no time"),
        (["--time", "nan"], "'nan' is no time"),
        (["--plot", "picture.jpg"], "'picture.jpg' ends neither in .svg nor in .png"),
    ],
)
def test_bad_usage(python: list[str], arguments: list[str], says: str) -> None:
    done = run(python, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_without_hashlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system may forbid what hashlib has: FIPS."""

    def forbidden(*_: object, **__: object) -> None:
        raise ValueError("disabled for FIPS")

    monkeypatch.setattr(hashlib, "new", forbidden)
    points = list(speed.points(["sha256"], (16,), 0.0001, lambda _: None))
    assert [point.backend for point in points] == usable("sha256")


def test_shake_and_sha512_256() -> None:
    for name in ("shake_128", "sha512_256"):
        points = list(speed.points([name], (16,), 0.0001, lambda _: None))
        assert {point.backend for point in points} >= set(usable(name))


@pytest.mark.native
def test_other_commands_do_not_load_it(python: list[str]) -> None:
    code = "import sys; from armlet.__main__ import _parser; _parser('why'); print('armlet._core' in sys.modules)"
    done = subprocess.run([*python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.native
@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_plot(python: list[str], tmp_path: Path, suffix: str, magic: bytes) -> None:
    path = tmp_path / f"speed.{suffix}"
    done = run(python, "sha256", "--sizes", "16,64", "--plot", str(path))
    assert done.returncode == 0, done.stderr
    assert path.read_bytes().startswith(magic)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.native
def test_plot_where_it_cannot_be(python: list[str], tmp_path: Path) -> None:
    done = run(python, "sha256", "--plot", str(tmp_path / "nowhere/x.svg"))
    assert done.returncode == 1
    assert "nowhere cannot be written" in done.stderr


@pytest.mark.native
def test_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(KconfError, match=r"pip install 'armlet\[plot\]'"):
        bench._drawing("x.svg")


@pytest.mark.native
def test_output_that_nobody_reads(python: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        command = [*python, "-m", "armlet", "bench", "sha256", "--sizes", "16", "--time", "0.001"]
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
