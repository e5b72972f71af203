"""`armlet wheel` as a person meets it: what it refuses, what it shows meanwhile, and what an interruption leaves."""

import argparse
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from project import SOURCE, Project, armlet
from terminal import terminal

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("ziglang", "auditwheel", "capstone", "abi3info")),
        reason="armlet[wheel] is not installed",
    ),
]

from armlet.kconf.errors import KconfError  # noqa: E402
from armlet.kconf.wheel.command import build_tag, require_writable  # noqa: E402
from armlet.kconf.wheel.order import said_by_system  # noqa: E402
from armlet.kconf.wheel.tries import summary  # noqa: E402

CROSS_FILE = """\
[binaries]
c = {c}
ar = {ar}
[host_machine]
system = 'linux'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = 'little'
[properties]
wheel_platform = {platform}
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source tree in which nothing is built."""
    folder = tmp_path_factory.mktemp("tree")
    Project(folder)
    (folder / "file").touch()
    (folder / "linux-arm64.ini").write_text((folder / "targets/linux-armv7.ini").read_text())
    (folder / "again.ini").write_text((folder / "targets/linux-arm64.ini").read_text())
    (folder / "bytes.ini").write_bytes(bytes(range(128, 256)))
    good = {"c": "'cc'", "ar": "'ar'", "platform": "'linux_x86_64'"}
    for name, own in {
        "no-compiler": {"c": "'no-such-cc'"},
        "no-archiver": {"ar": "'no-such-ar'"},
        "number": {"c": "5"},
        "numbers": {"platform": "5"},
        "platform": {"platform": "'win_arm64'"},
    }.items():
        (folder / f"{name}.ini").write_text(CROSS_FILE.format(**{**good, **own}))
    whole = CROSS_FILE.format(**good)
    for name, text in {
        "options": f"{whole}[built-in options]\nc_args = 5\n",
        "mixed": f"{whole}[built-in options]\nc_args = [1, true]\n",
        "endian": whole.replace("'little'", "'middle'"),
        "system": whole.replace("'linux'", "'plan9'"),
        "path": whole.replace("'linux_x86_64'", "'linux_../../x'"),
        "digits": whole.replace("'linux_x86_64'", f"'manylinux_2_{'1' * 5000}_x86_64'"),
    }.items():
        (folder / f"{name}.ini").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        ("--target linux-arm65", 1, "there is no targets/linux-arm65.ini; did you mean "),
        ("--target some/where", 1, "--target some/where: there is no such file"),
        ("--target ../../etc/passwd", 1, "there is no such file"),
        ("--target bytes.ini", 1, "bytes.ini"),
        ("--target number.ini", 1, "number.ini: c = 5: a text in quotes is wanted"),
        ("--target numbers.ini", 1, "numbers.ini: wheel_platform = 5: a text in quotes is wanted"),
        ("--target platform.ini", 1, "platform.ini: wheel_platform: win_arm64 is no platform of which wheels can be"),
        ("--target options.ini", 1, "options.ini: c_args = 5: a text in quotes is wanted"),
        ("--target mixed.ini", 1, "mixed.ini: "),
        ("--target endian.ini", 1, "endian.ini: endian = 'middle': 'little' or 'big' is wanted"),
        ("--target system.ini", 1, "wheels of linux_x86_64 are for system = 'linux', not 'plan9'"),
        ("--target path.ini", 1, "path.ini: wheel_platform: linux_../../x is no platform"),
        ("--target digits.ini", 1, "_x86_64 is no platform of which wheels can be checked"),
        ("--target linux-arm64 --out=", 2, "argument --out: it is empty"),
        ("--target no-compiler.ini", 1, "no-such-cc not found, of its [binaries]"),
        ("--target no-archiver.ini", 1, "no-such-ar not found, of its [binaries]"),
        ("--target linux-arm64 --target linux-arm64.ini", 1, "have the same name, linux-arm64"),
        ("--target linux-arm64 --target again.ini", 1, "have the same platform, manylinux_2_17_aarch64"),
        ("--target linux-arm64 --out file", 1, "file is no folder"),
        ("--target linux-arm64 --out file/below", 1, "file is no folder"),
        ("--target linux-arm64 --build-tag ../x", 1, "--build-tag ../x: a digit, then"),
        ("--target linux-arm64 --config=", 2, "argument --config: it is empty"),
        ("--target linux-arm64 --jobs 0", 2, "argument --jobs: '0' is not a number from 1 on"),
        ("--target linux-arm64 --all", 2, "not allowed with argument"),
    ],
)
def test_refused_at_once(tree: Path, words: str, status: int, complaint: str) -> None:
    done = armlet(tree, "wheel", *words.split())
    assert done.returncode == status
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tree / "build").exists()


