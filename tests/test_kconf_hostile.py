"""Kconfig and configurations that are wrong in ways that would otherwise pass: each is refused, by name and place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from armlet.kconf.target import ARCHITECTURES
from project import Project

pytestmark = pytest.mark.native


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def append(project: Project, file: str, text: str) -> None:
    path = project.folder / file
    path.write_text(path.read_text() + text)


@pytest.mark.parametrize(
    ("file", "text", "error"),
    [
        ("Kconfig", 'config lower\n\tbool "x"\n', "lower: names are capital letters, digits and single underscores"),
        ("Kconfig", 'config A__B\n\tbool "x"\n', "A__B: names are capital letters"),
        ("Kconfig", 'config TRI\n\ttristate "x"\n', "TRI is tristate: there are no modules here"),
        ("Kconfig", "config UNTYPED\n", "UNTYPED (defined at Kconfig:"),
        (
            "Kconfig",
            'menuconfig ROOT\n\tbool "x"\nif ROOT\nconfig ROOT_GENERIC\n\tbool "y"\nendif\n',
            "menuconfig ROOT looks like an algorithm: move it to the Kconfig of its family's folder",
        ),
        ("digest/Kconfig", 'menuconfig SHA256\n\tbool "again"\n', "SHA256 is defined more than once"),
        (
            "digest/Kconfig",
            'choice\n\tprompt "c"\nmenuconfig CHA\n\tbool "x"\nendchoice\n',
            "menuconfig CHA stands in a choice: an algorithm cannot",
        ),
        ("Kconfig", "config PULL\n\tdef_bool y\n\tselect ISA_ARM_NEON\n", "cannot be selected, as PULL does"),
        ("Kconfig", "config PULL\n\tdef_bool y\n\timply ARM64\n", "is a fact of the target and cannot be selected"),
    ],
)
def test_structure(project: Project, file: str, text: str, error: str) -> None:
    append(project, file, "\n" + text)
    assert error in project.refused(target="X86_64")


@pytest.mark.parametrize(
    "answer", ["bool y\n", 'bool "prompt"\n\tdefault $(ISA_ARM_NEON)\n', "def_bool $(ISA_ARM_SHA2)\n"]
)
def test_probe_symbol_with_another_value(project: Project, answer: str) -> None:
    if answer == "bool y\n":
        answer = "bool\n\tdefault y\n"
    project.replace("Kconfig", "config ISA_ARM_NEON\n\tdef_bool $(ISA_ARM_NEON)\n", f"config ISA_ARM_NEON\n\t{answer}")
    error = project.refused(target="ARM", no=("ISA_ARM_NEON",), cc=("false",))
    assert "write `config ISA_ARM_NEON` with `def_bool $(ISA_ARM_NEON)` and nothing else" in error


def test_backend_that_depends_on_the_one_above_it(project: Project) -> None:
    """Kconfiglib makes it a child of that one; it is a backend all the same."""
    project.replace("digest/Kconfig", "depends on ISA_ARM64_NEON && LITTLE", "depends on SHA256_ARM64_CE && LITTLE")
    project.replace("digest/Kconfig", "config SHA256_ARM64_NEON", "config SHA256_ARM64_NEON")
    done = project.configure(target="ARM64")
    assert done.returncode == 0, done.stderr
    assert "SHA256_ARM64_NEON=" in (project.build / "sources.config").read_text()


@pytest.mark.parametrize(
    ("file", "error"),
    [
        (
            "digest/SHA256-generic.c",
            "digest/SHA256-generic.c: the file of SHA256_GENERIC is called sha256-generic.c or ",
        ),
        ("digest/sha256_generic.c", "digest/sha256_generic.c: the file of SHA256_GENERIC is called"),
        ("digest/sha256-generic.S", "SHA256_GENERIC has digest/sha256-generic.S already: remove one"),
        ("digest/new-thing.s", "digest/new-thing.s: no Kconfig entry names it: add `config NEW_THING`"),
        ("probes/x.s", "probes/x.s: no probe uses it"),
    ],
)
def test_source_file_spelt_otherwise(project: Project, file: str, error: str) -> None:
    (project.folder / file).touch()
    assert error in project.refused()


def test_backend_whose_name_ends_like_a_form(project: Project) -> None:
    entry = 'config SHA256_X86_64\n\tbool "made up"\n\tdefault y\n\tdepends on X86_64\n\n'
    project.replace("digest/Kconfig", "config SHA256_GENERIC", f"{entry}config SHA256_GENERIC")
    (project.folder / "digest/sha256-x86-64.c").touch()
    assert project.configure(target="X86_64").returncode == 0


@pytest.mark.parametrize(
    "line",
    [
        "#CONFIG_SHA3 is not set",
        "# CONFIG_SHA3 is not  set",
        "#\tCONFIG_SHA3 is not set",
        "# CONFIG_SHA3 is not set.",
        "# CONFIG_SHA3 is Not Set",
        "# SHA3 is not set",
        "# CONFIG_SH\u0410 is not set",
    ],
)
def test_almost_not_set(project: Project, line: str) -> None:
    (project.folder / ".config").write_text(f"# a comment, which is not set in stone\n{line}\n")
    assert ".config:2: not understood: " in project.refused()
    assert "write `# CONFIG_SYMBOL is not set`, just so" in project.refused()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("# c\u2028CONFIG_SHA3=n\n", ".config:1: control characters in "),
        ("CONFIG_SHA3=n\0\n", ".config:1: control characters in "),
        ("\nCONFIG_" + "A" * 5000 + "=y\n", ".config:2: more than 4096 characters in one line"),
    ],
)
def test_characters(project: Project, text: str, error: str) -> None:
    (project.folder / ".config").write_text(text)
    assert error in project.refused()


def test_byte_order_mark_and_line_ends(project: Project) -> None:
    (project.folder / ".config").write_bytes(b"\xef\xbb\xbfCONFIG_SHA3=n\r\n# CONFIG_SHA512 is not set\r\n")
    assert project.configure().returncode == 0
    assert "SHA512=" not in (project.build / "sources.config").read_text()


@pytest.mark.parametrize("option", ["--config=--", "--set=--", "--config=a\nb", "--set=A\nB=y"])
def test_odd_words_on_the_command_line(project: Project, option: str) -> None:
    assert project.refused(option).startswith("-D")


def test_number_as_c_would_read_it_otherwise(project: Project) -> None:
    project.replace("Kconfig", 'source "digest', 'config NUMBER\n\tint "n"\n\tdefault 5\n\nsource "digest')
    for value in ("010", "1_0", "\u0663", "0x5"):
        assert "takes a whole number" in project.refused(f"--set=NUMBER={value}")
    assert project.configure("--set=NUMBER=10").returncode == 0


def test_string_as_c_reads_it(project: Project) -> None:
    project.replace("Kconfig", 'source "digest', 'config TEXT\n\tstring "t"\n\nsource "digest')
    assert project.configure('--set=TEXT=a"\u00e9??/').returncode == 0
    assert r'#define CONFIG_TEXT "a\042\303\251\077\077/"' in (project.build / "config/options.h").read_text()


def test_the_case_of_a_name_is_seen_through(project: Project) -> None:
    assert "there is no symbol sha3; did you mean SHA3" in project.refused("--set=sha3=n")
    assert "there is no configs/TINY.config; did you mean tiny?" in project.refused("--config=TINY")
    assert "there is no configs/xyzzy.config. Known are " in project.refused("--config=xyzzy")


@pytest.mark.parametrize("value", ["os", "this", ""])
def test_functions_of_the_environment_are_not_run(
    project: Project, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("KCONFIG_FUNCTIONS", value)
    assert project.configure().returncode == 0


def test_kconfig_that_prints(project: Project) -> None:
    append(project, "Kconfig", "\n$(info,hello)\n")
    done = project.configure()
    assert done.returncode == 0
    assert done.stdout.startswith("Kconfig\n")


def test_names_beyond_ascii_in_any_locale(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    (project.folder / "\u00e9.config").write_text("CONFIG_SHA3=n\n")
    assert project.configure("--config=\u00e9.config").returncode == 0


def test_deep_nesting(project: Project) -> None:
    append(project, "Kconfig", "\nif ARM\n" * 3000 + "endif\n" * 3000)
    assert project.configure().returncode == 0
    (project.build / "sources.config").unlink()
    append(project, "Kconfig", "\nif ARM\n" * 60000 + "endif\n" * 60000)
    assert "nest" in project.refused()


def test_an_error_midway_leaves_every_old_file(project: Project) -> None:
    assert project.configure().returncode == 0
    before = {path: path.read_bytes() for path in project.build.rglob("*") if path.is_file()}
    victim = project.build / "config" / "sha3.h"
    victim.unlink()
    (victim / "in the way").mkdir(parents=True)
    done = project.configure("--set=SHA512=n")
    assert done.returncode == 1
    assert "sha3.h: cannot be written" in done.stderr
    del before[victim]
    assert {path: path.read_bytes() for path in project.build.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("file", ["meson.build", "examples/checksums/meson.build"])
def test_the_architectures_of_meson_build_are_those_of_the_framework(project: Project, file: str) -> None:
    parts = {family: f"-{fact.lower().replace('_', '-')}-" for fact, family in ARCHITECTURES.items()}
    assert f"\ncpu = {parts}.get(" in (project.folder / file).read_text()


def test_a_checkout_runs_its_own_framework(project: Project, tmp_path: Path) -> None:
    """An editable install has a finder that would start a build, and come first."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import sys\n\n\nclass Finder:\n    @staticmethod\n    def find_spec(name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'armlet':\n            raise SystemExit('the finder was asked')\n\n\n"
        "sys.meta_path.insert(0, Finder)\n"
    )
    command = [sys.executable, "src/armlet/kconf/__main__.py", "--help"]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(command, cwd=project.folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
