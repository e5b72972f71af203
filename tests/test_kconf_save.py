"""The smallest configuration: that it is, that it gives the same values, and that its file is never half written."""

import multiprocessing
import os
import resource
import signal
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from armlet.kconf.errors import KconfError
from armlet.kconf.files import replace_file
from armlet.kconf.fill import at_random
from armlet.kconf.intent import Assignment, read_config
from armlet.kconf.save import destination, minimal, save, text
from armlet.kconf.tree import Tree, assign
from armlet.kconf.workspace import Workspace
from project import Project
from trees import made_up_tree, own_tree, resolved, values

pytestmark = pytest.mark.native

TARGETS = ("ARM", "ARM64", "X86_64")


def wanted(tree: Tree) -> list[str]:
    return [f"{assignment.symbol}={assignment.value}" for assignment in minimal(tree)]


# -- the smallest configuration


def test_what_has_its_default_is_left_out(tmp_path: Path) -> None:
    tree = made_up_tree(tmp_path)
    for name, value in {"A": "y", "B": "n", "E": "n", "LIMIT": "5", "NAME": "z"}.items():
        assign(tree.symbols[name], value)
    assert wanted(tree) == ["B=n", "NAME=z"]


def test_default_that_another_value_moves(tmp_path: Path) -> None:
    tree = made_up_tree(tmp_path)
    assign(tree.symbols["LIMIT"], "7")
    assert wanted(tree) == ["LIMIT=7"]
    assign(tree.symbols["MASK"], "0x30")
    assert wanted(tree) == ["LIMIT=7", "MASK=0x30"]


def test_value_that_is_hidden_is_left_out_and_kept_in_the_tree(tmp_path: Path) -> None:
    tree = made_up_tree(tmp_path)
    assign(tree.symbols["B"], "n")
    assign(tree.symbols["A"], "n")
    assert wanted(tree) == ["A=n"]
    assign(tree.symbols["A"], "y")
    assert values(tree)["B"] == "n"


def test_choices(tmp_path: Path) -> None:
    tree = made_up_tree(tmp_path)
    assign(tree.symbols["RED"], "y")
    assign(tree.symbols["SOUR"], "y")
    assert wanted(tree) == ["RED=y", "SOUR=y"]
    assign(tree.symbols["GREEN"], "y")
    assign(tree.symbols["SOUR"], "n")
    assert wanted(tree) == []


def test_tree_is_as_before(tmp_path: Path) -> None:
    tree = made_up_tree(tmp_path)
    at_random(tree, 3)
    users = [symbol.user_value for symbol in tree.symbols.values()]
    selections = [choice.user_selection for choice in tree.kconfig.unique_choices]
    before = values(tree)
    minimal(tree)
    assert values(tree) == before
    assert [symbol.user_value for symbol in tree.symbols.values()] == users
    assert [choice.user_selection for choice in tree.kconfig.unique_choices] == selections


@pytest.mark.parametrize("fact", TARGETS)
def test_round_trip_of_random_configurations(tmp_path: Path, fact: str) -> None:
    fresh = own_tree(fact)
    for seed in range(100):
        tree = own_tree(fact)
        at_random(tree, seed)
        fresh.kconfig.unset_values()
        assert written_and_read(tree, fresh, tmp_path) == values(tree), seed


def test_round_trip_and_smallness_in_an_awkward_tree(tmp_path: Path) -> None:
    fresh, other = made_up_tree(tmp_path), made_up_tree(tmp_path)
    for seed in range(100):
        tree = made_up_tree(tmp_path)
        at_random(tree, seed)
        fresh.kconfig.unset_values()
        assert written_and_read(tree, fresh, tmp_path) == values(tree), seed
        for assignment in minimal(tree):
            rest = [kept for kept in minimal(tree) if kept != assignment]
            assert values_with(other, rest) != values(tree), f"{seed}: {assignment} can be left out"


def written_and_read(tree: Tree, fresh: Tree, folder: Path) -> dict[str, str]:
    (folder / ".config").write_text(text(tree, minimal(tree), "# first line"))
    return resolved(fresh, read_config(str(folder / ".config"), ".config"))


def values_with(tree: Tree, layer: list[Assignment]) -> dict[str, str]:
    tree.kconfig.unset_values()
    for assignment in layer:
        assign(tree.symbols[assignment.symbol], assignment.value)
    return values(tree)


def test_file_says_what_each_block_is(tmp_path: Path) -> None:
    tree = made_up_tree(tmp_path)
    for name, value in {"A": "n", "RED": "y", "LIMIT": "7", "NAME": 'a "b" \\c'}.items():
        assign(tree.symbols[name], value)
    assert text(tree, minimal(tree), "# first line") == (
        '# first line\n\n# awkward\n# CONFIG_A is not set\n\n# Numbers\nCONFIG_LIMIT=7\nCONFIG_NAME="a \\"b\\" \\\\c"\n'
    )


def test_block_of_an_algorithm() -> None:
    tree = own_tree("ARM64")
    assign(tree.symbols["SHA256"], "n")
    assert text(tree, minimal(tree), "#").splitlines()[2:] == ["# SHA-224 and SHA-256", "# CONFIG_SHA256 is not set"]


