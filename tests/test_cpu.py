"""What cpu.c finds, beside what the kernel says of the same CPU."""

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from project import SOURCE

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(sys.platform != "linux", reason="/proc/cpuinfo is Linux's"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
]

NATIVE = SOURCE / "src/armlet/kconf/native"
PROGRAM = """\
#include "cpu.h"
#include <stdio.h>
int main(void) {
    const cpu_features found = cpu_detect(0);
    for (const struct cpu_feature_name *feature = cpu_feature_names; feature->name; feature++)
        if (feature->feature & found)
            puts(feature->symbol);
    return 0;
}
"""
# By the names of the kernel.
SYMBOLS = {
    "x86_64": {"ssse3": "ISA_X86_64_SSSE3", "sse4_2": "ISA_X86_64_SSE42", "avx2": "ISA_X86_64_AVX2"},
    "aarch64": {
        "asimd": "ISA_ARM64_NEON",
        "crc32": "ISA_ARM64_CRC32",
        "sha2": "ISA_ARM64_SHA2",
        "sha512": "ISA_ARM64_SHA512",
        "sha3": "ISA_ARM64_SHA3",
    },
    "armv7l": {"neon": "ISA_ARM_NEON", "sha2": "ISA_ARM_SHA2", "crc32": "ISA_ARM_CRC32"},
}


@pytest.fixture
def detect(tmp_path: Path) -> Path:
    """Compile a program that prints what it finds."""
    (tmp_path / "main.c").write_text(PROGRAM)
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror", "-static", f"-I{NATIVE}"]
    subprocess.run(["cc", *flags, "main.c", NATIVE / "cpu.c", "-o", "detect"], cwd=tmp_path, check=True)
    return tmp_path / "detect"


def found(*command: str | Path) -> set[str]:
    return set(subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())


def test_the_same_as_the_kernel_says(detect: Path) -> None:
    said = re.search(r"^(?:flags|Features)\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    assert said
    names = SYMBOLS[platform.machine()]
    assert found(detect) == {names[flag] for flag in said[1].split() if flag in names}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="this machine is no x86-64")
@pytest.mark.parametrize(("cpu", "expected"), [("core2duo", {"ssse3"}), ("Nehalem", {"ssse3", "sse4_2"})])
def test_older_cpus(detect: Path, cpu: str, expected: set[str]) -> None:
    if shutil.which("qemu-x86_64") is None:
        pytest.skip("qemu-x86_64 not found")
    assert found("qemu-x86_64", "-cpu", cpu, detect) == {SYMBOLS["x86_64"][name] for name in expected}
