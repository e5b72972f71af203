"""Messages of gigabytes, in front of kernels that only count: see native/digest_lengths.c."""

import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
GIBIBYTE = 1 << 30
SIZE = 5 * GIBIBYTE + 17

HOST: tuple[list[str], list[str]] = (["cc"], [])
ARM: tuple[list[str], list[str]] = (["arm-linux-gnueabihf-gcc", "-static"], ["qemu-arm"])


@pytest.mark.native
@pytest.mark.parametrize(("compiler", "emulator"), [HOST, ARM], ids=["this machine", "32-bit ARM"])
def test_lengths_beyond_32_and_64_bits(compiler: list[str], emulator: list[str], tmp_path: Path) -> None:
    for program in (compiler[0], *emulator):
        if not shutil.which(program):
            pytest.skip(f"there is no {program}")
    folders = ["tests/native", "src/armlet/kconf/native", "digest"]
    sources = ["tests/native/digest_lengths.c", *(f"digest/{name}.c" for name in ("digest", "sha256", "sha512"))]
    program = str(tmp_path / "digest_lengths")
    undefined = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    options = ["-std=gnu11", "-O1", *undefined, *(f"-I{folder}" for folder in folders), "-o", program]
    subprocess.run([*compiler, *options, *sources], cwd=PROJECT, check=True)
    done = subprocess.run([*emulator, program], check=True, capture_output=True, text=True)

    lines = [line.split() for line in done.stdout.splitlines()]
    assert [name for name, *_ in lines] == ["sha224", "sha256", *(n for n in SHA512 for _ in range(2))]
    for (name, blocks, last), before in zip(lines, [0, 0, *[0, 1 << 62] * 4], strict=True):
        block_size, field = (128, 16) if name in SHA512 else (64, 8)
        assert int(blocks) == SIZE // block_size + 1
        padding = b"\x80" + bytes(block_size - 17 - 1 - field)
        assert bytes.fromhex(last) == bytes(17) + padding + (8 * (SIZE + before)).to_bytes(field, "big")


SHA512 = ("sha384", "sha512", "sha512_224", "sha512_256")
