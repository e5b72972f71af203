"""Building with Meson: what setup prints, what it refuses, what the linker and the compiler refuse."""

import json
import platform
import re
import shutil
import sys
from pathlib import Path

import pytest

from project import FAST, WRONG, Project

pytestmark = pytest.mark.native
FACT = {"x86_64": "X86_64", "aarch64": "ARM64"}.get(platform.machine(), "ARM")  # of the machine that the tests run on
SHA256_ALONE = "-Dconfig=tiny", "-Dset=BACKENDS_ALL=y"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def refused(project: Project, *arguments: str) -> str:
    done = project.meson(*arguments)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


def test_setup_ends_with_the_table(project: Project) -> None:
    done = project.meson("-Dset=SHA3=n,SHA256_GENERIC=y")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("backend  "))
    assert lines[start].split() == ["backend", "requested", "result", "reason"]
    table = [line.split() for line in lines[start:]]
    assert ["sha256", "generic", "y", "(-Dset)", "built"] in table
    assert ["sha3", "generic", "default", "no", "SHA3"] in [row[:5] for row in table]
    assert ["is", "n", "(set", "in", "-Dset)"] in [row[-5:] for row in table]


def test_entry_without_a_build_line(project: Project) -> None:
    project.replace("digest/meson.build", "  'SHA512_GENERIC': files('sha512-generic.c'),\n", "")
    assert "Kconfig defines SHA512_GENERIC, but no meson.build gives its sources" in refused(project)


def test_build_line_without_an_entry(project: Project) -> None:
    project.replace("digest/meson.build", "'SHA512_GENERIC'", "'SHA512_GENERIK'")
    assert "meson.build gives sources for SHA512_GENERIK, but no Kconfig entry defines" in refused(project)


def test_request_that_cannot_be_met(project: Project) -> None:
    output = refused(project, "-Dset=SHA512_ARM_NEOM=y")
    assert "-Dset: there is no symbol SHA512_ARM_NEOM; did you mean SHA512_ARM_NEON" in output


def test_wrong_architecture_explains_down_to_the_target(project: Project) -> None:
    other = "SHA256_ARM64_CE" if sys.maxsize < 2**32 else "SHA512_ARM_NEON"
    output = refused(project, f"-Dset={other}=y")
    assert f"{other} ({project.line_of('digest/Kconfig', f'config {other}')}) depends on ISA_" in output
    assert ") is for arm; the target is " in output


def test_the_assembler_has_the_last_word(project: Project) -> None:
    """A probe that the machine's own assembler refuses, whatever the machine: its words are in the error."""
    symbol = f"ISA_{FACT}_BOGUS"
    project.replace("meson.build", "probes = [", f"probes = [\n  '{symbol.lower().replace('_', '-')}.S',")
    project.replace("Kconfig", 'source "digest', f'config {symbol}\n\tdef_bool $({symbol})\n\nsource "digest')
    (project.folder / f"probes/{symbol.lower().replace('_', '-')}.S").write_text("\n    bogus_instruction r0\n")
    project.add_backend(FAST, f"\tdepends on {symbol}\n")
    output = refused(project, "-Dset=SHA256_FAST=y")
    assert f"the assembler refuses probes/isa-{FACT.lower().replace('_', '-')}-bogus.S: " in output
    assert f"probes/isa-{FACT.lower().replace('_', '-')}-bogus.S:2: Error: " in output


def test_isa_without_a_cpu_feature(project: Project) -> None:
    project.replace("meson.build", "probes = [", "probes = [\n  'isa-arm64-sve.S',")
    project.replace("Kconfig", 'source "digest', 'config ISA_ARM64_SVE\n\tdef_bool $(ISA_ARM64_SVE)\n\nsource "digest')
    (project.folder / "probes/isa-arm64-sve.S").touch()
    assert project.meson(*SHA256_ALONE).returncode == 0
    done = project.compile()
    assert done.returncode != 0
    assert "CPU_ISA_ARM64_SVE" in done.stdout + done.stderr


