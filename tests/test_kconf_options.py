"""Options of a build, and what the baseline makes of the backends, by `configure` alone, without Meson."""

import re
import shutil
from pathlib import Path

import pytest

from project import Project

pytestmark = pytest.mark.native

ALGORITHMS = ["sha256", "sha512", "sha3", "speck128_xts", "speck64_xts"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def generated(project: Project, *arguments: str, target: str = "ARM64") -> Path:
    done = project.configure(*arguments, target=target)
    assert done.returncode == 0, done.stderr
    return project.build


def meson_options(build: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in (build / "options.config").read_text().splitlines())


def test_meson_reads_options(project: Project) -> None:
    options = meson_options(generated(project, "--set=OPTIMIZE_FOR_SIZE=y", "--set=BRANCH_PROTECTION_BTI=y"))
    assert options["OPTIMIZE_FOR_SIZE"] == options["BRANCH_PROTECTION_BTI"] == "y"
    assert options["BRANCH_PROTECTION_NONE"] == options["BRANCH_PROTECTION_PAC_BTI"] == "n"
    assert not {"SHA256", "ISA_ARM64_SHA2"} & set(options)


def test_branch_protection_is_for_compilers_that_have_it(project: Project) -> None:
    options = meson_options(generated(project, target="ARM"))
    assert {value for name, value in options.items() if name.startswith("BRANCH_PROTECTION_")} == {"n"}
    shutil.rmtree(project.build)
    error = project.refused("--set=BRANCH_PROTECTION_BTI=y", target="ARM")
    assert "BRANCH_PROTECTION_BTI=y cannot be had" in error


@pytest.mark.parametrize(
    ("rule", "target", "measured"),
    [
        ("SELECT_BY_ORDER", "ARM64", set()),
        ("SELECT_MEASURED_WHERE_UNSURE", "ARM64", {"SHA3"}),
        ("SELECT_MEASURED_WHERE_UNSURE", "ARM", set()),
        ("SELECT_BY_MEASUREMENT", "ARM", {"SHA256", "SHA512", "SHA3", "SPECK128_XTS", "SPECK64_XTS"}),
    ],
)
def test_rule_of_selection(project: Project, rule: str, target: str, measured: set[str]) -> None:
    build = generated(project, f"--set={rule}=y", target=target)
    headers = "".join(path.read_text() for path in build.glob("config/*.h"))
    assert set(re.findall(r"#define (\w+)_SELECTION SELECT_BY_MEASUREMENT", headers)) == measured
    assert len(re.findall(r"#define \w+_SELECTION ", headers)) == 5


def test_unsure_order_of_no_algorithm(project: Project) -> None:
    line = project.replace("digest/Kconfig", "config UNSURE_SHA3\n", "config UNSURE_SHA4\n")
    assert project.refused() == (
        f"digest/Kconfig:{line}: UNSURE_SHA4 is about algorithm SHA4, which does not exist; "
        "did you mean SHA3 or SHA512 or SHA256?\n"
    )


# -- what the baseline makes of the backends


def backends(project: Project, *arguments: str, target: str = "ARM64") -> dict[str, str]:
    """Return the backends that are not built of those that the target can run, and why."""
    done = project.configure(*arguments, target=target)
    assert done.returncode == 0, done.stderr
    rows = [line.split(maxsplit=4) for line in done.stdout.split("\n--\n")[1].splitlines()[1:]]
    left_out = {f"{row[0]} {row[1]}": row[4] for row in rows if row[3] == "no"}
    ours = {name: why for name, why in left_out.items() if " is for " not in why and "target is" not in why}
    return {name: re.sub(r"^\w+ \(.*?\) is n: ", "", why) for name, why in ours.items()}


def test_baseline_leaves_out_nothing_unless_asked(project: Project) -> None:
    assert backends(project, "--set=BASELINE_ARM64_SHA2=y") == {}


def test_without_what_the_baseline_makes_pointless(project: Project) -> None:
    pointless = "the baseline makes it pointless: arm64-{} always comes first"
    assert backends(project, "--set=BASELINE_ARM64_SHA2=y", "--set=BACKENDS_USEFUL=y") == {
        "sha256 arm64-neon": pointless.format("ce"),
        "sha256 generic": pointless.format("ce"),
        "sha512 generic": "the baseline makes it pointless: arm64 always comes first",
        "speck128_xts generic": pointless.format("neon"),
        "speck64_xts generic": pointless.format("neon"),
    }  # SHA-2 promises Advanced SIMD; SHA-3 is measured


def test_nothing_is_pointless_where_a_measurement_selects(project: Project) -> None:
    sets = ["--set=BASELINE_ARM64_SHA3=y", "--set=BACKENDS_USEFUL=y"]
    assert set(backends(project, *sets, "--set=SELECT_BY_ORDER=y")) >= {"sha3 arm64", "sha3 generic"}
    assert backends(project, *sets, "--set=SELECT_BY_MEASUREMENT=y") == {}


def test_one_backend_for_each_algorithm(project: Project) -> None:
    left_out = backends(project, "--set=BACKENDS_ONE=y", target="ARM")
    assert len(left_out) == 6
    assert left_out["sha3 arm-neon"] == "BACKENDS_ONE is y, and the baseline does not promise all of ISA_ARM_NEON"
    left_out = backends(project, "--set=BACKENDS_ONE=y", "--set=BASELINE_ARM_SHA2=y", target="ARM")
    assert set(left_out) == {"sha256 arm-neon", *(f"{name} generic" for name in ALGORITHMS)}


def test_what_is_set_is_built_however_pointless(project: Project) -> None:
    sets = ["--set=BASELINE_ARM_NEON=y", "--set=BACKENDS_ONE=y", "--set=SHA3_GENERIC=y"]
    assert "sha3 generic" not in backends(project, *sets, target="ARM")
    sets = ["--set=BASELINE_ARM_NEON=y", "--set=BACKENDS_ONE=y", "--set=SHA3_ARM_NEON=n"]
    assert "sha3 generic" not in backends(project, *sets, target="ARM")  # now it is the one


def test_backend_that_needs_another_does_not_make_it_pointless(project: Project) -> None:
    project.replace("digest/Kconfig", "depends on ISA_ARM_NEON &&", "depends on SHA256_GENERIC && ISA_ARM_NEON &&")
    left_out = backends(project, "--set=BASELINE_ARM_NEON=y", "--set=BACKENDS_USEFUL=y", target="ARM")
    assert "sha256 generic" not in left_out
    assert "sha512 generic" in left_out


def test_baseline_promises_what_the_architecture_says_that_it_takes(project: Project) -> None:
    lists = (generated(project, "--set=BASELINE_ARM64_SHA512=y") / "config/lists.h").read_text()
    assert "#define CPU_BASELINE (CPU_ISA_ARM64_NEON | CPU_ISA_ARM64_SHA2 | CPU_ISA_ARM64_SHA512)\n" in lists
    shutil.rmtree(project.build)
    error = project.refused("--set=BASELINE_ARM64_SHA512=y", no=("ISA_ARM64_SHA2",), cc=("false",))
    assert "BASELINE_ARM64_SHA512=y cannot be had" in error
