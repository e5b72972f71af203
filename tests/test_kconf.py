"""Kconfig, the user's intent, and everything that must be refused: by `configure` alone, without Meson."""

import json
import os
from pathlib import Path

import pytest

from project import PROBES, Project

pytestmark = pytest.mark.native


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def generated(project: Project, *arguments: str, target: str = "ARM64") -> Path:
    done = project.configure(*arguments, target=target)
    assert done.returncode == 0, done.stderr
    return project.build


def keyval(path: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in path.read_text().splitlines())


# -- what a good configuration gives


def test_sources_of_what_is_built(project: Project) -> None:
    build = generated(project, target="ARM64")
    sources = keyval(build / "sources.config")
    assert {"DIGEST", "SHA256", "SHA256_ARM64_CE", "SHA256_GENERIC"} <= set(sources)
    assert "SHA512_ARM_NEON" not in sources


def test_flags_go_to_the_backend_that_depends_on_the_intrinsics(project: Project) -> None:
    flags = keyval(generated(project, target="ARM64") / "sources.config")
    assert {symbol: own for symbol, own in flags.items() if own} == {
        "SHA256_ARM64_CE": "-march=armv8-a+crypto",
        "SHA512_ARM64_CE": "-march=armv8.2-a+sha3",
    }


def test_headers_list_backends_in_the_order_of_kconfig(project: Project) -> None:
    header = (generated(project, target="ARM64") / "config/sha256.h").read_text()
    assert header.index("X(sha256, arm64_ce, ") < header.index('X(sha256, generic, "generic", 0)')
    assert "(CPU_ISA_ARM64_SHA2)" in header


@pytest.mark.parametrize("algorithm", ["sha256", "sha3"])
@pytest.mark.parametrize("target", ["ARM", "ARM64"])
@pytest.mark.parametrize("choice", ["SELECT_BY_ORDER", "SELECT_MEASURED_WHERE_UNSURE", "SELECT_BY_MEASUREMENT"])
def test_selection(project: Project, choice: str, target: str, algorithm: str) -> None:
    """Of all algorithms the order of SHA-3 on arm64 alone is unsure."""
    is_unsure = (algorithm, target) == ("sha3", "ARM64")
    is_measured = {"SELECT_BY_ORDER": False, "SELECT_MEASURED_WHERE_UNSURE": is_unsure, "SELECT_BY_MEASUREMENT": True}
    rule = "SELECT_BY_MEASUREMENT" if is_measured[choice] else "SELECT_BY_ORDER"
    header = (generated(project, f"--set={choice}=y", target=target) / f"config/{algorithm}.h").read_text()
    assert f"#define {algorithm.upper()}_SELECTION {rule}\n" in header
    if choice == "SELECT_MEASURED_WHERE_UNSURE":
        assert header == (generated(project, target=target) / f"config/{algorithm}.h").read_text()


def test_options_are_always_0_or_1(project: Project) -> None:
    lines = (generated(project, target="ARM") / "config/options.h").read_text().splitlines()[1:]
    options = {line.split()[1]: line.split()[2] for line in lines}
    assert options["CONFIG_ARM"] == "1"
    assert options["CONFIG_WORD_64"] == "0"
    assert not [name for name in options if "NEON" in name], "a backend here would rebuild every kernel"


def test_an_algorithm_that_is_off_leaves_the_lists(project: Project) -> None:
    build = generated(project, "--config=tiny", target="X86_64")
    lists = (build / "config/lists.h").read_text()
    assert "sha256" in lists
    assert "cipher" not in lists
    assert not (build / "config/sha512.h").exists()


def test_record_has_the_commands_and_the_module_has_no_path(project: Project) -> None:
    done = project.configure(target="ARM", no=("ISA_ARM_NEON",))
    record = json.loads((project.build / "kconf.json").read_text())
    probe = record["probes"]["ISA_ARM_NEON"]
    assert probe["answer"] == "no"
    assert probe["argv"][-3:] == ["probes/isa-arm-neon.S", "-o", os.devnull]
    assert "probes/isa-arm-neon.S:" in probe["words"]
    module = done.stdout.split("\n--\n")[2]
    assert str(project.folder) not in module
    namespace: dict[str, object] = {}
    exec(module, namespace)
    assert namespace["PACKAGE"] == "armlet"


