"""The documentation: the site is built without a warning, and whatever a page shows is done, and comes out as shown."""

import ast
import doctest
import importlib.util
import inspect
import os
import platform
import re
import shutil
import site
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from armlet import _core, cipher, config, digest
from documents import SHOWN_AS_THEY_ARE, follow, is_like, read_blocks
from project import SOURCE, Project

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("sphinx", "ziglang")),
        reason="armlet[docs,wheel] is not installed",
    ),
]

DOCS = SOURCE / "docs"
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
NAMES = [str(page.relative_to(SOURCE)) for page in PAGES]

# The commands that this test does not run, and the test that runs them, or why none can.
NOT_RUN = {
    "armlet menuconfig": "test_kconf_menu_terminal.py::test_a_person_who_knows_the_kernels_menu",
    "armlet menuconfig --target linux-arm64": "test_kconf_menu_terminal.py::test_a_person_who_knows_the_kernels_menu",
    "meson compile -C build menuconfig": "test_kconf_menu_terminal.py::test_as_a_target_of_the_build",
    "armlet wheel --all --try": "test_wheel.py::test_a_wheel_of_every_target",
    "pip install '.[docs]'": "the environment of this test has what it installs",
    "sphinx-build -W docs build/docs": "test_docs.py::test_the_site",
    "python3 tests/run.py --install-tools": "it is the command that runs all tests, this one too",
    "python3 tests/run.py --run native -- -k sha512 -x": "it makes what the run that this is in has made",
    "python3 tests/run.py --lint-only": "likewise; and each full run does so",
    "pip install --no-build-isolation -e '.[test]'": "it would change the environment of this test",
}


