"""What a report tells of how a package came to be: requests, flags, the configuration itself; and how it is printed."""

import io
import json
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest

from armlet import _config, config
from armlet.kconf.report import Report
from armlet.kconf.table import WIDTH, columns, encodable
from project import SOURCE, WRONG, Project

pytestmark = pytest.mark.native

SCHEMA = json.loads((SOURCE / "docs/report.schema.json").read_text())


def validate(report: object) -> None:
    from jsonschema import Draft202012Validator  # an emulated Python has none

    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(report)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def report_of(project: Project, code: str = "print(json.dumps(config.as_dict()))") -> str:
    done = project.run(f"import json; from armlet import config; {code}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_schema() -> None:
    validate(config.as_dict())
    assert set(SCHEMA["required"]) == set(config.as_dict())


def test_schema_of_an_inspected_module(python: list[str]) -> None:
    from armlet import _core

    command = [*python, "-m", "armlet", "inspect", "--json", str(_core.__file__)]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    validate(report)
    assert set(report) == {*SCHEMA["required"], "inspected"}


def test_requests_and_the_configuration_that_rebuilds_the_same(project: Project) -> None:
    """From a file, from -Dset and from the command line of the compiler."""
    (project.folder / "my.config").write_text("CONFIG_SELECT_BY_ORDER=y\n# CONFIG_SHA3 is not set\n")
    project.make("-Dconfig=tiny,my.config", "-Dset=SHA512=y,SHA512_GENERIC=y", "-Dc_args=-DNDEBUG -I/no/such/folder")
    first = json.loads(report_of(project))
    validate(first)
    assert first["requested"]["SHA512"] == {"value": "y", "origin": "-Dset"}
    assert first["requested"]["SELECT_BY_ORDER"] == {"value": "y", "origin": "my.config:1"}
    assert first["requested"]["SHA3"] == {"value": "n", "origin": "my.config:2"}
    assert first["algorithms"]["sha512"]["backends"][-1]["requested"] == "y (-Dset)"
    assert first["compiler"]["flags"] == ["-O3", "-DNDEBUG"]
    shown = project.run("from armlet.__main__ import main; main(['show'])").stdout
    assert "SHA512=y (-Dset)" in " ".join(shown.split())

    again = Project(project.folder / "again")
    (again.folder / "same.config").write_text(first["dotconfig"])
    again.make("-Dconfig=same.config", "-Dc_args=-DNDEBUG")
    second = json.loads(report_of(again))
    for key in ("options", "dotconfig", "dotconfig_sha256", "compiler"):
        assert second[key] == first[key]


def test_modules_of_two_builds(project: Project) -> None:
    folder = project.make("-Dconfig=tiny") / "armlet"
    configured = (folder / "_config.py").read_text()
    project.make("-Dconfig=tiny", "-Dset=SHA512=y")
    (folder / "_config.py").write_text(configured)
    error = project.run("import armlet.config").stderr.splitlines()[-1]
    assert error == (
        "ImportError: armlet._config and armlet._core are of two builds (sha512: the record has nothing, the compiled "
        "tables have generic): remove armlet wholly and install it again"
    )
    project.make("-Dconfig=tiny", "-Dset=HONOUR_CPU_MASK=n")
    (folder / "_config.py").write_text(configured)
    error = project.run("import armlet.config").stderr.splitlines()[-1]
    assert "are of two builds (they were configured differently)" in error


@pytest.mark.parametrize("when", ["AT_FIRST_USE", "NEVER"])
def test_selftest_of_a_wrong_kernel(project: Project, when: str) -> None:
    """It is found, also where nothing was tested so far, and serves no more."""
    project.add_backend(WRONG)
    project.make("-Dconfig=tiny", f"-Dset=BACKENDS_ALL=y,SELF_TEST_{when}=y")
    main = "import sys; from armlet.__main__ import main; sys.exit(main(['selftest'{}]))"
    done = project.run(main.format(""))
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["algorithm", "backend", "answer"],
        ["sha256", "fast", "failed", "gives", "a", "wrong", "answer", "on", "this", "machine"],
        ["generic", "passed"],
        ["1", "of", "2", "backends", "failed"],
    ]
    done = project.run(main.format(", '--json'"))
    assert done.returncode == 1
    assert json.loads(done.stdout)["results"][0] == {"algorithm": "sha256", "backend": "fast", "passed": False}
    done = project.run(
        "import warnings; warnings.simplefilter('ignore'); from armlet import config, digest; digest.sha256()\n"
        "config.use('sha256', None); config.selftest()\n"
        "print(digest.sha256().backend, config.backends('sha256')[0].reason)\n"
        "try: config.use('sha256', 'fast')\n"
        "except ValueError as error: print(error)"
    )
    assert done.stdout.splitlines() == [
        "generic gives a wrong answer on this machine",
        "backend 'fast' of sha256 gives a wrong answer on this machine and cannot be used",
    ]