def test_a_second_run_touches_nothing(project: Project) -> None:
    build = generated(project)
    before = {path: path.stat().st_mtime_ns for path in build.rglob("*") if path.is_file()}
    generated(project)
    assert {path: path.stat().st_mtime_ns for path in build.rglob("*") if path.is_file()} == before


def test_a_change_of_one_backend_rewrites_its_algorithm_and_the_record(project: Project) -> None:
    build = generated(project)
    before = {path.name: path.stat().st_mtime_ns for path in (build / "config").iterdir()}
    generated(project, "--set=SHA256_ARM64_CE=n")
    after = {path.name: path.stat().st_mtime_ns for path in (build / "config").iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"sha256.h", "record.h"}


def test_what_configure_prints(project: Project) -> None:
    (project.folder / ".config").write_text("# CONFIG_SHA3_GENERIC is not set\n# CONFIG_SHA3 is not set\n")
    done = project.configure("--set=SHA256_ARM64_CE=y", target="ARM64")
    inputs, table, module, c_args, link_args, native, runtime = done.stdout.split("\n--\n")
    files = inputs.splitlines()
    own = ["Kconfig", "src/armlet/kconf/Kconfig", "digest/Kconfig", "cipher/Kconfig"]
    assert files[:5] == [*own, str(project.folder / ".config")]
    assert "src/armlet/kconf/tree.py" in files[5:], "a change of the framework reconfigures too"
    assert "PACKAGE = 'armlet'\n" in module
    assert c_args.splitlines()[0] == f"-I{project.folder}/src/armlet/kconf/native"
    assert "-nostartfiles" in link_args.splitlines()
    for file in (*native.splitlines(), *runtime.splitlines()):
        assert (project.folder / file).is_file()
    rows = [line.split() for line in table.splitlines()]
    assert rows[0] == ["backend", "requested", "result", "reason"]
    assert ["sha256", "arm64-ce", "y", "(-Dset)", "built"] in rows
    where = project.line_of("digest/Kconfig", "menuconfig SHA3")
    reason = ["SHA3", f"({where})", "is", "n", "(set", "in", ".config:2)"]
    assert ["sha3", "generic", "n", "(.config:1)", "no", *reason] in rows


# -- where configurations come from


def test_later_configurations_win(project: Project) -> None:
    (project.folder / "a.config").write_text("# CONFIG_SHA3 is not set\n# CONFIG_SHA512 is not set\n")
    (project.folder / "b.config").write_text("CONFIG_SHA3=y\n")
    sources = keyval(generated(project, "--config=a.config", "--config=b.config", "--set=SHA512=y") / "sources.config")
    assert {"SHA3", "SHA512"} <= set(sources)


def test_dotconfig_is_used_unless_a_configuration_is_named(project: Project) -> None:
    (project.folder / ".config").write_text("# CONFIG_SHA3 is not set\n")
    assert "SHA3" not in keyval(generated(project) / "sources.config")
    assert "SHA3" in keyval(generated(project, "--config=default") / "sources.config")


def test_both_spellings_in_commands(project: Project) -> None:
    assert "SHA3" not in keyval(generated(project, "--set=CONFIG_SHA3=n") / "sources.config")


@pytest.mark.parametrize("name", sorted(p.stem for p in Path(__file__).parent.parent.glob("configs/*.config")))
def test_every_shipped_configuration_resolves(project: Project, name: str) -> None:
    for target in ("ARM", "ARM64", "X86_64"):
        needs = (project.folder / f"configs/{name}.config").read_text().partition("# For ")[2].split("\n")[0]
        if not needs or target in needs.split():
            generated(project, f"--config={name}", target=target)


# -- mistakes in the tree


def test_source_file_that_no_entry_names(project: Project) -> None:
    (project.folder / "digest/sha512-arm-vfp.S").touch()
    assert project.refused() == (
        "digest/sha512-arm-vfp.S: no Kconfig entry names it: "
        "add `config SHA512_ARM_VFP` to digest/Kconfig, or remove the file\n"
    )


