"""Builds for other architectures: what their options promise, tried in emulated Pythons."""

import functools
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from project import filled
from runner import sysroot
from runner.build import Builder
from runner.commands import UnavailableError
from runner.suite import Build
from runner.targets import ARM64, ARMHF, Target
from runner.tools import cross_tools, missing

pytestmark = pytest.mark.native

PROJECT = Path(__file__).resolve().parent.parent
SHA512_ALONE = "SHA256=n,SHA3=n,SPECK128_XTS=n,SPECK64_XTS=n"


class Workshop:
    """A build folder for a target, in which one configuration after another is built."""

    def __init__(self, target: Target, folder: Path) -> None:
        if lacking := missing(cross_tools(target)):
            pytest.skip(f"{' and '.join(tool.command for tool in lacking)} not found")
        try:
            self.tree = sysroot.find(target, folder / "sysroot.txt", may_download=False)
        except UnavailableError as reason:
            pytest.skip(str(reason))
        self.target = target
        self.builder = Builder(PROJECT, Path(sys.executable), folder, folder / "log.txt")
        self.build = self._build(self.builder.build_for(target, self.tree, ["-Dconfig=default", "--optimization=0"]))

    def _build(self, site: Path) -> Build:
        return Build(self.tree.python, (site,), self.tree)

    def configure(self, assignments: str, config: str = "default") -> None:
        """Build and install with -Dconfig and -Dset."""
        print(config, assignments)
        self.build = self._build(self.builder.rebuild([f"-Dconfig={config}", f"-Dset={assignments}"]))

    def run(self, cpu: str, code: str, mask: str = "") -> subprocess.CompletedProcess[str]:
        """Run CODE in the emulated Python, which imports the build."""
        environment = {**os.environ, "PYTHONPATH": str(self.build.path[0]), "ARMLET_CPU_MASK": mask}
        command = [*self.build.python_on(self.target, cpu), "-W", "always", "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def functions(self) -> dict[str, bytes]:
        """Return the functions of the module and their code."""
        (path,) = self.build.path[0].rglob("_core*.so")
        with path.open("rb") as file:
            elf = ELFFile(file)
            symbols, text = elf.get_section_by_name(".symtab"), elf.get_section_by_name(".text")
            assert isinstance(symbols, SymbolTableSection) and text
            start, code = text["sh_addr"], text.data()
            return {
                symbol.name: code[symbol["st_value"] - start :][: symbol["st_size"]]
                for symbol in symbols.iter_symbols()
                if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF"
            }


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Target], Workshop]:
    """Return the workshop of a target."""
    return functools.cache(lambda target: Workshop(target, tmp_path_factory.mktemp(target.name)))


@pytest.fixture
def arm64(workshop: Callable[[Target], Workshop]) -> Workshop:
    return workshop(ARM64)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def test_cpu_below_the_baseline(arm64: Workshop) -> None:
    arm64.configure("BASELINE_ARM64_SHA3=y")
    assert last_line(arm64.run("cortex-a53", "import armlet.digest")) == (
        "ImportError: armlet._core is built for CPUs with sha3 (BASELINE_ARM64_SHA3=y), which this one lacks: "
        "rebuild it with BASELINE_ARM64_SHA3=n"
    )
    done = arm64.run("max", "from armlet import config; print(config.cpu_features)")
    assert done.stderr == ""
    assert "sha3" in done.stdout


def test_mask_hides_what_the_baseline_promises(arm64: Workshop) -> None:
    arm64.configure("BASELINE_ARM64_SHA3=y")
    assert last_line(arm64.run("max", "import armlet.digest", mask="sha512,sha3")) == (
        "ImportError: armlet._core is built for CPUs with sha3 (BASELINE_ARM64_SHA3=y), which ARMLET_CPU_MASK hides: "
        "unset the variable, or rebuild it with BASELINE_ARM64_SHA3=n"
    )
    # The architecture has no SHA-3 without SHA-2, and so the one promises the other.
    assert "built for CPUs with sha2 (BASELINE_ARM64_SHA2=y)" in last_line(
        arm64.run("max", "import armlet.digest", mask="sha2")
    )