@pytest.mark.parametrize("seconds", ["-1", "soon", "4354819200", "1" * 5000])
def test_times_that_no_wheel_can_have(tree: Path, seconds: str) -> None:
    done = armlet(tree, "wheel", "--target", "linux-arm64", SOURCE_DATE_EPOCH=seconds)
    assert done.returncode == 1
    assert done.stderr.startswith(f"SOURCE_DATE_EPOCH={seconds}: ")


def test_a_folder_that_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # for root, only a file system can be read-only
    with pytest.raises(KconfError, match=f"--out {tmp_path}/out: {tmp_path} cannot be written to"):
        require_writable(str(tmp_path / "out"))


def test_configurations_that_there_are_not(tmp_path: Path) -> None:
    Project(tmp_path)
    done = armlet(tmp_path, "wheel", "--target", "linux-arm64", "--config", "nowhere", "--set", "SHA9=y")
    assert done.returncode == 1
    assert "there is no configs/nowhere.config" in done.stderr
    assert not (tmp_path / "dist").exists()


# Files that cannot be written whole, as on a full disk: a limit on their size has the same effect.
SMALL_FILES = """\
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
{}
"""


def test_no_room_for_what_is_made_on_the_way(tree: Path) -> None:
    code = SMALL_FILES.format("runpy.run_module('armlet.kconf', run_name='__main__', alter_sys=True)")
    command = [sys.executable, "-c", code, "wheel", "--target", "linux-arm64"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE / "src")}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("File too large: ")
    assert done.stderr.endswith("(TMPDIR names another place for what is made on the way)\n")
    assert done.stderr.count("\n") == 1


def test_no_room_for_the_wheel(tmp_path: Path) -> None:
    (tmp_path / "x.whl").write_bytes(bytes(30_000))
    code = SMALL_FILES.format("from armlet.kconf.wheel.order import deliver; deliver('x.whl', 'out')")
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE / "src")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "File too large" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []


def test_what_the_system_says() -> None:
    assert said_by_system(OSError(28, "No space left on device", "a", None, "b")) == "No space left on device: b"
    several = shutil.Error([("a", "b", "[Errno 28] No space left on device: 'a' -> 'b'")])
    assert said_by_system(several) == "No space left on device: b"


def test_where_it_was_tried_in_short() -> None:
    tried = [f"Python {version} on {cpu}" for version in ("3.11", "3.13") for cpu in ("cortex-a8", "cortex-a15")]
    assert summary(tried) == "Python 3.11, 3.13 on cortex-a8, cortex-a15"
    assert summary(["Python 3.11 here"]) == "Python 3.11 here"
    assert summary([]) == ""