def test_probe_file_that_nothing_uses(project: Project) -> None:
    (project.folder / "probes/isa-arm64-sve.S").touch()
    assert "probes/isa-arm64-sve.S: no probe uses it: add it to meson.build" in project.refused()


def test_probe_without_symbol(project: Project) -> None:
    error = project.refused(probes=[*PROBES, "ISA_ARM64_SVE"])
    assert "meson.build probes ISA_ARM64_SVE (probes/isa-arm64-sve.S), but no Kconfig file defines it" in error
    assert "add `config ISA_ARM64_SVE` with `def_bool $(ISA_ARM64_SVE)`" in error


@pytest.mark.parametrize("value", ["$(ISA_ARM64_SVE)", '"$(ISA_ARM64_SVE)"', "n"])
def test_symbol_without_probe(project: Project, value: str) -> None:
    line = project.replace("Kconfig", 'source "digest', f'config ISA_ARM64_SVE\n\tdef_bool {value}\n\nsource "digest')
    error = project.refused()
    assert "ISA_ARM64_SVE has no probe: add it to the probes of meson.build" in error
    assert f"Kconfig:{line + (value != 'n')}: " in error


def test_macro_without_a_value(project: Project) -> None:
    line = project.replace("src/armlet/kconf/Kconfig", "$(X86_64)", '"$(X86_65)"')
    assert project.refused() == f"src/armlet/kconf/Kconfig:{line}: $(X86_65) has no value; did you mean X86_64?\n"


def test_baseline_without_instruction_set(project: Project) -> None:
    project.replace("Kconfig", "config BASELINE_ARM64_SHA3\n", "config BASELINE_ARM64_SHA4\n")
    assert "BASELINE_ARM64_SHA4 promises ISA_ARM64_SHA4, which does not exist" in project.refused()


@pytest.mark.parametrize("expression", ["ISA_ARM64_SHA2 || ARM", "ISA_ARM64_SHA2 && !ARM", "ISA_ARM64_SHA2 = y"])
def test_dependency_that_cannot_be_checked_at_run_time(project: Project, expression: str) -> None:
    project.replace("digest/Kconfig", "depends on ISA_ARM64_SHA2 &&", f"depends on ({expression}) &&")
    error = project.refused()
    where = project.line_of("digest/Kconfig", "config SHA256_ARM64_CE")
    assert error.startswith(f"{where}: backend SHA256_ARM64_CE depends on ")
    assert "only symbols joined by && can be checked at run time" in error


def test_option_among_the_backends(project: Project) -> None:
    project.replace("digest/Kconfig", "config SHA256_GENERIC", 'config UNROLL\n\tbool "x"\n\nconfig SHA256_GENERIC')
    error = project.refused()
    assert "UNROLL stands below menuconfig SHA256, where only its backends may, named SHA256_*" in error


def test_select_over_an_unmet_dependency(project: Project) -> None:
    project.replace("digest/Kconfig", "\tselect DIGEST", "\tselect DIGEST\n\tselect BASELINE_ARM_NEON")
    error = project.refused(target="ARM64")
    assert f"SHA256 ({project.line_of('digest/Kconfig', 'menuconfig SHA256')}) selects BASELINE_ARM_NEON" in error
    assert "whose dependencies do not hold: ISA_ARM_NEON" in error


@pytest.mark.parametrize("text", ["config\n", "depends on SHA9\n", 'bool "twice"\n', "if SHA256\n", 'source "no"\n'])
def test_kconfig_that_is_wrong(project: Project, text: str) -> None:
    path = project.folder / "digest/Kconfig"
    path.write_text(path.read_text() + text)
    assert "digest/Kconfig" in project.refused()


def test_broken_kconfig_encoding(project: Project) -> None:
    (project.folder / "digest/Kconfig").write_bytes(b"\xff\xfe")
    assert "digest/Kconfig" in project.refused()


# -- mistakes of the user


def test_unknown_symbol(project: Project) -> None:
    (project.folder / ".config").write_text("CONFIG_SHA256=y\nCONFIG_SHA512_ARM_NEOM=y\n")
    error = project.refused()
    assert error.startswith(".config:2: there is no symbol SHA512_ARM_NEOM; did you mean SHA512_ARM_NEON")