@pytest.mark.parametrize("honoured", [True, False])
def test_mask_is_honoured_or_not(arm64: Workshop, honoured: bool) -> None:
    arm64.configure(f"HONOUR_CPU_MASK={'y' if honoured else 'n'}", config="tiny")
    done = arm64.run("max", "from armlet import config; print('sha2' in config.cpu_features)", mask="sha2,nonsense")
    assert done.stdout == f"{not honoured}\n"
    assert ("there is no CPU feature 'nonsense'" in done.stderr) == honoured


BTI_C, PACIASP = (word.to_bytes(4, "little") for word in (0xD503245F, 0xD503233F))


@pytest.mark.parametrize(
    ("protection", "instructions"), [("NONE", []), ("BTI", [BTI_C]), ("PAC_BTI", [BTI_C, PACIASP])]
)
def test_branch_protection(arm64: Workshop, protection: str, instructions: list[bytes]) -> None:
    """Of assembler that saves its return address, and of C; tests/test_module.py looks at the mark."""
    arm64.configure(f"BRANCH_PROTECTION_{protection}=y,{SHA512_ALONE}")
    functions = arm64.functions()
    kernel = functions["sha512_arm64_blocks"]
    assert [word for word in (BTI_C, PACIASP) if word in kernel] == instructions
    assert (PACIASP in functions["digest_update"]) == (PACIASP in instructions)
    assert (BTI_C in functions["digest_update"]) == (instructions == [BTI_C])  # PACIASP is a branch target too
    done = arm64.run("max", "from armlet import digest; print(digest.sha512(b'abc', backend='arm64').hexdigest())")
    assert done.stdout.startswith("ddaf35a193617aba"), done.stderr


@pytest.mark.parametrize(
    ("assignments", "kernels"),
    [
        ("BASELINE_ARM64_SHA2=y", {"sha256_arm64_ce"}),
        ("BASELINE_ARM64_NEON=y", {"sha256_arm64_neon"}),
        ("BASELINE_ARM64_SHA2=y,SHA256_ARM64_CE=n", {"sha256_arm64_neon"}),
        ("SHA256_GENERIC=y", {"sha256_generic"}),
    ],
)
def test_tiny_and_a_baseline_hold_one_sha256(arm64: Workshop, assignments: str, kernels: set[str]) -> None:
    arm64.configure(assignments, config="tiny")
    functions = arm64.functions()
    assert {name.removesuffix("_blocks") for name in functions if re.match(r"sha256_(generic|arm)", name)} == kernels
    assert not [name for name in functions if re.search("sha512|sha3|keccak|speck|cipher", name)]
    done = arm64.run("max", "from armlet import digest; print(digest.sha256(b'abc').hexdigest())")
    assert done.stdout.startswith("ba7816bf8f01cfea"), done.stderr


CONTENTS = """\
from armlet import config
for name in config.algorithms:
    for backend in config.backends(name):
        assert backend.usable == backend.built, (name, backend)
"""


def check(workshop: Workshop, assignments: str) -> None:
    """Build, and have all backends test themselves, on a CPU that can run them all."""
    workshop.configure(assignments)
    done = workshop.run("max", CONTENTS)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("target", "assignments"),
    [
        (ARM64, "BACKENDS_USEFUL=y,BASELINE_ARM64_SHA512=y,BASELINE_ARM64_SHA3=y,SELECT_BY_ORDER=y"),
        (ARMHF, "BACKENDS_ONE=y,BASELINE_ARM_NEON=y"),
        (ARMHF, "BACKENDS_ALL=y,OPTIMIZE_FOR_SIZE=y"),
    ],
)
def test_choice_of_backends(workshop: Callable[[Target], Workshop], target: Target, assignments: str) -> None:
    check(workshop(target), f"{assignments},SELF_TEST_AT_IMPORT=y")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("target", [ARM64, ARMHF], ids=lambda target: target.name)
def test_anything(workshop: Callable[[Target], Workshop], target: Target, seed: int) -> None:
    place = workshop(target)
    check(place, ",".join(filled(place.builder.build, "at_random", seed)))