# -- where it is saved


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Configure as asked, save with SHA3 off, and return what Meson is told."""
    told: list[str] = []
    monkeypatch.setattr(Workspace, "reconfigure", lambda _, *options: told.extend(options))
    project = Project(tmp_path)

    def run(*arguments: str) -> list[str]:
        assert project.configure(*arguments).returncode == 0
        workspace = Workspace(str(project.build))
        tree = workspace.resolution().tree
        assign(tree.symbols["SHA3"], "n")
        save(workspace, tree, "a test")
        return told

    return run


def test_dotconfig_by_default(saved: Callable[..., list[str]], tmp_path: Path) -> None:
    assert saved() == ["-Dconfig=[]", "-Dset=[]"]
    assert (tmp_path / ".config").read_text() == (
        "# armlet 0.1.0, written by a test; what is not here has its default\n\n"
        "# SHA-3 and SHAKE\n# CONFIG_SHA3 is not set\n"
    )


@pytest.mark.parametrize("names", [["full"], ["default"], ["configs/full.config"], ["mine.config", "full"]])
def test_dotconfig_instead_of_what_is_not_the_users(
    saved: Callable[..., list[str]], tmp_path: Path, names: list[str]
) -> None:
    (tmp_path / "mine.config").write_text("CONFIG_SHA256=y\n")
    before = (tmp_path / "configs/full.config").read_text()
    assert saved(*(f"--config={name}" for name in names)) == ["-Dconfig=['.config']", "-Dset=[]"]
    assert (tmp_path / ".config").exists()
    assert (tmp_path / "configs/full.config").read_text() == before
    assert (tmp_path / "mine.config").read_text() == "CONFIG_SHA256=y\n"


def test_file_of_the_users_own(saved: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "mine.config").write_text("# CONFIG_SHA512 is not set\n")
    assert saved("--config=mine.config") == ["-Dconfig=['mine.config']", "-Dset=[]"]
    lines = (tmp_path / "mine.config").read_text().splitlines()
    assert lines[0].startswith("# armlet 0.1.0, written by ")
    assert {"# CONFIG_SHA512 is not set", "# CONFIG_SHA3 is not set"} <= set(lines)
    assert (tmp_path / "mine.config.old").read_text() == "# CONFIG_SHA512 is not set\n"
    assert not (tmp_path / ".config").exists()


def test_entries_of_set_that_are_overridden(saved: Callable[..., list[str]], tmp_path: Path) -> None:
    assert saved("--set=SHA3=y", "--set=CONFIG_SHA512=n")[1] == "-Dset=['CONFIG_SHA512=n']"
    assert "# CONFIG_SHA512 is not set" in (tmp_path / ".config").read_text()


def test_destination_of_a_file_that_is_gone(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (tmp_path / "mine.config").touch()
    project.configure("--config=mine.config")
    (tmp_path / "mine.config").unlink()
    assert destination(Workspace(str(project.build))) == str(tmp_path / "mine.config")


# -- how it is written


def test_old_text_is_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / ".config"
    path.write_text("old\n")
    path.chmod(0o640)
    replace_file(str(path), "new\n", keep_old=True)
    assert (tmp_path / ".config.old").read_text() == "old\n"
    assert path.read_text() == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    replace_file(str(path), "new\n", keep_old=True)
    assert (tmp_path / ".config.old").read_text() == "old\n", "the same text again is no change"


def test_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("old\n")
    (tmp_path / ".config").symlink_to("mine")
    replace_file(str(tmp_path / ".config"), "new\n")
    assert (tmp_path / ".config").is_symlink()
    assert (tmp_path / "mine").read_text() == "new\n"


def in_a_child(work: Callable[[], object]) -> int:
    """Run WORK in a process of its own, and return how that ended."""
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join(60)
    assert process.exitcode is not None
    return process.exitcode


def test_disk_that_is_full_midway(tmp_path: Path) -> None:
    """A limit of file size stops the write after its first half, as a full disk does."""
    path = tmp_path / ".config"
    path.write_text("old\n")

    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        with pytest.raises(KconfError, match=r"\.config: cannot be written: File too large"):
            replace_file(str(path), "x" * 100_000)

    assert in_a_child(fill) == 0
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == [".config"], "nothing is left behind"


def test_process_that_is_killed_midway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".config"
    path.write_text("old\n")
    monkeypatch.setattr(os, "fsync", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    assert in_a_child(lambda: replace_file(str(path), "new\n")) == -signal.SIGKILL
    assert path.read_text() == "old\n"


def test_keyboard_interrupt_midway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / ".config"
    path.write_text("old\n")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(str(path), "new\n")
    assert os.listdir(tmp_path) == [".config"]
    assert path.read_text() == "old\n"


def test_read_only_tree() -> None:
    """For root no folder is read-only by its mode, so a process without its rights tries."""
    with tempfile.TemporaryDirectory() as folder:  # not tmp_path, which nobody else may enter
        path = Path(folder) / ".config"
        path.write_text("old\n")
        Path(folder).chmod(0o555)

        def write() -> None:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            with pytest.raises(KconfError) as error:
                replace_file(str(path), "new\n")
            assert str(error.value) == f"{path}: cannot be written: Permission denied"

        assert in_a_child(write) == 0
        Path(folder).chmod(0o755)
        assert path.read_text() == "old\n"


def test_two_saves_at_once_leave_one_of_both(tmp_path: Path) -> None:
    path = tmp_path / ".config"
    texts = ["a" * 300_000, "b" * 200_000]
    path.write_text(texts[0])

    def write(mine: str) -> None:
        for _ in range(50):
            replace_file(str(path), mine, keep_old=True)

    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=write, args=(mine,)) for mine in texts]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert path.read_text() in texts
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert (tmp_path / ".config.old").read_text() in texts
    assert sorted(os.listdir(tmp_path)) == [".config", ".config.old"]


@pytest.mark.parametrize("path", ["pipe", "/dev/null"])
def test_what_is_no_file_is_not_replaced(tmp_path: Path, path: str) -> None:
    """Nor read: a pipe without a writer would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KconfError, match="cannot be written: it is not a regular file"):
        replace_file(str(tmp_path / path), "text", keep_old=True)
