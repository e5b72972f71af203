"""The report: what was configured, built, is usable and selected, on every CPU; and the command that prints it."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from armlet import _config, _core, cipher, config, digest

of_the_mask = pytest.mark.skipif(not config.options["HONOUR_CPU_MASK"], reason="this build heeds no ARMLET_CPU_MASK")


def run(python: list[str], *arguments: str, mask: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ARMLET_CPU_MASK": mask, "PYTHONWARNINGS": "always"}
    return subprocess.run([*python, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_report_has_every_field() -> None:
    report = config.as_dict()
    assert report["schema"] == 1
    assert report["package"] == "armlet"
    assert set(report["target"]) == {"system", "cpu_family", "endian"}
    assert set(report["compiler"]) == {"id", "version", "flags"}
    assert set(report["cpu"]) == {"features", "masked"}
    for probe in report["probes"].values():
        assert probe["answer"] in {"yes", "no", "n/a"}
        assert (probe["reason"] is None) == (probe["answer"] == "yes")
    for algorithm in report["algorithms"].values():
        assert {"family", "built", "selected", "rule", "backends"} <= set(algorithm)
        for backend in algorithm["backends"]:
            assert {"name", "built", "usable", "selected", "reason"} <= set(backend)
    assert json.loads(json.dumps(report)) == report


def test_every_no_has_a_reason() -> None:
    for name, algorithm in config.as_dict()["algorithms"].items():
        backends = config.backends(name)
        assert sum(backend.selected is True for backend in backends) == algorithm["built"]
        for backend in backends:
            assert (backend.reason is None) == backend.selected
            assert backend.built or not backend.usable
            assert backend.usable or not backend.selected


def test_sha3_on_arm64_is_measured_and_the_others_are_not() -> None:
    """Unless the build was told otherwise, or there is no choice."""
    for name, algorithm in config.as_dict()["algorithms"].items():
        unsure = name == "sha3" and config.options["ARM64"] and config.options["SELECT_MEASURED_WHERE_UNSURE"]
        choice = [backend for backend in algorithm["backends"] if backend["usable"]]
        is_measured = (unsure or config.options["SELECT_BY_MEASUREMENT"]) and len(choice) > 1
        assert algorithm["rule"] == (("measurement" if is_measured else "order") if algorithm["built"] else None)
        assert {backend["nanoseconds"] is not None for backend in choice} <= {is_measured}


def test_report_agrees_with_the_compiled_tables() -> None:
    tables = _core.backends_report()["algorithms"]
    for name in config.algorithms:
        configured = [backend.name for backend in config.backends(name) if backend.built]
        assert configured == [backend["name"] for backend in tables.get(name, {"backends": []})["backends"]]


def test_functions_name_their_algorithm() -> None:
    for name in digest.algorithms_available:
        usable = [backend.name for backend in config.backends(name) if backend.usable]
        assert [digest.new(name, backend=backend).backend for backend in usable] == usable
        assert digest.new(name).backend == next(b.name for b in config.backends(name) if b.selected)
    for name in cipher.__all__:
        selected = next(backend.name for backend in config.backends(name) if backend.selected)
        assert getattr(cipher, name)(bytes(32)).backend == selected


def test_names_in_any_spelling() -> None:
    assert config.backends("SHA384") == config.backends("sha512")
    assert config.backends("speck64-xts") == config.backends("speck64_xts")


def test_selftest() -> None:
    """Of every backend that is built; what this CPU cannot run is not tested."""
    results = {(result.algorithm, result.backend): result.passed for result in config.selftest()}
    assert results == {
        (name, backend.name): True if backend.usable else None
        for name in config.algorithms
        for backend in config.backends(name)
        if backend.built
    }


def test_selftest_command(python: list[str]) -> None:
    mask = os.environ.get("ARMLET_CPU_MASK", "")
    done = run(python, "-m", "armlet", "selftest", mask=mask)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("no backend failed\n")
    for result in config.selftest():
        assert f"{result.backend} " in done.stdout
    answers = json.loads(run(python, "-m", "armlet", "selftest", "--json", mask=mask).stdout)
    assert answers["results"] == [result._asdict() for result in config.selftest()]


def test_what_a_backend_needs_is_named_as_the_cpu_has_it() -> None:
    """The record takes the names from the symbols, the compiled tables from the list of CPU features."""
    tables = _core.backends_report()["algorithms"]
    for name, algorithm in tables.items():
        needs = {backend.name: list(backend.needs) for backend in config.backends(name)}
        assert {backend["name"]: needs[backend["name"]] for backend in algorithm["backends"]} == {
            backend["name"]: backend["needs"] for backend in algorithm["backends"]
        }


def test_options() -> None:
    assert config.options["SHA3"] is ("sha3_256" in digest.algorithms_available)
    assert set(config.options) == set(config.as_dict()["options"])
    assert sum(bool(config.options[fact]) for fact in ("ARM", "ARM64", "X86_64")) <= 1
    with pytest.raises(KeyError, match="there is no symbol SHA5120; did you mean SHA512"):
        config.options["SHA5120"]


def test_names_that_are_no_names() -> None:
    no_name: Any
    for no_name in (1, None, ("SHA3",)):
        assert no_name not in config.options
        with pytest.raises(KeyError, match="a symbol is a str, not "):
            config.options[no_name]
        with pytest.raises(TypeError, match="name must be a str, not "):
            config.backends(no_name)


def test_report_cannot_be_changed() -> None:
    mutable: Any
    for mutable in (config.options, config.target, config.probes, *config.probes.values()):
        with pytest.raises(TypeError, match="does not support item assignment"):
            mutable["system"] = "changed"
    assert isinstance(config.cpu_features, tuple)
    assert isinstance(config.algorithms, tuple)
    config.as_dict()["target"].clear()
    assert config.as_dict()["target"] == dict(config.target)


def test_unknown_algorithm() -> None:
    with pytest.raises(ValueError, match="there is no algorithm 'sha25'; did you mean sha256"):
        config.backends("sha25")
    with pytest.raises(ValueError, match="known are sha256, "):
        config.backends("blake3")


def test_no_path_of_the_build_machine() -> None:
    text = Path(str(_config.__file__)).read_text()
    assert str(Path(__file__).parent.parent) not in text


@of_the_mask
def test_mask_hides_what_the_cpu_has(python: list[str]) -> None:
    cpu = config.as_dict()["cpu"]
    everything = [*cpu["features"], *cpu["masked"]]
    mask = ",".join(everything).upper()
    done = run(python, "-m", "armlet", "--json", mask=mask)
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert report["cpu"]["features"] == []
    assert set(report["cpu"]["masked"]) == set(everything)
    assert {algorithm["selected"] for algorithm in report["algorithms"].values()} <= {"generic", "arm64", None}
    for algorithm in report["algorithms"].values():
        for backend in algorithm["backends"]:
            needs_more = backend["built"] and not backend["usable"]
            assert not needs_more or backend["reason"].startswith(("ARMLET_CPU_MASK hides", "this CPU lacks"))


@of_the_mask
def test_mask_may_name_what_other_cpus_have(python: list[str]) -> None:
    assert run(python, "-c", "import armlet._core", mask=" sha3 , Neon,sha2, sha512").stderr == ""


@of_the_mask
def test_mask_with_an_unknown_name(python: list[str]) -> None:
    done = run(python, "-c", "import armlet._core", mask="sha22")
    assert done.returncode == 0
    assert "RuntimeWarning: ARMLET_CPU_MASK: there is no CPU feature 'sha22'; known are neon, sha2" in done.stderr


def test_command(python: list[str]) -> None:
    shown = run(python, "-m", "armlet")
    assert shown.returncode == 0
    same = run(python, "-m", "armlet", "show", "armlet")
    assert shown.stdout.splitlines()[:3] == same.stdout.splitlines()[:3]  # below stand figures that were measured
    assert max(map(len, shown.stdout.splitlines())) <= 80
    for name in config.algorithms:
        assert f"\n{name} " in shown.stdout
    report = json.loads(run(python, "-m", "armlet", "--json").stdout)
    assert set(report) == set(config.as_dict())


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["show", "no_such_package"], 2, "no_such_package: no report: No module named 'no_such_package'"),
        (["show", "logging"], 2, "logging: its config module is not a report of this framework"),
        (["show", ""], 2, "'' is not the name of a package"),
        (["show", "."], 2, "'.' is not the name of a package"),
        (["show", ".armlet"], 2, "'.armlet' is not the name of a package"),
        (["show", "armlet..kconf"], 2, "'armlet..kconf' is not the name of a package"),
        (["show", "json.tool"], 2, "json.tool: no report: No module named 'json.tool.config'"),
        (["--json", "shwo"], 2, "invalid choice: 'shwo'"),
        (["--json", "show"], 0, '"schema": 1'),
        (["shwo"], 2, "invalid choice: 'shwo'"),
        (["--help"], 0, "COMMAND"),
        (["--version"], 0, "armlet "),
    ],
)
def test_command_line(python: list[str], arguments: list[str], status: int, says: str) -> None:
    done = run(python, "-m", "armlet", *arguments)
    assert done.returncode == status
    assert says in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@of_the_mask
def test_command_where_warnings_are_errors(python: list[str]) -> None:
    done = run(python, "-W", "error", "-m", "armlet", mask="foo")
    assert done.returncode == 1
    assert re.fullmatch("armlet: ARMLET_CPU_MASK: there is no CPU feature 'foo'; known are .*\n", done.stderr)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ImportError('broken is built for CPUs with neon')", "broken is built for CPUs with neon"),
        ("import no_such_module", "No module named 'no_such_module'"),
    ],
)
def test_command_on_a_package_that_refuses(python: list[str], tmp_path: Path, body: str, says: str) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/config.py").write_text(body)
    code = f"import sys; sys.path.append({str(tmp_path)!r}); from armlet.__main__ import main; sys.exit(main())"
    done = run(python, "-c", code, "show", "broken")
    assert (done.returncode, done.stderr) == (1, f"armlet: {says}\n")


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_output_that_cannot_be_written(python: list[str], arguments: list[str]) -> None:
    command = [*python, "-m", "armlet", *arguments]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "armlet: [Errno 28] No space left on device\n")

    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


def test_importing_armlet_loads_nothing(python: list[str]) -> None:
    code = "import sys, armlet, armlet.kconf; print([name for name in sys.modules if 'armlet' in name])"
    assert run(python, "-c", code).stdout.strip() == "['armlet', 'armlet.kconf']"
