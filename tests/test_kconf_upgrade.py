"""Configurations of older versions: what was renamed, what is gone, what is new; and all errors at once."""

import json
from pathlib import Path

import pytest

from armlet.kconf.__main__ import main
from armlet.kconf.errors import KconfError
from armlet.kconf.upgrade import version_key, versions
from armlet.kconf.workspace import Workspace
from project import SOURCE, Project
from trees import own_tree

pytestmark = pytest.mark.native


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(Workspace, "reconfigure", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


def upgrade(project: Project, renames: str, config: str) -> None:
    (project.folder / "Kconfig.renames").write_text(renames)
    (project.folder / ".config").write_text(config)


# -- renamed and gone


def test_renamed_symbol_is_read_as_the_new_one(project: Project) -> None:
    upgrade(project, "# comment\n\nKECCAK renamed SHA3  # in 0.2\n", "# CONFIG_KECCAK is not set\n")
    done = project.configure("--set=KECCAK_TOO=n", "--set=SHA512=n")
    assert "there is no symbol KECCAK_TOO" in done.stderr
    done = project.configure()
    assert done.returncode == 0, done.stderr
    assert "Kconfig.renames" in done.stdout.splitlines(), "Meson watches it"
    assert "SHA3=" not in (project.build / "sources.config").read_text()
    assert main(["olddefconfig"]) == 0
    assert "# CONFIG_SHA3 is not set\n" in (project.folder / ".config").read_text()


def test_symbol_that_was_renamed_twice(project: Project) -> None:
    upgrade(project, "SPONGE renamed KECCAK\nKECCAK renamed SHA3\n", "# CONFIG_SPONGE is not set\n")
    assert project.configure().returncode == 0
    assert "SHA3=" not in (project.build / "sources.config").read_text()


def test_old_and_new_name_contradict(project: Project) -> None:
    upgrade(project, "KECCAK renamed SHA3\n", "# CONFIG_KECCAK is not set\nCONFIG_SHA3=y\n")
    assert project.refused() == ".config:2: SHA3=y contradicts SHA3=n (.config:1): remove one\n"


@pytest.mark.parametrize(
    ("renames", "error"),
    [
        ("SHA1 gone SHA256 SHA3", "is gone (Kconfig.renames:1): set SHA256 or SHA3 instead; remove SHA1=y"),
        ("SHA1 gone", "is gone (Kconfig.renames:1): nothing took its place; remove SHA1=y"),
        ("SHA1 renamed SHAONE\nSHAONE gone SHA256", "is gone (Kconfig.renames:2): set SHA256 instead; remove SHA1=y"),
    ],
)
def test_symbol_that_is_gone(project: Project, renames: str, error: str) -> None:
    upgrade(project, renames, "CONFIG_SHA256=y\nCONFIG_SHA1=y\n")
    assert project.refused() == f".config:2: the symbol SHA1 {error}\n"


def test_entry_of_set_with_an_old_name(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.folder / "Kconfig.renames").write_text("KECCAK renamed SHA3\n")
    told: list[str] = []
    monkeypatch.setattr(Workspace, "reconfigure", lambda _, *options: told.extend(options))
    assert project.configure("--set=KECCAK=n").returncode == 0
    assert main(["set", "SHA512=n"]) == 0
    assert told[1] == "-Dset=['KECCAK=n']"
    (project.folder / "Kconfig.renames").write_text("KECCAK gone SHA3\n")
    assert main(["alldefconfig"]) == 0
    assert told[3] == "-Dset=[]"


@pytest.mark.parametrize(
    ("renames", "error"),
    [
        ("A became B", "Kconfig.renames:1: not understood: write `OLD renamed NEW` or `OLD gone SUCCESSOR ...`"),
        ("A renamed", "Kconfig.renames:1: not understood"),
        ("A renamed SHA9", "Kconfig.renames:1: there is no symbol SHA9; did you mean SHA3"),
        ("A gone SHA3 SHA9", "Kconfig.renames:1: there is no symbol SHA9; did you mean SHA3"),
        ("SHA3 renamed SHA256", "Kconfig.renames:1: SHA3 is defined in Kconfig: remove the line"),
        ("A gone\n\nA gone", "Kconfig.renames:3: A is in Kconfig.renames:1 already: remove one"),
        ("A renamed B\nB renamed A", "A is renamed in a circle"),
    ],
)
def test_table_that_is_wrong(project: Project, renames: str, error: str) -> None:
    upgrade(project, renames, "")
    assert error in project.refused()


# -- new


def with_new_symbols(project: Project) -> None:
    """Let two symbols be new: one that can be set on this target, one that cannot, and an option."""
    project.replace("digest/Kconfig", "config SHA256_ARM64_CE\n", "config SHA256_ARM64_CE  # since 0.2\n")
    project.replace("digest/Kconfig", "config SHA512_ARM_NEON\n", "config SHA512_ARM_NEON  # since 0.2.0\n")
    project.replace("digest/Kconfig", "menuconfig SHA3\n", "menuconfig SHA3 # since 0.3.0rc1\n")


def test_what_is_new_since_the_version_that_wrote_the_file(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project.configure().returncode == 0
    assert main(["set", "SHA512=n"]) == 0
    with_new_symbols(project)
    capsys.readouterr()
    assert main(["listnewconfig"]) == 0
    assert capsys.readouterr().out == "CONFIG_SHA256_ARM64_CE=y\nCONFIG_SHA3=y\n"
    assert main(["listnewconfig", "--since=0.2.0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "SHA3": {"value": True, "since": "0.3.0rc1", "prompt": "SHA-3 and SHAKE"}
    }
    (project.folder / ".config").write_text((project.folder / ".config").read_text() + "# CONFIG_SHA3 is not set\n")
    assert main(["listnewconfig"]) == 0
    assert capsys.readouterr().out == "CONFIG_SHA256_ARM64_CE=y\n", "the file decides about SHA3 already"


def test_olddefconfig_makes_what_was_new_old(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    with_new_symbols(project)
    assert project.configure().returncode == 0
    (project.folder / ".config").write_text("# armlet 0.0.9, written by menuconfig; what is not here has its default\n")
    assert main(["listnewconfig"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    record = project.build / "kconf.json"
    record.write_text(record.read_text().replace('"version": "0.1.0"', '"version": "0.3.0"'))
    assert main(["olddefconfig"]) == 0
    capsys.readouterr()
    assert main(["listnewconfig"]) == 0
    assert capsys.readouterr().out == ""


def test_file_that_does_not_say_its_version(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.configure().returncode == 0
    (project.folder / ".config").write_text("# CONFIG_SHA3 is not set\n")
    assert main(["listnewconfig"]) == 1
    assert capsys.readouterr().err == ".config does not say which version wrote it: give --since VERSION\n"
    assert main(["listnewconfig", "--since=new"]) == 1
    assert "'new' is no version: write numbers, as 1.2.0" in capsys.readouterr().err


def test_version_that_is_none(project: Project) -> None:
    line = project.replace("digest/Kconfig", "config SHA256_ARM64_CE\n", "config SHA256_ARM64_CE # since then\n")
    with pytest.raises(KconfError, match=f"digest/Kconfig:{line}: 'then' is no version: write `# since 1.2.0`"):
        versions(own_tree("ARM64", project.folder))


def test_versions_compare_by_their_numbers() -> None:
    assert version_key("0.9") < version_key("0.10.0")
    assert version_key("1") == version_key("1.0.0") == version_key("1.0rc1")


def test_no_symbol_comes_from_the_future() -> None:
    text = (SOURCE / "meson.build").read_text()
    current = text.partition("version: '")[2].partition("'")[0]
    assert all(version_key(version) <= version_key(current) for version in versions(own_tree("ARM64")).values())


# -- a build folder older than the source


def test_build_folder_is_set_up_anew_after_an_upgrade(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert project.kconf("set", "SHA512=n").returncode == 0
    project.replace("meson.build", "version: '0.1.0'", "version: '0.2.0'")
    project.replace("digest/Kconfig", "menuconfig SHA3\n", "menuconfig SHA3  # since 0.2.0\n")
    (tmp_path / "Kconfig.renames").write_text("OLD gone SHA3\n")
    path = tmp_path / ".config"
    path.write_text(path.read_text() + "CONFIG_OLD=y\n")
    done = project.kconf("listnewconfig")
    assert done.stderr == ".config:5: the symbol OLD is gone (Kconfig.renames:1): set SHA3 instead; remove OLD=y\n"
    path.write_text(path.read_text().replace("CONFIG_OLD=y\n", ""))
    assert project.kconf("listnewconfig").stdout == "CONFIG_SHA3=y\n"
    assert project.kconf("olddefconfig").returncode == 0
    assert path.read_text().startswith("# armlet 0.2.0, written by olddefconfig;")
    assert project.kconf("listnewconfig").stdout == ""


# -- all errors at once


def test_all_errors_of_a_configuration(project: Project) -> None:
    (project.folder / "digest/sha512-arm-vfp.S").touch()
    upgrade(
        project,
        "SHA1 gone SHA256\n",
        "hello\nCONFIG_SHA9=y\nCONFIG_SHA1=y\nCONFIG_SHA3=m\nCONFIG_ARM=y\nCONFIG_SHA512=y\n"
        "# CONFIG_SHA512 is not set\nCONFIG_SELECT_BY_ORDER=y\nCONFIG_SELECT_BY_MEASUREMENT=y\n"
        "# CONFIG_SHA256_GENERIC is not set\n",
    )
    found = project.refused("--keep-going", "--config=.config", "--config=none", "--set=X", "--set=SHA512_ARM_NEON=y")
    starts = [
        "digest/sha512-arm-vfp.S: no Kconfig entry names it",
        "-Dconfig=none: there is no configs/none.config",
        ".config:1: not understood: 'hello'",
        "-Dset: 'X' is not SYMBOL=value",
        ".config:3: the symbol SHA1 is gone",
        ".config:7: SHA512=n contradicts SHA512=y (.config:6)",
        ".config:9: SELECT_BY_MEASUREMENT=y would lose SELECT_BY_ORDER=y",
        ".config:2: there is no symbol SHA9",
        ".config:4: SHA3=m: SHA3 (digest/Kconfig:",
        ".config:5: ARM (armlet/kconf/Kconfig:5) cannot be set: it is a fact of the target",
        "-Dset: SHA512_ARM_NEON=y cannot be had:",
        "SHA256 (digest/Kconfig:8) has no backend that runs on every CPU",
    ]
    paragraphs = found.split("\n\n")
    assert [next((start for start in starts if p.startswith(start)), p) for p in paragraphs] == starts
    assert project.refused("--config=.config").startswith(starts[0]), "without it, the first alone"


def test_keep_going_with_nothing_wrong(project: Project) -> None:
    assert project.configure("--keep-going").returncode == 0