@pytest.mark.parametrize(
    ("symbol", "why"),
    [
        ("ARM64", "it is a fact of the target"),
        ("ISA_ARM64_SHA2", "it is what a probe answers"),
        ("DIGEST", "it has no prompt and follows from other symbols"),
    ],
)
def test_promptless_symbol(project: Project, symbol: str, why: str) -> None:
    error = project.refused(f"--set={symbol}=y")
    assert error.startswith(f"-Dset: {symbol} (")
    assert f"cannot be set: {why}" in error


def test_value_of_the_wrong_type(project: Project) -> None:
    (project.folder / ".config").write_text("CONFIG_SHA256=m\n")
    where = project.line_of("digest/Kconfig", "menuconfig SHA256")
    assert project.refused() == f".config:1: SHA256=m: SHA256 ({where}) takes y or n\n"


def add_options(project: Project) -> None:
    project.replace(
        "Kconfig",
        'source "digest',
        'config LIMIT\n\tint "limit"\n\trange 1 8\n\tdefault 4\n\n'
        'choice\n\tprompt "choice"\n\nconfig RED\n\tbool "red"\n\nconfig BLUE\n\tbool "blue"\n\nendchoice\n\n'
        'source "digest',
    )


def test_value_out_of_range(project: Project) -> None:
    add_options(project)
    (project.folder / ".config").write_text("\nCONFIG_LIMIT=9\n")
    error = project.refused()
    where = project.line_of("Kconfig", "config LIMIT")
    assert error.startswith(f".config:2: LIMIT=9 cannot be had:\n  LIMIT ({where}) ranges from 1 to 8\n")


def test_choice_that_is_lost(project: Project) -> None:
    add_options(project)
    (project.folder / ".config").write_text("CONFIG_RED=y\nCONFIG_BLUE=y\n")
    error = project.refused()
    assert error.startswith(".config:2: BLUE=y would lose RED=y (.config:1): both are of the choice at Kconfig:")


def test_later_file_may_choose_anew(project: Project) -> None:
    add_options(project)
    (project.folder / "a.config").write_text("CONFIG_RED=y\n")
    build = generated(project, "--config=a.config", "--set=BLUE=y")
    assert "#define CONFIG_BLUE 1" in (build / "config/options.h").read_text()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"SHA256=y\n", ".config:1: write CONFIG_SHA256=y: in a file symbols carry that prefix"),
        (b"\nhello\n", ".config:2: not understood: 'hello'"),
        (b"CONFIG_SHA256=y\n# CONFIG_SHA256 is not set\n", ".config:2: SHA256=n contradicts SHA256=y (.config:1)"),
        (b'CONFIG_SHA256="y\n', '.config:1: the string "y does not end where the line does'),
        (b"CONFIG_SHA256=y\n\xff\n", ".config:2: not UTF-8 text"),
        (b"#" * (2 << 20), ".config: more than 1048576 bytes: not a configuration"),
    ],
)
def test_configuration_that_is_wrong(project: Project, text: bytes, error: str) -> None:
    (project.folder / ".config").write_bytes(text)
    assert error in project.refused()


def test_configuration_that_is_no_file(project: Project) -> None:
    os.mkfifo(project.folder / ".config")
    assert project.refused() == ".config: not a regular file\n"
    (project.folder / ".config").unlink()
    (project.folder / ".config").mkdir()
    assert project.refused() == ".config: Is a directory\n"


def test_unknown_configuration(project: Project) -> None:
    assert "there is no configs/tinny.config; did you mean tiny?" in project.refused("--config=tinny")
    assert "-Dconfig=./none: there is no file " in project.refused("--config=./none")


def test_set_that_is_wrong(project: Project) -> None:
    assert "-Dset: 'SHA256' is not SYMBOL=value; several go into one: -Dset=A=y,B=n" in project.refused("--set=SHA256")
    assert "SHA256=n contradicts SHA256=y" in project.refused("--set=SHA256=y", "--set=SHA256=n")


# -- what cannot be had, and why


