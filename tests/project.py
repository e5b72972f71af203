"""A copy of the source tree to break, and the two ways to configure it: `configure` alone, or all of Meson."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
ALTERNATIVES = {
    "CC_ARM64_SHA2": "|-march=armv8-a+crypto",
    "CC_ARM64_SHA512": "|-march=armv8.2-a+sha3",
    "CC_ARM64_BRANCH_PROTECTION": "|-mbranch-protection=standard",
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


class Project:
    """A writable copy of the tree, without its history and its build folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.build = folder / "build"
        for name in subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=SOURCE,
            capture_output=True,
            check=True,
            text=True,
        ).stdout.split("\0"):
            if name and not name.startswith("tests/") and (SOURCE / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(SOURCE / name, folder / name)

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
    ) -> subprocess.CompletedProcess[str]:
        """Run `configure` as meson.build does, with probes that all say yes except those in NO."""
        family, bits = FAMILIES[target]
        command = [sys.executable, "src/armlet/kconf/__main__.py", "configure", "--source-dir=.", "--build-dir=build"]
        command += ["--project", "armlet", "0.1.0", "--target", "linux", family, "little", bits]
        command += ["--compiler", "gcc", "12.2.0"]
        for symbol in PROBES if probes is None else probes:
            answer = "no" if symbol in no else "yes" if f"_{target}_" in symbol else "n/a"
            suffix = ".c" if symbol.startswith("CC_") else ".S"
            file = f"probes/{symbol.lower().replace('_', '-')}{suffix}"
            command += ["--probe", f"{symbol}|{answer}|{file}{ALTERNATIVES.get(symbol, '')}"]
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

    def compile(self) -> subprocess.CompletedProcess[str]:
        """Run `meson compile`."""
        return _run([sys.executable, "-m", "mesonbuild.mesonmain", "compile", "-C", "build"], self.folder)


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=folder, env={**environment, "PATH": path}, capture_output=True, text=True, check=False
    )
