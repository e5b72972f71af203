"""Building the package: for this machine with pip, for the others with Meson and a cross file made from the table."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.commands import Command, run
from runner.sysroot import Sysroot
from runner.targets import Target

WARNINGS_ARE_ERRORS = "-Dwerror=true"

CROSS_FILE = """\
[binaries]
c = '{target.compiler}'
ar = '{target.triplet}-ar'
strip = '{target.triplet}-strip'

[host_machine]
system = 'linux'
cpu_family = '{target.cpu_family}'
cpu = '{target.cpu}'
endian = 'little'
"""


@dataclass(frozen=True)
class Builder:
    """Builds the project with the tools of a virtual environment, in a folder."""

    project: Path
    python: Path
    folder: Path
    log: Path

    @property
    def site(self) -> Path:
        """The folder for PYTHONPATH that holds the installed package."""
        return self.folder / "site"

    @property
    def build(self) -> Path:
        """The build folder of Meson."""
        return self.folder / "meson"

    @property
    def _meson(self) -> Command:
        return [self.python, "-m", "mesonbuild.mesonmain"]

    def build_natively(self) -> Path:
        """Install the package as a user would, and return the folder for PYTHONPATH."""
        self._empty()
        pip: Command = [self.python, "-m", "pip", "--disable-pip-version-check", "install"]
        settings = [f"setup-args={WARNINGS_ARE_ERRORS}", f"build-dir={self.build}"]
        options = ["--no-build-isolation", "--no-deps", *(f"--config-settings={setting}" for setting in settings)]
        self._run([*pip, *options, "--target", self.site, self.project])
        return self.site

    def build_for(self, target: Target, sysroot: Sysroot, more_options: Sequence[str] = ()) -> Path:
        """Cross-build the package, with more options for Meson, install it likewise, and return the folder."""
        self._empty()
        cross_file = self._write("cross.ini", CROSS_FILE.format(target=target))
        build_config = self._write("build-details.json", json.dumps(build_details(target, sysroot), indent=2))
        options = [
            f"--cross-file={cross_file}",
            f"-Dpython.build_config={build_config}",
            "-Dpython.purelibdir=/",
            "-Dpython.platlibdir=/",
            "--buildtype=release",
            "-Db_ndebug=if-release",
            WARNINGS_ARE_ERRORS,
            *more_options,
        ]
        self._run([*self._meson, "setup", *options, self.build, self.project])
        return self._compile_and_install()

    def rebuild(self, options: Sequence[str]) -> Path:
        """Cross-build it again with other options for Meson; only what they change is compiled."""
        self._run([*self._meson, "setup", "--reconfigure", *options, self.build, self.project])
        shutil.rmtree(self.site)
        return self._compile_and_install()

    def _compile_and_install(self) -> Path:
        self._run([*self._meson, "compile", "-C", self.build])
        self._run([*self._meson, "install", "-C", self.build, "--no-rebuild", "--quiet", "--destdir", self.site])
        return self.site

    def _run(self, command: Command) -> None:
        """Run a command that finds the programs of the virtual environment, Ninja among them, before others."""
        run(command, self.log, {"PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"})

    def _write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def _empty(self) -> None:
        """Begin anew: what is tested is made of these sources, whatever was edited while an earlier build ran."""
        for folder in (self.build, self.site):
            shutil.rmtree(folder, ignore_errors=True)


def build_details(target: Target, sysroot: Sysroot) -> dict[str, object]:
    """Return what Meson must know of the target's Python, which it cannot run (PEP 739)."""
    major, minor = sysroot.version.split(".")
    suffix = f".cpython-{major}{minor}-{target.triplet}.so"
    return {
        "schema_version": "1.0",
        "base_prefix": str(sysroot.tree / "usr"),
        "platform": f"linux-{target.cpu}",
        "language": {"version": sysroot.version},
        "implementation": {"name": "cpython"},
        "abi": {"flags": [], "extension_suffix": suffix, "stable_abi_suffix": ".abi3.so"},
        "libpython": {"link_extensions": False},
        "c_api": {"headers": str(sysroot.headers)},
    }
