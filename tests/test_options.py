"""Options of a build: each does what it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from project import FAST, WRONG, Project

pytestmark = pytest.mark.native


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def make_sha256(project: Project, *assignments: str) -> None:
    """Build SHA-256 alone, with all of its backends."""
    project.make("-Dconfig=tiny", f"-Dset={','.join(['BACKENDS_ALL=y', *assignments])}")


# When backends are tested with a known answer.

USES = "import sys\nfrom armlet import digest\nprint('imported', file=sys.stderr)\nprint(digest.sha256().backend)"
FAILS = "RuntimeWarning: backend 'fast' of sha256 gives a wrong answer on this machine and is not used"


@pytest.mark.parametrize(("when", "says"), [("FIRST_USE", ["imported", FAILS]), ("IMPORT", [FAILS, "imported"])])
def test_self_test(project: Project, when: str, says: list[str]) -> None:
    project.add_backend(WRONG)
    make_sha256(project, f"SELF_TEST_AT_{when}=y")
    done = project.run(USES)
    assert done.stdout == "generic\n"
    assert [line.partition(": ")[2] or line for line in done.stderr.splitlines() if not line.startswith(" ")] == says


def test_no_self_test(project: Project) -> None:
    project.add_backend(WRONG)
    make_sha256(project, "SELF_TEST_NEVER=y")
    done = project.run(USES)
    assert (done.stdout, done.stderr) == ("fast\n", "imported\n")


def test_import_without_a_right_answer(project: Project) -> None:
    project.replace("digest/sha256.c", "known_answer[] = {\n    0x6a", "known_answer[] = {\n    0x6b")
    make_sha256(project, "SELF_TEST_AT_IMPORT=y")
    for code in ("import armlet.digest", "import armlet.config"):
        error = project.run(code).stderr.splitlines()[-1]
        assert error == "ImportError: armlet._core: no backend of sha256 gives the right answer on this machine"


# The variable that hides CPU features.


@pytest.mark.parametrize("honoured", ["y", "n"])
def test_cpu_mask(project: Project, honoured: str) -> None:
    """A machine that has no features to hide still says of a wrong name that it is wrong."""
    make_sha256(project, f"HONOUR_CPU_MASK={honoured}")
    done = project.run("from armlet import digest", ARMLET_CPU_MASK="nonsense")
    assert done.returncode == 0
    assert ("ARMLET_CPU_MASK: there is no CPU feature 'nonsense'" in done.stderr) == (honoured == "y")


# Size.


def code_size(project: Project, name: str) -> int:
    (path,) = project.build.rglob(f"*{name}.c.o")
    with path.open("rb") as file:
        return sum(s["sh_size"] for s in ELFFile(file).iter_sections() if s.name.startswith(".text"))


def test_optimized_for_size(project: Project) -> None:
    """The kernels in C take half the room, or less; tests/test_configurations.py tests such builds."""
    kernels = [path.stem for path in project.folder.glob("*/*-generic*.c") if not path.stem.endswith("-32")]
    sizes = {}
    for small in ("n", "y"):
        project.make("-Dconfig=default", f"-Dset=OPTIMIZE_FOR_SIZE={small}", "-Dbuildtype=release")
        sizes[small] = {kernel: code_size(project, kernel) for kernel in kernels}
    assert len(kernels) == 5
    for kernel in kernels:
        assert sizes["y"][kernel] * 2 < sizes["n"][kernel], kernel


# What a change compiles anew.


def compiled_next(project: Project) -> set[str]:
    """Return the sources that the next build compiles."""
    ninja = subprocess.run(
        [sys.executable, "-m", "ninja", "-n", "-C", project.build], capture_output=True, text=True, check=True
    )
    return set(re.findall(r"Compiling C object \S+?/(?:\w+_)?([\w-]+\.[cS])\.o", ninja.stdout))


def test_change_of_one_backend_compiles_no_other_kernel(project: Project) -> None:
    project.add_backend(FAST)
    project.make("-Dset=SHA256_FAST=n")
    tables = {"sha256.c", "core.c", "digest.c", "algorithms.c", "record.c"}
    project.meson("--reconfigure", "-Dset=SHA256_FAST=y")
    there = compiled_next(project)
    assert {"sha256-fast.c", "sha256.c"} <= there <= {"sha256-fast.c", *tables}
    project.make("-Dset=SHA256_FAST=y")
    assert compiled_next(project) == set()
    project.meson("--reconfigure", "-Dset=SHA256_FAST=n")
    assert {"sha256.c"} <= compiled_next(project) <= tables


# What is installed.


def test_without_the_framework(project: Project) -> None:
    """What asks a package works; what a source tree needs says that it is not there."""
    make_sha256(project, "FRAMEWORK=n")
    main = "import sys; from armlet.__main__ import main; sys.exit(main({}))"
    bench = ["bench", "--sizes", "16", "--time", "0.001"]
    for command in (["show"], ["show", "--json"], ["selftest"], bench, ["--help"]):
        done = project.run(main.format(command))
        assert (done.returncode, done.stderr) == (0, ""), command
    module = next((project.build / "root").rglob("_core.abi3.so"))
    assert project.run(main.format(["inspect", str(module.parent)])).returncode == 0
    done = project.run(main.format(["why", "SHA3"]))
    assert done.returncode == 1
    assert done.stderr.startswith("the framework is not in this build of the package: set FRAMEWORK=y")
    make_sha256(project, "FRAMEWORK=y")
    assert project.run(main.format(["why", "--help"])).returncode == 0