def test_one_fails_and_the_others_go_on(tmp_path: Path) -> None:
    """And with -v the compilers are heard."""
    project = Project(tmp_path)
    project.replace("src/armlet/_core.c", "#include", "#ifdef __arm__\n#error no such machine\n#endif\n#include")
    targets = ["--target", "linux-armv7", "--target", "linux-x86_64"]
    done = armlet(tmp_path, "wheel", *targets, "--config", "tiny", "-v")
    assert done.returncode == 1
    (wheel,) = (tmp_path / "dist").iterdir()
    assert "x86_64" in wheel.name
    (log,) = (tmp_path / "build/wheel").iterdir()
    assert "no such machine" in log.read_text()
    (line,) = [line for line in done.stderr.splitlines() if " s  FAILED: " in line]
    assert "no such machine" in line
    assert f"(log: {log.relative_to(tmp_path)})" in line
    assert "\nlinux-x86_64: [1/" in done.stderr
    assert "\nlinux-armv7: $ " not in done.stderr


@pytest.fixture
def tiny_wheel() -> list[str]:
    """The command for a small wheel of this machine's own kind."""
    return [sys.executable, "-m", "armlet.kconf", "wheel", "--target", "linux-x86_64", "--config", "tiny"]


@pytest.fixture
def workplace(tmp_path: Path) -> tuple[Path, Path]:
    """A source tree, and the folder for what is made on the way."""
    project, scratch = tmp_path / "tree", tmp_path / "scratch"
    project.mkdir()
    scratch.mkdir()
    Project(project)
    return project, scratch


def assert_nothing_is_left(project: Path, scratch: Path) -> None:
    """Neither wheel nor part of one, nor what was made on the way, nor a process that makes more."""
    assert not (project / "dist").exists()
    assert list(scratch.iterdir()) == []
    running = [_content(file) for file in Path("/proc").glob("[0-9]*/cmdline")]
    assert [command for command in running if f"{scratch}/wheel-".encode() in command] == []


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it has ended
        return b""


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_bar_on_a_terminal_and_ctrl_c(workplace: tuple[Path, Path], tiny_wheel: list[str], tmp_path: Path) -> None:
    project, scratch = workplace
    environment: dict[str, str | None] = {"PYTHONPATH": str(SOURCE / "src"), "TMPDIR": str(scratch)}
    command = ["env", "-C", str(project), *tiny_wheel]
    with terminal(tmp_path, command, environment) as window:
        window.wait_for("[....................] 0 of 1  linux-x86_64 configures")
        window.wait_for("[....................] 0 of 1  linux-x86_64 compiles")
        window.press("C-c")
        screen = window.wait_for("exit status 130")
    assert "FAILED" not in screen
    assert "Traceback" not in screen
    assert "of 1" not in screen, "the bar is taken away"
    assert_nothing_is_left(project, scratch)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_by_a_signal(workplace: tuple[Path, Path], tiny_wheel: list[str], number: signal.Signals) -> None:
    project, scratch = workplace
    environment = {**os.environ, "PYTHONPATH": str(SOURCE / "src"), "TMPDIR": str(scratch)}
    process = subprocess.Popen(tiny_wheel, cwd=project, env=environment, stderr=subprocess.PIPE, text=True)
    log = project / "build/wheel/linux-x86_64.log"
    deadline = time.monotonic() + 60
    while not (log.exists() and log.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert said == ""
    assert_nothing_is_left(project, scratch)


def test_configurations_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    """A path stands for whatever is in the file; a name for what the source tree has."""
    tags = []
    for text in ("SHA3=n\n", "SHA3=y\n"):
        (tmp_path / ".config").write_text(text)
        tags.append(build_tag(argparse.Namespace(build_tag=None, config=[str(tmp_path / ".config")], set=[])))
    assert tags[0] != tags[1]
    assert all(tag.startswith("1_config_") for tag in tags)
    assert build_tag(argparse.Namespace(build_tag=None, config=["tiny"], set=[])) == "1_tiny"


@pytest.mark.parametrize("name", ["elftools", "mesonbuild", "ziglang"])
def test_a_module_that_is_not_installed(tree: Path, name: str) -> None:
    code = f"import sys; sys.modules[{name!r}] = None; from armlet.kconf.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "wheel", "--all"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(SOURCE / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert done.stderr.endswith("-m pip install 'armlet[wheel]'\n")
