"""The menu in a real terminal: open, search, change, see a reason, save, build; and the built module reports it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from project import Project
from runner.tools import NATIVE_TOOLS, missing
from terminal import terminal

pytestmark = pytest.mark.native
in_terminal = pytest.mark.skipif(bool(missing(NATIVE_TOOLS)), reason="tmux not found")

LOCALES = ("LANG", "LC_ALL", "LC_CTYPE")
MENU = [sys.executable, "src/armlet/kconf/__main__.py", "menuconfig"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A tree that is built as it comes: each test saves a change, and builds that."""
    project = Project(tmp_path_factory.mktemp("menu"))
    assert project.meson("--optimization=0").returncode == 0
    assert project.compile().returncode == 0
    return project


def environment(**settings: str | None) -> dict[str, str | None]:
    """The variables of a program in a terminal: no locale but what SETTINGS name."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    return {**dict.fromkeys((*LOCALES, "PYTHONPATH", "PYTHONUTF8"), None), "PATH": path, **settings}


def report(project: Project) -> dict[str, object]:
    """Install the build and return what its module says of itself."""
    install = [sys.executable, "-m", "mesonbuild.mesonmain", "install", "-C", "build", "--destdir", "root"]
    subprocess.run(install, cwd=project.folder, check=True, capture_output=True)
    package = next((project.folder / "build/root").rglob("armlet/__init__.py")).parent.parent
    code = "import json; from armlet import config; print(json.dumps(config.as_dict()))"
    variables = {"PYTHONPATH": str(package), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


OTHER = "SHA512_ARM_NEON" if sys.maxsize > 2**32 else "SHA256_ARM64_CE"  # never had on this machine


@in_terminal
@pytest.mark.parametrize(
    ("locale", "term", "size", "symbol"),
    [
        ({}, "xterm-256color", (80, 24), "SHA3"),
        ({"LANG": "C"}, "linux", (200, 60), "SPECK64_XTS"),
        ({"LANG": "C.UTF-8"}, "screen", (80, 24), "SPECK128_XTS"),
        ({"LANG": "xx_XX.ISO-8859-1", "LC_ALL": "xx_XX"}, "vt100", (200, 60), "SHA512"),
    ],
    ids=["unset", "C", "C.UTF-8", "uninstalled"],
)
def test_a_person_who_knows_the_kernels_menu(
    built: Project, locale: dict[str, str], term: str, size: tuple[int, int], symbol: str
) -> None:
    with terminal(built.folder, [*MENU, "-C", "build"], environment(TERM=term, **locale), size) as window:
        window.wait_for("Message digests  --->", "Ciphers  --->", "S save  Q quit")

        window.press("/")
        window.wait_for("Search")
        window.type(OTHER.lower())
        window.wait_for(f"{OTHER}  [ ]", " is for ")
        window.press("Enter")
        window.wait_for("Cannot be changed", f"{OTHER}", "; the target is ")
        window.press("?")
        window.wait_for("Depends on", "ISA_", "Esc back")
        window.press("Escape")
        window.wait_for("Q quit")
        window.press("y")
        window.wait_for("cannot be changed: ISA_")

        window.type(f"/CONFIG_{symbol}")  # faster than any screen
        window.press("Enter")
        window.wait_for(f"{symbol} is y")
        window.press("Space")
        window.wait_for(f"{symbol}=n", "(modified)")
        window.press("s")
        window.wait_for("Saved .config; meson compile -C build builds it")
        window.press("q")
        window.wait_for("exit status 0")

    assert f"# CONFIG_{symbol} is not set\n" in (built.folder / ".config").read_text()
    assert built.compile().returncode == 0
    answer = report(built)
    assert answer["options"][symbol] is False  # type: ignore[index]
    algorithms = answer["algorithms"]
    assert not algorithms[symbol.lower()]["built"]  # type: ignore[index]


@in_terminal
def test_as_a_target_of_the_build(built: Project) -> None:
    """`meson compile` gives the menu no standard input: it takes the terminal."""
    command = [sys.executable, "-m", "mesonbuild.mesonmain", "compile", "-C", "build", "menuconfig"]
    with terminal(built.folder, command, environment(TERM="screen")) as window:
        window.wait_for("Message digests  --->", "Q quit", "a menu, Kconfig:")  # it is ready for keys
        window.press("End")
        window.wait_for("cipher/Kconfig:")
        window.press("Right")
        window.wait_for("armlet > Ciphers")
        window.press("Left")
        window.wait_for("Message digests  --->")
        window.press("Escape")
        window.wait_for("exit status 0")


@in_terminal
def test_a_broken_configuration_is_opened_and_mended(built: Project) -> None:
    """In a build folder that cannot be set up as long as the configuration is broken."""
    (built.folder / ".config").write_text(
        f"CONFIG_SHA3_GENERIK=y\nhello\n# CONFIG_SHA256 is not set\nCONFIG_SHA256_GENERIC=y\nCONFIG_{OTHER}=y\n"
    )
    with terminal(built.folder, [*MENU, "-C", "fresh"], environment(TERM="screen"), (80, 40)) as window:
        window.wait_for(
            "This configuration cannot be built as it is",
            ".config:1: there is no symbol SHA3_GENERIK",
            "> read it as SHA3_GENERIC=y",
            ".config:2: not understood: 'hello'",
            ".config:4: SHA256_GENERIC=y cannot be had:",
            f".config:5: {OTHER}=y cannot be had:",
        )
        window.press("Enter")
        window.wait_for("> set SHA256=y")
        window.press("Down", "Enter")
        window.wait_for(".config:2: not understood", f".config:5: {OTHER}=y cannot be had:")
        window.press("d")
        window.wait_for("(modified)", "Q quit")
        window.press("q")
        window.wait_for("Save the configuration to .config?")
        window.press("y")
        window.wait_for("exit status 0", "Saved .config")
    assert "CONFIG_" not in (built.folder / ".config").read_text(), "all of it is the default"
    record = json.loads((built.folder / "fresh/kconf.json").read_text())
    assert record["intent"] == {"config": [], "set": []}
    assert record["options"]["SHA256_GENERIC"] is True


@in_terminal
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_gives_the_terminal_back(built: Project, number: signal.Signals) -> None:
    state = "#{alternate_on} #{cursor_flag}"
    with terminal(
        built.folder,
        ["sh", "-c", 'stty -a > before; "$@"; status=$?; stty -a > after; exit $status', "-", *MENU, "-C", "build"],
        environment(TERM="screen"),
    ) as window:
        window.wait_for("Message digests  --->", "Q quit")
        assert window.run("display-message", "-p", state) == "1 0\n"
        shell = window.program()
        os.kill(int(Path(f"/proc/{shell}/task/{shell}/children").read_text()), number)
        window.wait_for("The menu was ended by a signal", f"exit status {128 + number}")
        assert window.run("display-message", "-p", state) == "0 1\n"
        assert "Traceback" not in window.screen()
    assert (built.folder / "after").read_text() == (built.folder / "before").read_text()


@in_terminal
def test_a_terminal_that_goes_away_ends_the_menu(built: Project) -> None:
    with terminal(built.folder, [*MENU, "-C", "build"], environment(TERM="screen")) as window:
        window.wait_for("Message digests  --->", "Q quit")
        program = Path(f"/proc/{window.program()}")
    deadline = time.monotonic() + 10
    while program.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_without_a_standard_input(built: Project) -> None:
    closed = ["sh", "-c", 'exec "$@" <&-', "-", *MENU, "-C", "build"]
    variables = {**os.environ, "TERM": "xterm"}
    done = subprocess.run(closed, cwd=built.folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("menuconfig needs a terminal, and there is none; ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("term", "message"),
    [("dumb", "menuconfig cannot draw on this terminal (TERM=dumb)"), ("xterm", "menuconfig needs a terminal")],
)
def test_without_a_terminal(built: Project, term: str, message: str) -> None:
    done = subprocess.run(
        [*MENU, "-C", "build"],
        cwd=built.folder,
        env={**os.environ, "TERM": term},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(message)
    assert "Traceback" not in done.stderr


def test_without_textual(built: Project) -> None:
    folder = built.folder / "without"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import importlib.util\nfind = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'textual' else find(name, *rest)\n"
    )
    variables = {**os.environ, "PYTHONPATH": str(folder), "TERM": "xterm"}
    done = subprocess.run([*MENU], cwd=built.folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("menuconfig needs textual, which is not installed for ")
    assert "pip install 'armlet[menu]'" in done.stderr
