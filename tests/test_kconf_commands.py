"""The commands that write a configuration and those that list one."""

import gc
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kconfiglib
import pytest

from armlet.kconf.__main__ import main
from armlet.kconf.errors import KconfError
from armlet.kconf.fill import all_no, all_yes, at_random
from armlet.kconf.intent import find_config, read_config
from armlet.kconf.save import minimal, text
from armlet.kconf.tree import Tree, assign
from armlet.kconf.workspace import Workspace
from project import FAMILIES, SOURCE, Project
from trees import made_up_tree, own_tree, resolved, values

pytestmark = pytest.mark.native

TARGETS = tuple(FAMILIES)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A build folder for arm64, as Meson leaves it, in which commands run without Meson."""
    project = Project(tmp_path)
    assert project.configure().returncode == 0
    monkeypatch.setattr(Workspace, "reconfigure", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    return project


def config(project: Project) -> list[str]:
    """Return what .config sets."""
    lines = (project.folder / ".config").read_text().splitlines()
    return [line for line in lines if "CONFIG_" in line]


# -- everything, nothing, and anything


@pytest.mark.parametrize("fact", TARGETS)
def test_200_random_configurations_resolve_without_a_warning(fact: str) -> None:
    fresh, seen = own_tree(fact), set()
    for seed in range(200):
        tree = own_tree(fact)
        at_random(tree, seed)
        assert not tree.kconfig.warnings
        fresh.kconfig.unset_values()
        assert resolved(fresh, minimal(tree)) == values(tree)
        seen.add(str(values(tree)))
    assert len(seen) > 100


def test_random_configurations_of_an_awkward_tree(tmp_path: Path) -> None:
    fresh, on = made_up_tree(tmp_path), {}
    for seed in range(200):
        tree = made_up_tree(tmp_path)
        at_random(tree, seed)
        fresh.kconfig.unset_values()
        on.update(dict.fromkeys(resolved(fresh, minimal(tree)).items(), seed))
    never = [
        name for name in ("A", "B", "C", "D", "E", "RED", "GREEN", "BLUE", "SWEET", "SOUR") if (name, "y") not in on
    ]
    assert not never
    assert {("LIMIT", "8"), ("LIMIT", "2")} <= set(on), "numbers are taken from the range that is in force"


def test_a_seed_gives_the_same_configuration() -> None:
    trees = [own_tree("ARM64") for _ in range(2)]
    for tree in trees:
        at_random(tree, 7)
    assert values(trees[0]) == values(trees[1])


@pytest.mark.parametrize("fact", TARGETS)
def test_everything(fact: str) -> None:
    tree = own_tree(fact)
    all_yes(tree)
    got = resolved(own_tree(fact), minimal(tree))
    assert all(got[a.symbol.name] == "y" for a in tree.algorithms)
    assert all(got[b.symbol.name] == "y" for b in tree.backends if b.symbol.visibility)


@pytest.mark.parametrize("fact", TARGETS)
def test_nothing(fact: str) -> None:
    tree = own_tree(fact)
    all_no(tree)
    got = resolved(own_tree(fact), minimal(tree))
    assert not any(got[name] == "y" for name in tree.sources())


@pytest.mark.parametrize("fill", [all_yes, all_no])
def test_everything_and_nothing_of_an_awkward_tree(tmp_path: Path, fill: Callable[[Tree], None]) -> None:
    tree = made_up_tree(tmp_path)
    fill(tree)
    assert resolved(made_up_tree(tmp_path), minimal(tree)) == values(tree)


SELECT_OF_WHAT_CANNOT_BE = """
config WANTS
	bool "wants"
	select CANNOT

config CANNOT
	bool
	depends on NEVER

config NEVER
	bool

config SILENT
	def_bool y if WANTS_TOO
	select CANNOT

config WANTS_TOO
	bool "wants, by way of another"
