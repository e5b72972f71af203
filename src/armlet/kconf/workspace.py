"""A build folder as the tools see it: its source tree, its target, the probes that it used, what it was asked for."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .cross import TargetPython, read_cross_file, target_python, write_headers
from .errors import Errors, KconfError
from .files import write_files
from .intent import NO_FILE, Layer, find_configs, parse_set, read_config
from .layout import find_cross_file
from .resolve import Resolution
from .target import Probe, Target
from .tree import Tree

RECORD = "kconf.json"
LOCK = "kconf.lock"


class Workspace:
    """A build folder that Meson has set up."""

    def __init__(self, build_dir: str) -> None:
        self.build_dir = os.path.abspath(build_dir)
        record = _read_record(self.build_dir)
        try:
            self._take(record)
            has_kconfig = os.path.exists(os.path.join(self.source_dir, "Kconfig"))
        except (AttributeError, KeyError, TypeError):  # of another version, or damaged
            raise KconfError(
                f"{os.path.join(self.build_dir, RECORD)}: not understood: {_anew(self.build_dir)}"
            ) from None
        if not has_kconfig:
            raise KconfError(
                f"{self.build_dir} was set up for the source tree {self.source_dir}, which has no Kconfig (any more): "
                "take another build folder"
            )

    def _take(self, record: dict[str, Any]) -> None:
        self.source_dir: str = record["source_dir"]
        self.project: str = record["package"]
        self.version: str = record["version"]
        self.target = Target(**record["target_facts"])
        self.probes = {name: Probe(**probe) for name, probe in record["probes"].items()}
        intent = {**record["intent"], **_options(self.build_dir)}
        self.configs: list[str] = list(map(_text, intent["config"]))
        self.set: list[str] = list(map(_text, intent["set"]))

    def tree(self) -> Tree:
        """Return the Kconfig as it is now, with the target and the probes of the build folder."""
        return Tree(self.source_dir, self.target, self.probes)

    def paths(self) -> list[str]:
        """Return the configuration files that the build folder reads."""
        return find_configs(self.source_dir, self.configs)

    def layers(self, errors: Errors | None = None) -> list[Layer]:
        """Return what the build folder was asked for, from the files as they are now."""
        return [*read_files(self.paths(), self.source_dir, errors), parse_set(self.set, errors=errors)]

    def resolution(self, errors: Errors | None = None) -> Resolution:
        """Return the Kconfig with what the build folder was asked for applied to it."""
        return Resolution(self.tree(), self.layers(errors), errors)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Wait for other commands that change the configuration of this build folder, and keep them waiting."""
        path = os.path.join(self.build_dir, LOCK)
        try:
            file = open(path, "w", encoding="utf-8")  # noqa: SIM115  # closed below
        except OSError as error:
            raise KconfError(f"{path}: cannot be written: {error.strerror}") from None
        with file:
            _lock(file.fileno())
            yield

    def reconfigure(self, *options: str) -> None:
        """Have Meson set the build folder up anew, with further options."""
        meson("setup", "--reconfigure", os.path.abspath(self.build_dir), self.source_dir, *options)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def read_files(paths: list[str], source_dir: str, errors: Errors | None = None) -> list[Layer]:
    """Read configuration files, one layer each."""
    return [read_config(path, shown(path, source_dir), errors) for path in paths]


def shown(path: str, source_dir: str) -> str:
    """How a file is named in reports: below the source folder by its path there, elsewhere by its name alone."""
    relative = os.path.relpath(path, source_dir)
    return (os.path.basename(path) or path) if relative.startswith("..") else relative


def _lock(file: int) -> None:
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows: Meson refuses to work twice in one folder
        return
    fcntl.flock(file, fcntl.LOCK_EX)


def find_workspace(build_dir: str | None, target: str | None) -> Workspace:
    """Return the workspace of `-C BUILDDIR` or `--target NAME`; the folder is set up first if it does not exist.

    By default it is the folder `build`, for a target `build/NAME`, below the source tree in which the command runs. It
    is set up even where what is asked for in .config cannot be had, for a command may be what mends that.
    """
    source_dir = os.getcwd()
    cross_file = find_cross_file(source_dir, target) if target is not None else None
    name = [os.path.basename(target).removesuffix(".ini")] if target else []
    folder = build_dir or os.path.join(source_dir, "build", *name)
    if not os.path.exists(os.path.join(folder, RECORD)):
        if not os.path.exists(os.path.join(source_dir, "meson.build")):
            raise KconfError(f"{folder} is not set up, and {source_dir} has no meson.build: run this in a source tree")
        options = ["--reconfigure"] if _is_set_up(folder, source_dir) else []
        variables: dict[str, str] = {}
        if cross_file:
            python = _target_python(folder, cross_file)
            options += ["--cross-file", cross_file, *python.options]
            variables = python.variables  # needed once: Meson remembers what it found
        _set_up(options, folder, source_dir, {"config": [], "set": [], **_options(folder)}, variables)
    elif _is_stale(workspace := Workspace(folder)):
        _set_up(["--reconfigure"], folder, workspace.source_dir, {"config": workspace.configs, "set": workspace.set})
    return Workspace(folder)


