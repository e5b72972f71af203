"""A build folder as the tools see it: its source tree, its target, the probes that it used, what it was asked for."""

import json
import os
import subprocess
import sys
from typing import Any

from .errors import KconfError
from .intent import NO_FILE, Layer, find_configs, parse_set, read_config
from .resolve import Resolution
from .target import Probe, Target
from .tree import Tree

RECORD = "kconf.json"


class Workspace:
    """A build folder that Meson has set up."""

    def __init__(self, build_dir: str) -> None:
        self.build_dir = os.path.abspath(build_dir)
        record = _read_record(self.build_dir)
        self.source_dir: str = record["source_dir"]
        self.project: str = record["package"]
        self.version: str = record["version"]
        self.target = Target(**record["target_facts"])
        self.probes = {name: Probe(**probe) for name, probe in record["probes"].items()}
        intent = {**record["intent"], **_options(self.build_dir)}
        self.configs: list[str] = intent["config"]
        self.set: list[str] = intent["set"]

    def tree(self) -> Tree:
        """Return the Kconfig as it is now, with the target and the probes of the build folder."""
        return Tree(self.source_dir, self.target, self.probes)

    def layers(self) -> list[Layer]:
        """Return what the build folder was asked for, from the files as they are now."""
        paths = find_configs(self.source_dir, self.configs)
        return [*(read_config(path, shown(path, self.source_dir)) for path in paths), parse_set(self.set)]

    def resolution(self) -> Resolution:
        """Return the Kconfig with what the build folder was asked for applied to it."""
        return Resolution(self.tree(), self.layers())

    def reconfigure(self, *options: str) -> None:
        """Have Meson set the build folder up anew, with further options."""
        meson("setup", "--reconfigure", self.build_dir, self.source_dir, *options)


def shown(path: str, source_dir: str) -> str:
    """How a file is named in reports: below the source folder by its path there, elsewhere by its name alone."""
    relative = os.path.relpath(path, source_dir)
    return os.path.basename(path) if relative.startswith("..") else relative


def find_workspace(build_dir: str | None, target: str | None, *, whatever_is_asked_for: bool = False) -> Workspace:
    """Return the workspace of `-C BUILDDIR` or `--target NAME`; the folder is set up first if it does not exist.

    By default it is the folder `build`, for a target `build/NAME`, below the source tree in which the command runs.
    WHATEVER_IS_ASKED_FOR sets it up even if the .config there would be refused.
    """
    source_dir = os.getcwd()
    options: list[str] = []
    if target is not None:
        options = ["--cross-file", _cross_file(source_dir, target)]
    folder = build_dir or os.path.join(source_dir, "build", *([target] if target else []))
    if not os.path.exists(os.path.join(folder, RECORD)):
        if not os.path.exists(os.path.join(source_dir, "meson.build")):
            raise KconfError(f"{folder} is not set up, and {source_dir} has no meson.build: run this in a source tree")
        print(f"Setting {os.path.relpath(folder)} up ...", file=sys.stderr)
        try:
            meson("setup", folder, source_dir, *options)
        except KconfError:
            if not whatever_is_asked_for:
                raise
            meson("setup", folder, source_dir, *options, f"-Dconfig={NO_FILE}")
            meson("configure", folder, "-Dconfig=[]")  # the next compile reads the .config, and refuses it
    return Workspace(folder)


def meson(*arguments: str) -> None:
    """Run Meson; what it prints is shown only if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "mesonbuild.mesonmain", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise KconfError(f"meson {' '.join(arguments)} failed:\n{done.stdout.strip()}")


def _cross_file(source_dir: str, target: str) -> str:
    path = target if os.sep in target else os.path.join(source_dir, "targets", f"{target}.ini")
    if not os.path.exists(path):
        raise KconfError(f"--target {target}: there is no {path}")
    return path


def _options(build_dir: str) -> dict[str, list[str]]:
    """What Meson's options `config` and `set` are now: `meson configure` changes them without a new record."""
    try:
        with open(os.path.join(build_dir, "meson-info", "intro-buildoptions.json"), encoding="utf-8") as file:
            options = json.load(file)
    except FileNotFoundError:
        return {}
    return {option["name"]: option["value"] for option in options if option["name"] in ("config", "set")}


def _read_record(build_dir: str) -> dict[str, Any]:
    path = os.path.join(build_dir, RECORD)
    try:
        with open(path, encoding="utf-8") as file:
            record: dict[str, Any] = json.load(file)
    except (OSError, ValueError) as error:
        raise KconfError(f"{path}: {error}: set the build folder up with meson setup") from None
    return record