def test_misspelt_entry_point(project: Project) -> None:
    project.add_backend(FAST.replace("sha256_fast_blocks", "sha256_fats_blocks"))
    assert project.meson(*SHA256_ALONE).returncode == 0
    done = project.compile()
    assert done.returncode != 0
    assert "sha256_fast_blocks" in done.stdout + done.stderr


def test_a_made_up_backend_takes_three_files(project: Project) -> None:
    project.add_backend(FAST)
    project.make(*SHA256_ALONE)
    done = project.run("from armlet import config, digest; print(digest.sha256().backend); config.show()")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("fast\n")
    assert "fast comes first" in done.stdout


def test_a_backend_that_fails_its_known_answer_is_not_used(project: Project) -> None:
    project.add_backend(WRONG)
    project.make(*SHA256_ALONE)
    done = project.run(
        "from armlet import config, digest\n"
        "print(digest.sha256().backend, digest.sha256(b'abc').hexdigest()[:8])\n"
        "print(config.backends('sha256')[0])\n"
        "try: digest.sha256(backend='fast')\n"
        "except ValueError as error: print(error)",
    )
    assert done.returncode == 0, done.stderr
    used, report, refused_by_name = done.stdout.splitlines()
    assert used == "generic ba7816bf"
    assert "usable=False, selected=False, reason='gives a wrong answer on this machine'" in report
    assert refused_by_name == "backend 'fast' of sha256 gives a wrong answer on this machine and cannot be used"
    warning = "RuntimeWarning: backend 'fast' of sha256 gives a wrong answer on this machine and is not used"
    assert done.stderr.count(warning) == 1


def test_a_cipher_that_fails_in_decryption_alone_is_not_used(project: Project) -> None:
    project.replace(
        "cipher/Kconfig",
        "config SPECK64_XTS_GENERIC",
        'config SPECK64_XTS_WRONG\n\tbool "made up"\n\tdefault y\n\nconfig SPECK64_XTS_GENERIC',
    )
    project.replace(
        "cipher/meson.build",
        "  'SPECK64_XTS_GENERIC'",
        "  'SPECK64_XTS_WRONG': files('speck64-xts-wrong.c'),\n  'SPECK64_XTS_GENERIC'",
    )
    source = (project.folder / "cipher/speck64-xts-generic.c").read_text().replace("_generic_", "_wrong_")
    assert "    decrypt_blocks(round_keys" in source
    wrong = source.replace("    decrypt_blocks(round_keys", "    encrypt_blocks(round_keys")
    (project.folder / "cipher/speck64-xts-wrong.c").write_text(wrong)
    project.make("-Dconfig=tiny", "-Dset=BACKENDS_ALL=y,SPECK64_XTS=y")
    done = project.run("from armlet import cipher; print(cipher.Speck64XTS(bytes(32)).backend)")
    assert done.stdout == "generic\n", done.stderr
    assert "RuntimeWarning: backend 'wrong' of speck64_xts gives a wrong answer on this machine" in done.stderr


def test_an_algorithm_without_a_right_answer_raises(project: Project) -> None:
    project.replace(
        "digest/sha256.c",
        "static const uint8_t known_answer[] = {\n    0x6a",
        "static const uint8_t known_answer[] = {\n    0x6b",
    )
    project.make(*SHA256_ALONE)
    done = project.run(
        "from armlet import config, digest\n"
        "try: digest.sha256()\n"
        "except RuntimeError as error: print(error)\n"
        "print(config.as_dict()['algorithms']['sha256']['selected'])",
    )
    assert done.stdout == "no backend of sha256 gives the right answer on this machine\nNone\n", done.stderr