def test_wrong_architecture(project: Project) -> None:
    error = project.refused("--set=SHA512_ARM_NEON=y", target="ARM64")
    backend = project.line_of("digest/Kconfig", "config SHA512_ARM_NEON")
    probe = project.line_of("Kconfig", "config ISA_ARM_NEON")
    assert error == (
        "-Dset: SHA512_ARM_NEON=y cannot be had:\n"
        f"  SHA512_ARM_NEON ({backend}) depends on ISA_ARM_NEON, which is n\n"
        f"    ISA_ARM_NEON ({probe}) is for arm; the target is aarch64 (64-bit, little-endian)\n"
        "No change of the configuration gives it: remove SHA512_ARM_NEON=y from -Dset, "
        "or build for a target, and with tools, that have what is missing.\n"
    )


def test_assembler_that_refuses(project: Project) -> None:
    error = project.refused("--set=SHA512_ARM_NEON=y", target="ARM", no=("ISA_ARM_NEON",), cc=(refusing(project),))
    assert "is n: the assembler refuses probes/isa-arm-neon.S: probes/isa-arm-neon.S:3: Error: unknown" in error
    assert f"ISA_ARM_NEON ({project.line_of('Kconfig', 'config ISA_ARM_NEON')})" in error


def refusing(project: Project) -> str:
    """A compiler whose assembler knows no `.arch armv7-a`, on any machine."""
    path = project.folder / "cc"
    path.write_text("#!/bin/sh\necho \"probes/isa-arm-neon.S:3: Error: unknown architecture 'armv7-a'\" >&2\nexit 1\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "script", ["echo 'fatal error: error writing to x.s: No space left on device' >&2; exit 1", "kill -9 $$"]
)
def test_a_compiler_that_could_not_do_its_work(project: Project, script: str) -> None:
    """That is no answer of a probe: a build without the backend would look like success."""
    compiler = project.folder / "cc"
    compiler.write_text(f"#!/bin/sh\n{script}\n")
    compiler.chmod(0o755)
    for cc in (str(compiler), "/no/such/cc"):
        error = project.refused(target="ARM", no=("ISA_ARM_NEON",), cc=(cc,))
        assert error.startswith("probe ISA_ARM_NEON: the compiler could not do its work, which is no answer: ")
        assert "--clearcache" in error


def test_meson_and_the_compiler_disagree(project: Project) -> None:
    error = project.refused(target="ARM", no=("ISA_ARM_NEON",), cc=("true",))
    assert "probe ISA_ARM_NEON: Meson says that it fails, but this command succeeds: true -c" in error


def test_smallest_change_is_named(project: Project) -> None:
    error = project.refused("--set=SHA256=n", "--set=SHA256_GENERIC=y")
    where = project.line_of("digest/Kconfig", "menuconfig SHA256")
    assert f"SHA256 ({where}) is n (set in -Dset)" in error
    assert error.endswith(
        "To have it, also set SHA256=y instead of SHA256=n (-Dset); or remove SHA256_GENERIC=y from -Dset.\n"
    )
    generated(project, "--set=SHA256=y", "--set=SHA256_GENERIC=y")


def test_symbol_that_another_selects(project: Project) -> None:
    project.replace("digest/Kconfig", "config DIGEST\n\tbool\n", 'config DIGEST\n\tbool "digests"\n')
    error = project.refused("--set=DIGEST=n")
    assert "is selected by SHA256" in error
    assert error.endswith("To have it, also set SHA256=n, SHA512=n, SHA3=n; or remove DIGEST=n from -Dset.\n")


def test_algorithm_without_a_backend_for_every_cpu(project: Project) -> None:
    error = project.refused("--set=SHA256_GENERIC=n")
    assert "SHA256 (" in error
    assert "has no backend that runs on every CPU of the baseline" in error
    assert "needs ISA_ARM64_SHA2, which the baseline does not promise" in error
    assert error.endswith(
        "To mend it, set SHA256_GENERIC=y instead of SHA256_GENERIC=n (-Dset); "
        "or set BASELINE_ARM64_NEON=y; or set BASELINE_ARM64_SHA2=y; or set SHA256=n.\n"
    )
    generated(project, "--set=SHA256_GENERIC=n", "--set=BASELINE_ARM64_SHA2=y")


def test_unwritable_build_folder(project: Project) -> None:
    (project.folder / "build").touch()
    done = project.configure()
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
