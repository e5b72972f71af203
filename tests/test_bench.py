"""`armlet bench`: every backend that this CPU can run is in it, and its figures are what a clock says."""

import hashlib
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from armlet import bench, cipher, config, digest, plot, speed
from armlet.kconf import timing
from armlet.kconf.errors import KconfError
from armlet.kconf.timing import FEWEST, ROUNDS, Loop, measure


class Machine:
    """A clock, and loops that move it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []

    def loop(self, name: str, seconds: float | Iterable[float]) -> Loop:
        turns = iter(seconds if isinstance(seconds, Iterable) else itertools.repeat(seconds))

        def loop(count: int) -> None:
            self.now += count * next(turns)
            self.order.append(name)

        return loop

    def clock(self) -> float:
        return self.now


def test_measurement_by_a_clock() -> None:
    machine = Machine()
    loops = [machine.loop("fast", 2e-6), machine.loop("slow", 3e-3)]
    assert measure(loops, 0.1, machine.clock) == pytest.approx([2e-6, 3e-3], rel=1e-9)
    assert 0.2 < machine.now < 0.3, "the time that was given, and what it took to find out how often to call"


def test_turns_are_taken_in_rotation() -> None:
    machine = Machine()
    measure([machine.loop(name, 1e-3) for name in "abc"], 0.1, machine.clock)
    rotations = [*"abc", *"bca", *"cab"] * (ROUNDS // 3)
    assert machine.order[-3 * ROUNDS :] == rotations


def test_one_disturbance_does_not_count() -> None:
    machine = Machine()
    disturbed = itertools.chain([1.0] * 3, [50.0], itertools.repeat(1.0))
    assert measure([machine.loop("one", disturbed)], 0.001, machine.clock) == [1.0]


def test_a_call_that_takes_long_is_made_a_few_times() -> None:
    machine = Machine()
    times = measure([machine.loop("one", 2.0), machine.loop("other", 1e-4)], 0.1, machine.clock)
    assert times == pytest.approx([2.0, 1e-4])
    assert machine.order.count("one") == 2 + FEWEST


def test_a_clock_that_stands_still_for_a_while() -> None:
    machine = Machine()
    (taken,) = measure([machine.loop("one", 1e-7)], 0.05, lambda: round(machine.now, 4))
    assert taken == pytest.approx(1e-7, rel=0.1)


def test_the_loop_calls_so_often() -> None:
    calls: list[tuple[object, ...]] = []
    timing.calling(lambda *arguments: calls.append(arguments), 1, "b")(3)
    assert calls == [(1, "b")] * 3


def run(python: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*python, "-m", "armlet", "bench", "--time", "0.001", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def usable(name: str) -> list[str]:
    return [backend.name for backend in config.backends(name) if backend.usable]


WHAT = ("function", "operation", "size")


def test_every_backend_is_in_it(python: list[str]) -> None:
    done = run(python, "--sizes", "16,4K", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["schema"], report["package"], report["seconds"]) == (1, "armlet", 0.001)
    assert report["target"] == dict(config.target)
    assert set(report) == {
        *("schema", "package", "version", "target", "cpu", "python", "openssl", "seconds", "points"),
    }
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
        assert point["megabytes_per_second"] == pytest.approx(point["size"] * 1e3 / point["nanoseconds"], rel=0.002)
        base = [p for p in points if p["backend"] == "generic" and all(p[k] == point[k] for k in WHAT)]
        assert (point["ratio"] is None) == (not base)
        if base:
            assert point["ratio"] == pytest.approx(base[0]["nanoseconds"] / point["nanoseconds"], rel=0.002)


def test_table(python: list[str]) -> None:
    done = run(python, "SHA3-384", "sha3_384", "--sizes", "1K, 64")
    assert (done.returncode, done.stderr) == (0, "")
    machine, empty, heading, *rows = done.stdout.splitlines()
    assert machine.startswith(f"{config.target['system']} {config.target['cpu_family']}")
    assert empty == ""
    assert heading.split() == ["function", "size", "backend", "ns/call", "MB/s", "x", "generic"]
    assert len(rows) == 2 * (len(usable("sha3")) + 1)
    assert rows[0].startswith("sha3_384 ")
    assert [row[9:].split()[0] for row in rows[1:2] + rows[-1:]] == ["64", "1K"]
    for row in rows:
        *_, backend, nanoseconds, speed, ratio = row.split()
        assert backend in {*usable("sha3"), "hashlib"}
        assert float(nanoseconds.replace(",", "")) > 0 < float(speed)
        assert backend != "generic" or float(ratio) == 1


def test_the_widest_table_fits_a_terminal() -> None:
    backends = [backend.name for name in config.algorithms for backend in config.backends(name)]
    point = speed.Point("Speck128XTS", "encrypt", 1 << 18, max(backends, key=len), 9_999_000_000.0, 99_999.9, 9_999.0)
    machine = {"target": {"system": "linux", "cpu_family": "aarch64"}, "cpu": {"features": []}, "openssl": None}
    table = bench._table(machine, [point])
    assert table.isascii()
    assert max(map(len, table.splitlines())) <= 80


def test_a_backend_by_name(python: list[str]) -> None:
    one = usable("sha256")[0]
    done = run(python, "sha256", "--sizes", "16", "--backend", one, "--json")
    assert [point["backend"] for point in json.loads(done.stdout)["points"]] == [one]
    assert [point["ratio"] is None for point in json.loads(done.stdout)["points"]] == [one != "generic"]
    wrong = run(python, "sha256", "--backend", "genric")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "armlet bench: there is no backend 'genric'; did you mean generic?\n"


@pytest.mark.native
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sha38"], "armlet bench: there is no algorithm 'sha38'; did you mean sha384"),
        (["Speck128XTS", "--sizes", "16,24"], "armlet bench: Speck128XTS takes whole blocks of 16 bytes: not 24"),
        (["SHA512/256"], "did you mean sha512_256"),
        (["--sizes", "0"], "'0' is no size from 1 to 1024M"),
        (["--sizes", "1k,2048M"], "'2048M' is no size"),
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


@pytest.mark.skipif("sha3_256" not in digest.algorithms_available, reason="a build without SHA-3")
def test_without_hashlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system may forbid what hashlib has: FIPS. Another may lack it."""

    def forbidden(*_: object, **__: object) -> None:
        raise ValueError("disabled for FIPS")

    monkeypatch.setattr(hashlib, "sha3_256", forbidden)
    (task,) = speed.tasks(["sha3"], [])
    assert [point.backend for point in speed.points(task, 16, 0.0001)] == usable("sha3")
    monkeypatch.delattr(hashlib, "sha3_256")
    monkeypatch.setattr(hashlib, "new", forbidden)
    assert speed.tasks(["sha3"], []) == [task]