def test_a_choice_that_fails_later_serves_no_more(project: Project) -> None:
    project.add_backend(WRONG)
    project.make("-Dconfig=tiny", "-Dset=BACKENDS_ALL=y,SELF_TEST_NEVER=y")
    done = project.run(
        "import warnings; warnings.simplefilter('ignore'); from armlet import config, digest\n"
        "config.use('sha256', 'fast')\n"
        "with config.use('sha256', 'fast'):\n"
        "    print(digest.sha256().backend); config.selftest(); print(digest.sha256().backend)\n"
        "print(digest.sha256().backend)"
    )
    assert done.stdout.split() == ["fast", "generic", "generic"], done.stderr


def test_the_variable_that_hides_is_called_as_the_module_calls_it() -> None:
    """It is no rule that it is the name of the package: that may have a dash."""

    class Core:
        def backends_built(self) -> dict[str, Any]:
            return {"mask": "THE_VARIABLE", "cpu": {"features": [], "masked": ["neon"]}}

        def backends_report(self) -> dict[str, Any]:
            backend = {"name": "generic", "needs": ["neon"], "usable": False, "failed": False, "nanoseconds": None}
            return {"algorithms": {"sha256": {"selected": None, "rule": "order", "backends": [backend]}}}

    core: Any = Core()
    backends = Report(vars(_config), core).backends("sha256")
    assert backends[-1].reason == "THE_VARIABLE hides neon"


# How it is printed.


def test_why() -> None:
    said = config.why("sha384")
    assert said.splitlines()[0] == f"sha512: {config.as_dict()['algorithms']['sha512']['selected']} serves"
    for backend in config.backends("sha512"):
        assert f"\n{backend.name} " in said
    assert "(SELECT_MEASURED_WHERE_UNSURE)" in " ".join(said.split())
    with pytest.raises(ValueError, match="there is no algorithm 'sha38'; did you mean sha384"):
        config.why("sha38")


def test_why_of_an_algorithm_that_is_not_built(project: Project) -> None:
    project.make("-Dconfig=tiny")
    assert report_of(project, "print(config.why('sha3'))").startswith("sha3 is not in this build: SHA3=n\n")
    refused = "try: config.use('sha3', None)\nexcept ValueError as error: print(error)"
    assert report_of(project, "pass\n" + refused) == "sha3 is not in this build: SHA3=n\n"


def on_a_terminal(python: list[str], environment: dict[str, str], columns: int) -> str:
    reading, writing = pty.openpty()
    os.set_inheritable(writing, True)
    done = subprocess.Popen(
        [*python, "-m", "armlet"],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        env={**os.environ, "COLUMNS": str(columns), **environment},
    )
    os.close(writing)
    said = b""
    try:
        while part := os.read(reading, 4096):
            said += part
    except OSError:  # a terminal that its other side has closed
        pass
    os.close(reading)
    assert done.wait() == 0
    return said.decode()


def test_colour_on_a_terminal_alone(python: list[str]) -> None:
    assert "\033[32mselected" in on_a_terminal(python, {"TERM": "xterm", "NO_COLOR": ""}, 80)
    assert "\033" not in on_a_terminal(python, {"TERM": "xterm", "NO_COLOR": "1"}, 80)
    assert "\033" not in on_a_terminal(python, {"TERM": "dumb", "NO_COLOR": ""}, 80)


@pytest.mark.parametrize("width", [60, 80, 160])
def test_the_width_of_a_terminal(python: list[str], width: int) -> None:
    longest = max(map(len, on_a_terminal(python, {"NO_COLOR": "1"}, width).splitlines()))
    assert min(width * 0.9, 100) < longest <= width


def test_columns_have_the_same_place_with_and_without_colour() -> None:
    rows = [("algorithm", "state", "reason"), ("one", "selected", "because " * 20), ("one", "not built", "")]
    plain, painted = columns(rows), columns(rows, colour=True)
    assert max(map(len, plain)) <= WIDTH
    assert [
        line.replace("\033[32m", "").replace("\033[2m", "").replace("\033[0m", "").rstrip() for line in painted
    ] == plain


def test_what_an_encoding_lacks() -> None:
    ascii_stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    quoted = "unknown mode \u2018+sha3\u2019 \u2014 \u00e9"
    assert encodable(quoted, ascii_stream) == "unknown mode '+sha3' - \\xe9"
    assert encodable(quoted, io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) == quoted
