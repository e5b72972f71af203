"""The systems that no test runs on: what differs there is compiled for each, and every warning is an error."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.native

PROJECT = Path(__file__).resolve().parent.parent
NATIVE = PROJECT / "src/armlet/kconf/native"

ARM64 = (
    "aarch64-linux-gnu.2.17",
    "aarch64-linux-musl",
    "aarch64-freebsd",
    "aarch64-macos.11.0",
    "aarch64-windows-gnu",
)
ARM = ("arm-linux-gnueabihf.2.17", "arm-linux-musleabihf", "arm-freebsd-eabihf")
OTHERS = ("x86_64-linux-gnu.2.17", "x86_64-linux-musl", "x86_64-freebsd", "x86_64-macos.11.0", "x86_64-windows-gnu")

# A kernel's name says which architecture it is for: sha512-arm-neon.S.
KERNELS = sorted(file for family in ("digest", "cipher") for file in (PROJECT / family).glob("*.S"))


def compile_for(target: str, source: Path, folder: Path) -> None:
    """Compile the source for the target, with zig, which has the headers of all these systems."""
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{NATIVE}"]
    files = ["-c", str(source), "-o", str(folder / "object.o")]
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target, *flags, *files]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("target", [*ARM64, *ARM, *OTHERS])
def test_cpu_detection(target: str, tmp_path: Path) -> None:
    compile_for(target, NATIVE / "cpu.c", tmp_path)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_kernels(kernel: Path, tmp_path: Path) -> None:
    """ELF, Mach-O and PE differ in what the assembler is told, not in the instructions."""
    for target in ARM64 if "arm64" in kernel.stem.split("-") else ARM:
        compile_for(target, kernel, tmp_path)
