"""A copy of the source tree to break, and the two ways to configure it: `configure` alone, or all of Meson."""

import os
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
FLAGS = {
    "CC_ARM64_SHA2": " -march=armv8-a+crypto",
    "CC_ARM64_SHA512": " -march=armv8.2-a+sha3",
    "CC_ARM64_BRANCH_PROTECTION": " -mbranch-protection=standard",
}
PROBES = [
    "ISA_ARM_NEON",
    "ISA_ARM_SHA2",
    "ISA_ARM64_NEON",
    "ISA_ARM64_SHA2",
    "ISA_ARM64_SHA512",
    "ISA_ARM64_SHA3",
    "CC_ARM64_SHA2",
    "CC_ARM64_SHA512",
    "CC_ARM64_BRANCH_PROTECTION",
]
FAMILIES = {"ARM": ("arm", "32"), "ARM64": ("aarch64", "64"), "X86_64": ("x86_64", "64")}


FAST = """#include "sha2.h"

void sha256_generic_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);
void sha256_fast_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);

void sha256_fast_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
    sha256_generic_blocks(state, data, nblocks);
}
"""
WRONG = FAST.replace("data, nblocks);\n}", "data, nblocks);\n    state[0] ^= 1;\n}")


class Project:
    """A writable copy of the tree, without its history and its build folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.build = folder / "build"
        shutil.copytree(SOURCE, folder, ignore=_no_part_of_the_project, dirs_exist_ok=True)

    def replace(self, file: str, old: str, new: str) -> int:
        """Replace a text that must be there; return the line it began in."""
        path = self.folder / file
        text = path.read_text()
        assert old in text, f"{file} has changed: it has no {old!r}"
        path.write_text(text.replace(old, new, 1))
        return text[: text.index(old)].count("\n") + 1

    def line_of(self, file: str, text: str) -> str:
        """Return "FILE:LINE" of the first line that is TEXT."""
        lines = [line.strip() for line in (self.folder / file).read_text().splitlines()]
        return f"{file}:{lines.index(text) + 1}"

    def configure(
        self,
        *arguments: str,
        target: str = "ARM64",
        probes: list[str] | None = None,
        no: tuple[str, ...] = (),
        cc: tuple[str, ...] = ("gcc",),
        interface: str = "1.0",
    ) -> subprocess.CompletedProcess[str]:
        """Run `configure` as meson.build does, with probes that all say yes except those in NO."""
        family, bits = FAMILIES[target]
        command = [sys.executable, "src/armlet/kconf/__main__.py", "configure", f"--interface={interface}"]
        command += ["--source-dir=.", "--build-dir=build", "--project", "armlet", "0.1.0"]
        command += ["--target", "linux", family, "little", str(int(bits) // 8), "--compiler", "gcc", "12.2.0"]
        for symbol in PROBES if probes is None else probes:
            works = f"_{target}_" in symbol and symbol not in no
            file = symbol.lower().replace("_", "-") + (".c" if symbol.startswith("CC_") else ".S")
            command.append(f"--probe={file}{FLAGS.get(symbol, '')}|{str(works).lower()}")
        return _run([*command, *arguments, "--", *cc], self.folder)

    def refused(self, *arguments: str, target: str = "ARM64", **how: object) -> str:
        """Run `configure`, which must fail and write nothing; return what it says."""
        done = self.configure(*arguments, target=target, **how)  # type: ignore[arg-type]  # passed through
        assert done.returncode == 1, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        assert not (self.build / "sources.config").exists()
        return done.stderr

    def kconf(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the framework in the tree."""
        return _run([sys.executable, "src/armlet/kconf/__main__.py", *arguments], self.folder)

    def meson(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `meson setup build`."""
        return _run([sys.executable, "-m", "mesonbuild.mesonmain", "setup", "build", *arguments], self.folder)

    def add_backend(self, body: str, needs: str = "") -> None:
        """Add a made-up backend, in the three places that it takes: an entry, a build line and a source file."""
        entry = f'config SHA256_FAST\n\tbool "made up"\n\tdefault y\n{needs}\n'
        self.replace("digest/Kconfig", "config SHA256_ARM64_CE", f"{entry}config SHA256_ARM64_CE")
        self.replace(
            "digest/meson.build", "  'SHA256_GENERIC'", "  'SHA256_FAST': files('sha256-fast.c'),\n  'SHA256_GENERIC'"
        )
        (self.folder / "digest/sha256-fast.c").write_text(body)

    def compile(self) -> subprocess.CompletedProcess[str]:
        """Run `meson compile`."""
        return _run([sys.executable, "-m", "mesonbuild.mesonmain", "compile", "-C", "build"], self.folder)

    def make(self, *arguments: str) -> Path:
        """Set up, or set up anew, compile and install; return the folder for PYTHONPATH."""
        again = ["--reconfigure"] if self.build.exists() else []
        for done in (self.meson(*again, *arguments), self.compile()):
            assert done.returncode == 0, done.stdout + done.stderr
        return self.install()

    def install(self) -> Path:
        """Install what is built; return the folder for PYTHONPATH."""
        root = self.build / "root"
        shutil.rmtree(root, ignore_errors=True)
        command = [sys.executable, "-m", "mesonbuild.mesonmain", "install", "-C", "build", "--no-rebuild"]
        done = _run([*command, "--destdir", "root"], self.folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return next(root.rglob("armlet/__init__.py")).parent.parent

    def run(self, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run CODE with what was installed, every warning shown."""
        package = next((self.build / "root").rglob("armlet/__init__.py")).parent.parent
        return subprocess.run(
            [sys.executable, "-W", "always", "-c", code],
            env={"PYTHONPATH": str(package), "PATH": "", **environment},
            capture_output=True,
            text=True,
            check=False,
        )


def armlet(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the framework, this tree's, in another source tree."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE / "src"), **variables}
    command = [sys.executable, "-m", "armlet.kconf", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def filled(build: Path, fill: str, *arguments: int) -> list[str]:
    """Return what a function of armlet.kconf.fill makes of the configuration of a build folder, as SYMBOL=value."""
    from armlet.kconf import fill as functions  # not where kconfiglib is missing: in the emulated Pythons
    from armlet.kconf.workspace import Workspace

    tree = Workspace(str(build)).tree()
    getattr(functions, fill)(tree, *arguments)
    return [f"{name}={symbol.str_value}" for name, symbol in tree.symbols.items() if symbol.visibility]


def _no_part_of_the_project(folder: str, names: list[str]) -> set[str]:
    """History, caches, what was built and how; and the tests, which no build needs."""
    at_the_top = {"build*", "dist", "tests"} if Path(folder) == SOURCE else set()
    return {name for name in names if any(fnmatch(name, pattern) for pattern in {".*", "__pycache__", *at_the_top})}


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=folder, env={**environment, "PATH": path}, capture_output=True, text=True, check=False
    )