def _target_python(build_dir: str, cross_file: str) -> TargetPython:
    """Have a build folder compile for a machine whose Python is not at hand.

    What it needs for that stands beside it, where `meson setup --wipe` leaves it alone.
    """
    folder = f"{os.path.abspath(build_dir)}.python"
    os.makedirs(folder, exist_ok=True)
    return target_python(folder, write_headers(folder), read_cross_file(cross_file))


def _is_set_up(folder: str, source_dir: str) -> bool:
    """Whether Meson knows the folder, which is made. One of something else is refused: Meson would fill it."""
    if os.path.exists(os.path.join(folder, "meson-private", "coredata.dat")):
        return True
    try:
        if not os.path.lexists(folder):
            os.makedirs(folder)  # by Meson this would end in a traceback where it cannot be
        names = os.listdir(folder)
    except OSError as error:
        raise KconfError(f"{folder}: {error.strerror}: name a build folder that can be made with -C") from None
    is_default = os.path.realpath(folder) == os.path.realpath(os.path.join(source_dir, "build"))  # has other folders
    if names and "meson-private" not in names and not is_default:
        raise KconfError(f"{folder} is no build folder, and it is not empty: name another one")
    return False


def _anew(folder: str) -> str:
    return f"set it up anew with meson setup --reconfigure {folder}"


def _is_stale(workspace: Workspace) -> bool:
    """Whether the probes, or what is probed, are newer than the build folder, as after an upgrade of the source."""
    inputs = ["meson.build", *(probe.file for probe in workspace.probes.values())]
    built = _mtime(os.path.join(workspace.build_dir, "build.ninja"))
    return any(_mtime(os.path.join(workspace.source_dir, file)) > built > 0 for file in inputs)


def _mtime(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except FileNotFoundError:
        return 0


def _set_up(
    options: list[str],
    folder: str,
    source_dir: str,
    asked: dict[str, list[str]],
    variables: Mapping[str, str] = {},
) -> None:
    """Set a build folder up; where its configuration is what stops that, without it, for a command may mend it."""
    if sys.stderr.isatty():  # somebody waits
        print(f"Setting {os.path.relpath(folder)} up ...", file=sys.stderr)
    build_dir = os.path.abspath(folder)
    arguments = [*options, build_dir, source_dir]
    try:
        meson("setup", *arguments, variables=variables)
    except KconfError as error:
        try:
            meson("setup", *arguments, f"-Dconfig={NO_FILE}", "-Dset=[]", variables=variables)
        except KconfError:
            raise error from None  # the configuration did not matter
        asked_again = [f"-D{name}={values}" for name, values in asked.items()]
        meson("configure", build_dir, *asked_again)  # what the next compile reads
        record = {**_read_record(folder), "intent": asked}
        write_files(folder, {RECORD: json.dumps(record, indent=2) + "\n"})


def meson(*arguments: str, variables: Mapping[str, str] = {}) -> None:
    """Run Meson, whose arguments name files by their full paths; what it prints is shown only if it fails."""
    if importlib.util.find_spec("mesonbuild") is None:
        install = f"{sys.executable} -m pip install 'armlet[kconf]'"
        raise KconfError(f"Meson is not installed for {sys.executable}: {install}")
    with tempfile.TemporaryDirectory() as folder:  # zig leaves an a.o where Meson asks it for its version
        done = subprocess.run(
            [sys.executable, "-m", "mesonbuild.mesonmain", *arguments],
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    if done.returncode:
        way_out = ""
        if "'python-zig'" in done.stdout and not shutil.which("python-zig"):
            way_out = f"\nThis target is compiled by zig: {sys.executable} -m pip install 'armlet[wheel]'"
        raise KconfError(f"meson {' '.join(arguments)} failed:\n{done.stdout.strip()}{way_out}")


def _options(build_dir: str) -> dict[str, list[str]]:
    """What Meson's options `config` and `set` are now: `meson configure` changes them without a new record."""
    path = os.path.join(build_dir, "meson-info", "intro-buildoptions.json")
    try:
        with open(path, encoding="utf-8") as file:
            options = json.load(file)
        return {option["name"]: option["value"] for option in options if option["name"] in ("config", "set")}
    except FileNotFoundError:
        return {}
    except (KeyError, TypeError, ValueError) as error:
        raise KconfError(f"{path}: {error}: {_anew(build_dir)}") from None


def _read_record(build_dir: str) -> dict[str, Any]:
    path = os.path.join(build_dir, RECORD)
    try:
        with open(path, encoding="utf-8") as file:
            record: dict[str, Any] = json.load(file)
    except (OSError, ValueError) as error:
        raise KconfError(f"{path}: {error}: {_anew(build_dir)}") from None
    return record
