"""All that must be there before anything is measured: made by the parts of the test runner, and kept."""

import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from runner import environment, sysroot, tools
from runner.build import Builder
from runner.commands import UnavailableError, run
from runner.console import say
from runner.targets import Target

HOST_COMPILER = tools.Tool("cc", ("gcc", "libc6-dev"))

# What a build is made of.
SOURCES = ("pyproject.toml", "meson.build", "meson_options.txt", "Kconfig", ".config")
FOLDERS = ("cipher", "configs", "digest", "probes", "src")

NO_PLUGINS = "{} cannot load plugins, like all that are linked statically; Debian 12 has one that can, QEMU 7.2"


@dataclass(frozen=True)
class Guest:
    """A Python of another architecture, and the package that was built for it."""

    target: Target
    tree: sysroot.Sysroot
    site: Path


@dataclass(frozen=True)
class Workshop:
    """Makes tools, Pythons and builds, in a folder beside that of the tests."""

    project: Path
    install_tools: bool

    @property
    def folder(self) -> Path:
        """The folder for all that is made here."""
        return self.project / "build" / "benchmarks"

    def install(self, targets: list[Target]) -> None:
        """Install what is missing, if we may; complain of what still is."""
        needed = [HOST_COMPILER, *(tool for target in targets for tool in tools.cross_tools(target))]
        if self.install_tools:
            tools.install(needed, self.log("tools"))
        if lacking := tools.missing(needed):
            commands = ", ".join(dict.fromkeys(tool.command for tool in lacking))
            raise UnavailableError(f"not found: {commands} (--install-tools installs what is missing)")

    def plugin(self) -> Path:
        """Compile the counter of instructions."""
        built = self.folder / "icount.so"
        built.parent.mkdir(parents=True, exist_ok=True)
        source = self.project / "benchmarks" / "icount.c"
        run([HOST_COMPILER.command, "-std=c11", "-O2", "-fPIC", "-shared", "-o", built, source], self.log("plugin"))
        return built

    def guest(self, target: Target) -> Guest:
        """Return the target's Python with the package as the source tree is now."""
        if not can_load_plugins(target):
            raise UnavailableError(NO_PLUGINS.format(target.qemu))
        log = self.log(target.name)
        tree = sysroot.find(target, log, may_download=self.install_tools)
        builder = self._builder(target.name)
        made_of = [str(tree.tree), version_of(target.compiler)]
        self._build_once(builder, made_of, lambda: builder.build_for(target, tree))
        return Guest(target, tree, builder.site)

    def native_site(self) -> Path:
        """Return the folder of the package built for this machine."""
        builder = self._builder("native")
        self._build_once(builder, [version_of(HOST_COMPILER.command)], builder.build_natively)
        return builder.site

    @cached_property
    def python(self) -> Path:
        """The interpreter of the tests' virtual environment, which has what building takes."""
        return environment.make(self.project, self.project / "build" / "tests" / "venv", self.log("environment"))

    def log(self, name: str) -> Path:
        """Name a new file for the output of what is run."""
        log = self.folder / "logs" / f"{name}.txt"
        log.unlink(missing_ok=True)
        return log

    def _builder(self, name: str) -> Builder:
        return Builder(self.project, self.python, self.folder / "builds" / name, self.log(f"{name}-build"))

    def _build_once(self, builder: Builder, made_of: list[str], build: Callable[[], Path]) -> None:
        """Build, unless the folder already holds what would come of it."""
        stamp = json.dumps([*made_of, str(self.python), digest_of(self.project)])
        mark = builder.folder / "stamp.json"
        if mark.is_file() and mark.read_text() == stamp:
            return
        say(f"{builder.folder.name}: building")
        mark.unlink(missing_ok=True)
        build()
        mark.write_text(stamp)


def digest_of(project: Path) -> str:
    """Return a digest of the sources, their names included."""
    condensed = hashlib.sha256()
    for file in source_files(project):
        content = file.read_bytes()
        condensed.update(f"{file.relative_to(project)} {len(content)}\n".encode() + content)
    return condensed.hexdigest()


def source_files(project: Path) -> Iterator[Path]:
    """List the files that a build is made of, in an order that does not change."""
    files = [project / name for name in SOURCES]
    files += [file for folder in FOLDERS for file in sorted((project / folder).rglob("*"))]
    yield from (file for file in files if file.is_file() and "__pycache__" not in file.parts)


def version_of(compiler: str) -> str:
    """Return what the compiler says of itself."""
    return subprocess.run([compiler, "--version"], check=False, capture_output=True, text=True).stdout


def can_load_plugins(target: Target) -> bool:
    """Ask the emulator for its options."""
    answer = subprocess.run([target.qemu, "-help"], check=False, capture_output=True, text=True)
    return "-plugin" in answer.stdout