"""


def test_a_select_that_cannot_be_is_not_made(tmp_path: Path) -> None:
    tree = made_up_tree(tmp_path, made_up_facts() + SELECT_OF_WHAT_CANNOT_BE)
    all_yes(tree)
    assert (values(tree)["WANTS"], values(tree)["WANTS_TOO"]) == ("n", "n")


def test_a_tree_that_no_configuration_resolves(tmp_path: Path) -> None:
    always = SELECT_OF_WHAT_CANNOT_BE.replace("def_bool y if WANTS_TOO", "def_bool y")
    with pytest.raises(KconfError, match="found no configuration that resolves: CANNOT cannot be put right"):
        all_no(made_up_tree(tmp_path, made_up_facts() + always))


def made_up_facts() -> str:
    return "".join(
        f"config {fact}\n\tdef_bool $({fact})\n\n" for fact in ("ARM", "ARM64", "X86_64", "WORD_64", "LITTLE_ENDIAN")
    )


# -- the configurations that come with the tree


def shipped(name: str, fact: str) -> Tree:
    tree = own_tree(fact)
    resolved(tree, read_config(find_config(str(SOURCE), name, "test"), name))
    return tree


def built(tree: Tree) -> set[str]:
    return {name for name in tree.sources() if tree.is_on(name)}


@pytest.mark.parametrize("fact", TARGETS)
def test_tiny_has_one_algorithm(fact: str) -> None:
    assert built(shipped("tiny", fact)) == {"DIGEST", "SHA256", "SHA256_GENERIC"}


@pytest.mark.parametrize(("name", "fact"), [*(("generic", fact) for fact in TARGETS), ("armv6", "ARM")])
def test_generic_is_portable_c(name: str, fact: str) -> None:
    tree = shipped(name, fact)
    others = [b.symbol.name for b in tree.backends if tree.is_on(b.symbol.name) and b.name != "generic"]
    assert not others, f"configs/{name}.config must switch them off"
    assert all(tree.is_on(algorithm.symbol.name) for algorithm in tree.algorithms)


@pytest.mark.parametrize("fact", TARGETS)
def test_full_is_everything_that_can_be_without_a_promise(fact: str) -> None:
    tree = shipped("full", fact)
    assert all(tree.is_on(algorithm.symbol.name) for algorithm in tree.algorithms)
    assert all(tree.is_on(b.symbol.name) for b in tree.backends if b.symbol.visibility)
    assert not tree.baseline()


def test_baselines() -> None:
    assert shipped("armv7-neon", "ARM").baseline() == ["ISA_ARM_NEON"]
    assert shipped("arm64", "ARM64").baseline() == ["ISA_ARM64_NEON"]
    assert shipped("arm64-crypto", "ARM64").baseline() == ["ISA_ARM64_NEON", "ISA_ARM64_SHA2"]


# -- commands that write


def test_set(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["set", "SHA3=n", "CONFIG_SELECT_BY_ORDER=y"]) == 0
    assert capsys.readouterr().out == ".config: 2 symbols with other values than the defaults\n"
    assert config(project) == ["CONFIG_SELECT_BY_ORDER=y", "# CONFIG_SHA3 is not set"]
    assert main(["set", "SHA3=y", "-C", "build"]) == 0
    assert config(project) == ["CONFIG_SELECT_BY_ORDER=y"]


def test_set_says_what_is_lost_by_it(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    (project.folder / ".config").write_text("CONFIG_SHA256_ARM64_CE=y\n")
    assert main(["set", "SHA256=n"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("Dropped: .config:1: SHA256_ARM64_CE=y cannot be had:\n  SHA256_ARM64_CE (")
    assert "remove" not in said
    assert said.endswith("The file as it was stays beside it, in .old: another target may have what was dropped.\n")
    assert config(project) == ["# CONFIG_SHA256 is not set"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["SHA512_ARM_NEON=y"], "the command line: SHA512_ARM_NEON=y cannot be had:\n  SHA512_ARM_NEON (digest/"),
        (["SHA9=y"], "the command line: there is no symbol SHA9; did you mean"),
        (["SHA3"], "the command line: 'SHA3' is not SYMBOL=value\n"),
        (["SHA256_GENERIC=n"], "SHA256 (digest/Kconfig:8) has no backend that runs on every CPU of the baseline"),
    ],
)
def test_set_what_cannot_be(project: Project, capsys: pytest.CaptureFixture[str], words: list[str], error: str) -> None:
    assert main(["set", *words]) == 1
    assert capsys.readouterr().err.startswith(error)
    assert not (project.folder / ".config").exists()


@pytest.mark.usefixtures("project")
def test_set_reports_every_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["set", "SHA9=y", "SHA512_ARM_NEON=y"]) == 1
    assert len(capsys.readouterr().err.split("\n\n")) == 2


def test_defconfig(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["defconfig", "tiny"]) == 0
    assert (project.folder / ".config").read_text().startswith("# armlet 0.1.0, written by defconfig tiny;")
    assert "# CONFIG_SHA3 is not set" in config(project)
    assert main(["defconfig", "./configs/full.config"]) == 0
    assert config(project) == []
    assert main(["defconfig", "tinny"]) == 1
    assert capsys.readouterr().err.startswith("defconfig tinny: there is no configs/tinny.config; did you mean tiny?")


def test_defconfig_of_another_target(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["defconfig", "armv7-neon"]) == 1
    assert "BASELINE_ARM_NEON=y cannot be had" in capsys.readouterr().err
    assert not (project.folder / ".config").exists()


def test_olddefconfig_drops_what_cannot_be_had(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    (project.folder / ".config").write_text("CONFIG_SHA512_ARM_NEON=y\n# CONFIG_SHA3 is not set\n")
    assert main(["olddefconfig"]) == 0
    assert capsys.readouterr().err.startswith("Dropped: .config:1: SHA512_ARM_NEON=y cannot be had:")
    assert config(project) == ["# CONFIG_SHA3 is not set"]


def test_olddefconfig_does_not_drop_what_it_does_not_know(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    (project.folder / ".config").write_text("CONFIG_SHA9=y\n")
    assert main(["olddefconfig"]) == 1
    assert ".config:1: there is no symbol SHA9" in capsys.readouterr().err
    assert (project.folder / ".config").read_text() == "CONFIG_SHA9=y\n"


@pytest.mark.parametrize(
    "command", ["allyesconfig", "allnoconfig", "alldefconfig", "randconfig --seed 4", "randconfig"]
)
def test_whole_configurations(project: Project, command: str) -> None:
    assert main(command.split()) == 0
    assert f", written by {command}" in (project.folder / ".config").read_text().splitlines()[0]
    assert project.configure().returncode == 0
    assert ("# CONFIG_SHA256 is not set" in config(project)) == (command == "allnoconfig") or "rand" in command
    assert ("CONFIG_BASELINE_ARM64_SHA3=y" in config(project)) == (command == "allyesconfig") or "rand" in command


def test_savedefconfig(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    (project.folder / ".config").write_text("CONFIG_SHA256=y\n# CONFIG_SHA3 is not set\n")
    assert main(["savedefconfig"]) == 0
    saved = (project.folder / "defconfig").read_text()
    assert saved == (
        "# armlet 0.1.0, written by savedefconfig; what is not here has its default\n\n"
        "# SHA-3 and SHAKE\n# CONFIG_SHA3 is not set\n"
    )
    capsys.readouterr()
    assert main(["savedefconfig", "-"]) == 0
    assert capsys.readouterr().out == saved
    assert (project.folder / ".config").read_text().startswith("CONFIG_SHA256=y\n"), "it changes nothing"


def test_a_wrong_command_line_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["sett", "SHA3=n"], ["set"], ["set", "--target=x", "-C", "y", "A=y"], []):
        with pytest.raises(SystemExit) as done:
            main(words)
        assert done.value.code == 2
    assert "olddefconfig" in capsys.readouterr().err


# -- commands that list


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, dict[str, object]]:
    assert main([*words, "--json"]) == 0
    rows: dict[str, dict[str, object]] = json.loads(capsys.readouterr().out)
    return rows


def test_list(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    (project.folder / ".config").write_text("# comment\nCONFIG_SELECT_BY_ORDER=y\n# CONFIG_SHA3 is not set\n")
    rows = listed(capsys, "list")
    origins = {name: row["origin"] for name, row in rows.items()}
    assert origins["ARM64"] == "target"
    assert origins["ISA_ARM64_SHA2"] == "probe"
    assert origins["DIGEST"] == "selected by SHA256, SHA512"
    assert origins["SELECT_BY_ORDER"] == origins["SELECT_BY_MEASUREMENT"] == ".config:2"
    assert origins["SHA3"] == ".config:3"
    assert origins["SHA256"] == "default"
    assert rows["SHA3"] == {
        "value": False,
        "origin": ".config:3",
        "prompt": "SHA-3 and SHAKE",
        "location": project.line_of("digest/Kconfig", "menuconfig SHA3"),
        "since": None,
    }
    assert main(["list"]) == 0
    lines = [line.split(maxsplit=3) for line in capsys.readouterr().out.splitlines()]
    assert ["SHA3", "n", ".config:3", "SHA-3 and SHAKE"] in lines
    assert len(lines) == len(rows)


def test_list_says_what_is_implied(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.replace("digest/Kconfig", "\tselect DIGEST\n", "\tselect DIGEST\n\timply EXTRA\n")
    project.replace("Kconfig", 'source "digest', 'config EXTRA\n\tbool "extra"\n\nsource "digest')
    assert listed(capsys, "list")["EXTRA"]["origin"] == "implied by SHA256"


def test_probes(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.configure(no=("ISA_ARM64_SHA512",), cc=("false",))
    rows = listed(capsys, "probes")
    assert rows["ISA_ARM64_SHA2"]["argv"] == ["false", "-c", "probes/isa-arm64-sha2.S", "-o", "/dev/null"]
    assert rows["CC_ARM64_SHA2"]["argv"][1] == "-march=armv8-a+crypto"  # type: ignore[index]
    assert (rows["ISA_ARM_NEON"]["answer"], rows["ISA_ARM_NEON"]["argv"]) == ("n/a", [])
    assert rows["ISA_ARM64_SHA512"]["words"] == "it says nothing"
    assert main(["probes"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "ISA_ARM_NEON n/a asked of ARM targets only" in lines
    at = lines.index("ISA_ARM64_SHA512 no false -c probes/isa-arm64-sha512.S -o /dev/null")
    assert lines[at + 1] == "it says nothing"


# -- diff


@pytest.fixture
def two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".config.old").write_text("CONFIG_B=y\nCONFIG_A=1\nCONFIG_SAME=y\n# CONFIG_C is not set\n")
    Path(".config").write_text('CONFIG_NEW="text"\nCONFIG_A=2\nCONFIG_C=y\nCONFIG_SAME=y\n')


@pytest.mark.usefixtures("two_files")
@pytest.mark.parametrize("words", [[], [".config.old", ".config"]])
def test_diff(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["diff", *words]) == 0
    assert capsys.readouterr().out == "-B y\n A 1 -> 2\n C n -> y\n+NEW text\n"


@pytest.mark.usefixtures("two_files")
def test_diff_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "removed": {"B": "y"},
        "changed": {"A": ["1", "2"], "C": ["n", "y"]},
        "added": {"NEW": "text"},
    }


def test_diff_of_what_configurations_come_to(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "full", "generic", "--resolved"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert " BACKENDS_ALL y -> n" in lines
    assert " SHA256_ARM64_CE y -> n" in lines
    assert project.build.exists()


# -- with Meson


def sources(project: Project) -> dict[str, str]:
    lines = (project.build / "sources.config").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def succeeds(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr


def test_from_a_broken_configuration_to_a_build(tmp_path: Path) -> None:
    """No build folder, a .config that cannot be had: olddefconfig mends it, and the next compile builds the change."""
    project = Project(tmp_path)
    (tmp_path / ".config").write_text("CONFIG_SHA9=y\n# CONFIG_SHA512 is not set\n")
    refused = project.kconf("olddefconfig")
    assert (refused.returncode, refused.stderr.splitlines()[0][:34]) == (1, ".config:1: there is no symbol SHA9")
    assert project.compile().returncode != 0, "it builds no configuration that nobody asked for"
    (tmp_path / ".config").write_text(
        "# CONFIG_SHA512 is not set\nCONFIG_SHA256_ARM64_CE=y\nCONFIG_SHA512_ARM_NEON=y\n"
    )
    succeeds(project.kconf("olddefconfig"))
    assert "SHA512" not in sources(project)
    succeeds(project.kconf("set", "SHA256=n", "SHA3=n", "SPECK128_XTS=n"))
    succeeds(project.compile())
    objects = {path.name for path in project.build.rglob("*.o")}
    assert any("speck64" in name for name in objects)
    assert not any("sha" in name or "speck128" in name for name in objects)


def test_commands_take_turns(tmp_path: Path) -> None:
    project = Project(tmp_path)
    succeeds(project.meson())
    with ThreadPoolExecutor(2) as pool:
        for done in pool.map(lambda name: project.kconf("set", f"{name}=n"), ["SHA256", "SHA512"]):
            succeeds(done)
    assert config(project) == ["# CONFIG_SHA256 is not set", "# CONFIG_SHA512 is not set"]
    assert not {"SHA256", "SHA512"} & set(sources(project))


def test_everything_and_nothing_and_each_algorithm_alone_build(tmp_path: Path) -> None:
    project = Project(tmp_path)
    succeeds(project.meson("-Doptimization=0"))
    succeeds(project.kconf("allyesconfig"))
    succeeds(project.compile())
    tree = own_tree("X86_64")
    for algorithm in [None, *tree.algorithms]:
        all_no(tree)
        if algorithm:
            for symbol in (algorithm.symbol, algorithm.backends[-1].symbol):
                assign(symbol, "y")
        (tmp_path / ".config").write_text(text(tree, minimal(tree), "# made by a test"))
        succeeds(project.compile())


def test_meson_reports_every_error(tmp_path: Path) -> None:
    project = Project(tmp_path)
    done = project.meson("-Dset=SHA9=y,SHA512_ARM_NOON=y", "-Dkeep_going=true")
    assert done.returncode == 1
    assert "there is no symbol SHA9" in done.stdout
    assert "there is no symbol SHA512_ARM_NOON" in done.stdout


# -- whatever the command


@pytest.mark.parametrize("command", [["-m", "armlet.kconf"], ["src/armlet/kconf/__main__.py"]])
def test_output_that_cannot_be_written(tmp_path: Path, command: list[str]) -> None:
    Project(tmp_path)
    command = [sys.executable, *command, "targets"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "armlet: [Errno 28] No space left on device\n")
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "")


def test_kconf_brings_what_its_commands_run() -> None:
    extras = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {"kconfiglib", "meson", "ninja"} <= {re.split("[^a-z]", need)[0] for need in extras["kconf"]}


def test_nobody_looks_for_garbage_while_a_tree_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    load = kconfiglib.Kconfig

    def look(*arguments: object, **settings: object) -> object:
        looked.append(gc.isenabled())
        return load(*arguments, **settings)

    monkeypatch.setattr(kconfiglib, "Kconfig", look)
    made_up_tree(tmp_path)
    assert looked == [False]
    assert gc.isenabled()
    monkeypatch.setattr(kconfiglib, "Kconfig", lambda *_, **__: load("there is none"))
    with pytest.raises(KconfError, match="there is none"):
        made_up_tree(tmp_path)
    assert gc.isenabled(), "as it was, whatever happens"


def test_diff_of_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KconfError, match=r"diff: there is no file .*/\.config\.old$"):
        find_config(str(tmp_path), ".config.old", "diff")