def test_selection_by_measurement(project: Project) -> None:
    """The clock is the test's: it says that each backend takes what the script has for it."""
    project.add_backend(FAST)
    project.make("-Dconfig=tiny", "-Dset=BACKENDS_ALL=y,SELECT_BY_MEASUREMENT=y")
    done = project.run(
        "from armlet import _core, config, digest\n"
        "def measured(*times):\n"
        "    readings = (reading for time in times for reading in (1000, 1000 + time))\n"
        "    _core.reselect('sha256', lambda: next(readings))\n"
        "    return digest.sha256().backend, [b.nanoseconds for b in config.backends('sha256') if b.usable]\n"
        "print(config.as_dict()['algorithms']['sha256']['rule'])\n"
        "print(measured(9, 8, 900, 7, 5, 7, 9, 7, 9, 7))\n"
        "print(measured(9, 8, 900, 7, 9, 7, 9, 7, 9, 7))\n"
        "print(measured(*[7] * 10))\n"
        "try: measured(1)\n"
        "except StopIteration: print('the clock stopped')\n",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "measurement",
        "('fast', [5, 7])",
        "('generic', [9, 7])",
        "('fast', [7, 7])",
        "the clock stopped",
    ]


def test_a_change_of_kconfig_or_of_the_configuration_reconfigures(project: Project) -> None:
    own = project.folder / "own.config"
    shutil.copyfile(project.folder / "configs/tiny.config", own)
    assert project.meson("-Dconfig=own.config").returncode == 0
    assert project.compile().returncode == 0
    good = own.read_text()
    own.write_text(good + "CONFIG_NO_SUCH=y\n")
    done = project.compile()
    assert done.returncode != 0
    assert "there is no symbol NO_SUCH" in done.stdout

    own.write_text(good)
    assert project.compile().returncode == 0
    project.replace("digest/Kconfig", "config SHA512_GENERIC\n", "config SHA512_GENERIK\n")
    done = project.compile()
    assert done.returncode != 0
    assert "digest/sha512-generic.c: no Kconfig entry names it" in done.stdout


def test_flags_reach_no_other_object(project: Project) -> None:
    """A backend with flags of its own, on any machine: its object alone is compiled with them."""
    symbol, file = f"CC_{FACT}_TEST", f"cc-{FACT.lower().replace('_', '-')}-test.c"
    project.replace("digest/Kconfig", "config SHA256_GENERIC\n", f"config SHA256_GENERIC\n\tdepends on {symbol}\n")
    project.replace("Kconfig", 'source "digest', f'config {symbol}\n\tdef_bool $({symbol})\n\nsource "digest')
    project.replace("meson.build", "probes = [", f"probes = [\n  '{file} -fno-such-flag',\n  '{file} -DTEST_FLAG',")
    (project.folder / "probes" / file).write_text("int probe;\n")
    assert project.meson(*SHA256_ALONE).returncode == 0
    commands = json.loads((project.build / "compile_commands.json").read_text())
    with_flag = {Path(command["file"]).name for command in commands if "-DTEST_FLAG" in command["command"].split()}
    assert with_flag == {"sha256-generic.c"}


@pytest.mark.parametrize(
    ("probe", "kernel"), [("cc-arm64-sha2", "sha256-arm64-ce"), ("cc-arm64-sha512", "sha512-arm64-ce")]
)
def test_probe_asks_for_what_its_kernel_uses(project: Project, probe: str, kernel: str) -> None:
    """Instructions of the extension, and loads of several vectors, which not every compiler has that has those."""
    later = re.compile(r"\bv(?:sha\w+|ld1\w+_x\d)\b")
    used = set(later.findall((project.folder / f"digest/{kernel}.c").read_text()))
    assert len(used) >= 6
    assert used <= set(later.findall((project.folder / f"probes/{probe}.c").read_text()))


def test_every_file_of_the_package_is_installed(project: Project) -> None:
    text = (project.folder / "src/armlet/meson.build").read_text()
    package = project.folder / "src/armlet"
    for path in package.rglob("*"):
        is_framework = path.suffix in {".c", ".h"} and path.parent.name == "native"
        if is_framework or path.suffix in {".py", ".pyi", ".typed"}:
            assert f"'{path.relative_to(package).as_posix()}'" in text, f"{path.name} is not installed"