def test_what_is_measured_is_served_by_that_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []

    def serve(make: Any, data: bytes) -> Any:
        made = make(data)
        served.append(made.backend)
        return made

    for name in digest.algorithms_available:
        monkeypatch.setattr(digest, name, partial(serve, getattr(digest, name)))
        (task,) = speed.tasks([name], [])
        for backend, loop in zip(task.backends, speed._hashing(task, b"abc"), strict=True):
            served.clear()
            loop(2)
            assert served == ([] if backend == "hashlib" else [backend] * 2)
        config.use(name, None)
    for name in cipher.__all__:
        for task in speed.tasks([name], []):
            assert [loop(1) for loop in speed._ciphering(task, bytes(64))] == [None] * len(usable(name))


def test_the_rule_selects_again_afterwards() -> None:
    before = config.as_dict()["algorithms"]
    for name in config.algorithms:
        if any(backend.built for backend in config.backends(name)):
            for task in speed.tasks([name], []):
                speed.points(task, 16, 0.0001)
    after = config.as_dict()["algorithms"]
    assert {name: after[name]["rule"] for name in after} == {name: before[name]["rule"] for name in before}


def test_what_is_not_in_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "backends", lambda _: [])
    with pytest.raises(KconfError, match="armlet bench: SHA3-384 is not in this build: SHA3=n"):
        speed.tasks(["SHA3-384"], [])
    with pytest.raises(KconfError, match="there is no algorithm in this build"):
        speed.tasks([], [])


def test_every_algorithm_and_function_can_be_named() -> None:
    for name in (*config.algorithms, *config.FUNCTIONS):
        if any(backend.built for backend in config.backends(name)):
            assert speed.tasks([name], [])[0].backends[: len(usable(name))] == tuple(usable(name))


@pytest.mark.native
def test_other_commands_do_not_load_it(python: list[str]) -> None:
    code = "import sys; from armlet.__main__ import main; main(['show']); sys.exit('armlet.bench' in sys.modules)"
    assert subprocess.run([*python, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0


@pytest.mark.native
@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_plot(python: list[str], tmp_path: Path, suffix: str, magic: bytes) -> None:
    path = tmp_path / f"speed.{suffix}"
    done = run(python, "sha256", "--sizes", "16,64", "--plot", str(path))
    assert done.returncode == 0, done.stderr
    assert path.read_bytes().startswith(magic)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.native
def test_the_same_figures_give_the_same_picture(tmp_path: Path) -> None:
    points = [
        speed.Point(function, operation, size, backend, 100.0, size / 10, 1.0)
        for function, operation in (("sha256", "digest"), ("Speck64XTS", "encrypt"), ("Speck64XTS", "decrypt"))
        for size in (16, 1024)
        for backend in ("generic", "hashlib")
    ]
    for name in ("one.svg", "two.svg"):
        plot.draw(points, str(tmp_path / name), "title")
    picture = (tmp_path / "one.svg").read_text()
    assert picture == (tmp_path / "two.svg").read_text()
    assert picture.count('id="axes_') == 4, "one of them empty"
    for text in ("title", "sha256", "Speck64XTS decrypt", "1K", "generic", "hashlib"):
        assert f"<!-- {text} -->" in picture


@pytest.mark.native
def test_plot_where_it_cannot_be(python: list[str], tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere/x.svg", tmp_path / "folder.svg"):
        (tmp_path / "folder.svg").mkdir(exist_ok=True)
        done = run(python, "sha256", "--plot", str(path), "--time", "9")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"--plot {path}: cannot be written\n"


@pytest.mark.native
def test_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(KconfError, match=r"pip install 'armlet\[plot\]'"):
        plot.prepare("x.svg")


@pytest.mark.native
def test_output_that_nobody_reads(python: list[str]) -> None:
    command = [*python, "-m", "armlet", "bench", "sha256", "--sizes", "16", "--time", "0.001"]
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    for more in ([], ["--json"]):
        closed = ["sh", "-c", 'exec "$@" >&-', "sh", *command, *more]
        done = subprocess.run(closed, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.native
def test_interrupted(python: list[str]) -> None:
    command = [*python, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


INTERRUPTED = f"""
import os, signal, sys
from armlet import speed
from armlet.__main__ import main
signal.signal(signal.SIGINT, signal.default_int_handler)
speed.measure = lambda *_: os.kill(os.getpid(), {int(signal.SIGINT)})
sys.exit(main(["bench"]))
"""


@pytest.mark.native
def test_progress_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with bench._Progress(2) as progress:
        progress.begin("sha256, 64K")
        progress.begin("sha512")
    said = capsys.readouterr().err
    assert said == "\r1/2  sha256, 64K\r2/2  sha512     \r" + " " * len("2/2  sha512") + "\r"