@pytest.fixture
def page_environment(name: str, tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has the package in a virtual environment; the README makes one itself."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ARMLET_", "PIP_"))}
    installed = [str(tmp_path / "site"), environment.get("PYTHONPATH", "")]
    own = {} if name == "README.md" else {"PIP_TARGET": installed[0], "PIP_UPGRADE": "1", "PIP_NO_DEPS": "1"}
    return {
        **environment,
        **own,
        "PATH": os.pathsep.join([os.path.dirname(sys.executable), environment["PATH"]]),
        "PYTHONPATH": os.pathsep.join(filter(None, [*(installed if own else []), *site.getsitepackages()])),
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        # pip finds the requirements, and those of the build, in PYTHONPATH: it builds and installs the package alone.
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


@pytest.mark.skipif(platform.machine() != "x86_64" or sys.platform != "linux", reason="pages show Linux on x86-64")
@pytest.mark.parametrize("name", [n for n, page in zip(NAMES, PAGES, strict=True) if "```console" in page.read_text()])
def test_what_a_page_shows(name: str, tmp_path: Path, page_environment: dict[str, str]) -> None:
    tree = tmp_path / "armlet"
    Project(tree)
    shutil.copytree(SOURCE / "tests", tree / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    differences = list(follow(read_blocks(SOURCE / name), tree, page_environment, set(NOT_RUN)))
    assert not differences, "\n\n".join([name, *differences])


@pytest.mark.parametrize("name", [n for n, page in zip(NAMES, PAGES, strict=True) if "```pycon" in page.read_text()])
def test_examples_in_python(name: str) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    text = "".join(f"{block.body}\n" for block in read_blocks(SOURCE / name) if block.language == "pycon")
    output: list[str] = []
    runner.run(parser.get_doctest(text, {}, name, name, 0), out=output.append)
    assert not output, "".join(output)
    assert runner.tries


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_is_shown_escapes(name: str) -> None:
    """What could be a command stands where commands are run."""
    blocks = read_blocks(SOURCE / name)
    assert {block.language for block in blocks} <= {"console", "pycon", *SHOWN_AS_THEY_ARE, "{toctree}", "{eval-rst}"}
    assert (SOURCE / name).read_text().count("\n```") == 2 * len(blocks)
    shown = [block.body for block in blocks if block.language in SHOWN_AS_THEY_ARE]
    shown += re.findall(r"\n\n((?: {4}.*\n)+)", re.sub(r"```.*?```", "", (SOURCE / name).read_text(), flags=re.S))
    for line in "".join(shown).splitlines():
        is_command = re.match(r"\s*(\$ |>>> |armlet [a-z]|meson [a-z]|pip |python3? )", line)
        assert not is_command or "..." in line, line  # a synopsis has dots where something is to be filled in


def test_commands_that_are_not_run() -> None:
    shown = {command.text for page in PAGES for block in read_blocks(page) for command in block.commands}
    assert set(NOT_RUN) <= shown
    for reason in NOT_RUN.values():
        if found := re.fullmatch(r"(\w+\.py)::(\w+)", reason):
            assert f"def {found[2]}(" in (SOURCE / "tests" / found[1]).read_text()


def test_shown_and_printed() -> None:
    assert is_like("a ...c\n", "a bbb c\n")
    assert is_like("Kconfig:3 x\n", "Kconfig:14 x\n")
    assert is_like("first\n...\nlast\n", "first\n1\n2\nlast\n")
    assert is_like("first\n...\n", "first\n")
    assert not is_like("first\n", "first\nsecond\n")
    assert not is_like("a\n", "b\n")


def test_the_site(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", str(tmp_path), "docs", "build/docs"]
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    from trees import own_tree  # an emulated Python has no kconfiglib

    reference = (SOURCE / "build/docs/reference/kconfig.html").read_text()
    for name in own_tree("ARM64").symbols:
        assert name in reference
    python = (SOURCE / "build/docs/reference/python.html").read_text()
    for module in (digest, cipher, config):
        for name in module.__all__:
            assert f'id="{module.__name__}.{name}"' in python


@pytest.fixture
def generators() -> Iterator[None]:
    """The site's own modules."""
    sys.path.insert(0, str(DOCS))
    yield
    sys.path.remove(str(DOCS))


@pytest.mark.usefixtures("generators")
def test_every_option_of_every_command_has_a_help() -> None:
    from generators.commands import parsers

    for name, parser in parsers().items():
        for action in parser._actions:
            if action.option_strings and name != "configure":  # which is meson.build's, and no person's
                assert action.help, f"{name} {action.dest}"


@pytest.mark.usefixtures("generators")
def test_the_table_of_cpus_is_as_the_compiler_has_it() -> None:
    from generators import cpus

    macros = {"neon": "__ARM_NEON", **{name: f"__ARM_FEATURE_{name.upper()}" for name in ("sha2", "sha3", "sha512")}}
    triplets = {"ARM": "arm-linux-gnueabihf", "ARM64": "aarch64-linux-gnu"}
    for cpu in cpus.read(SOURCE):
        for architecture, features in cpu.features.items():
            command = [sys.executable, "-m", "ziglang", "cc", "-target", triplets[architecture], f"-mcpu={cpu.llvm}"]
            done = subprocess.run(
                [*command, "-dM", "-E", "-x", "c", os.devnull], capture_output=True, text=True, check=True
            )
            has = {name for name, macro in macros.items() if re.search(rf"^#define {macro} ", done.stdout, re.M)}
            assert set(features) < has if cpu.part else set(features) == has, cpu.name


def test_environment_variables() -> None:
    """Those that the sources read are on the page, and no others."""
    read = {"ARMLET_CPU_MASK", "COLUMNS", "PATH"}  # by names that are put together, and by Python itself
    for file in (SOURCE / "src").rglob("*.py"):
        read.update(re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", file.read_text()))
    page = (DOCS / "reference/environment.md").read_text()
    assert set(re.findall(r"^\| `(\w+)`", page, re.M)) == read - {"PYTHONPATH", "PATH"}


def test_stub_and_module_say_the_same() -> None:
    stub = ast.parse((SOURCE / "src/armlet/_core.pyi").read_text())
    things = {"Hash": _core.Hash, "XOF": _core.XOF, "Cipher": _core.ciphers["Speck128XTS"]}
    for node in stub.body:
        if isinstance(node, ast.ClassDef) and node.name in things:
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name != "__init__":
                    documented = inspect.getdoc(getattr(things[node.name], member.name))
                    assert ast.get_docstring(member) == documented, f"{node.name}.{member.name}"
