"""What a type checker says of the installed package, and whether the package is as its stubs say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import armlet
from armlet import digest

pytestmark = pytest.mark.native

USER = """
import io
from typing import assert_type
from armlet import cipher, config, digest
from armlet.config import Backend

assert_type(digest.sha256(b"abc"), digest.Hash)
assert_type(digest.new("sha3_256", b"abc", backend="generic"), digest.Hash)
assert_type(digest.new("shake_128", string=b"abc"), digest.XOF)
assert_type(digest.new(str(1)), digest.Hash | digest.XOF)
assert_type(digest.file_digest(io.BytesIO(), "sha512"), digest.Hash)
assert_type(digest.file_digest(io.BytesIO(), "shake_256"), digest.XOF)
assert_type(digest.file_digest(io.BytesIO(), digest.shake_128), digest.XOF)
digest.new("sha256").digest(3)  # error: Too many arguments
digest.new("sha256", size=3)  # error: No overload

def make(constructor: "digest.Constructor[digest.Hash]") -> bytes:
    return constructor(b"abc", usedforsecurity=False).digest()

make(digest.sha384)
make(digest.shake_128)  # error: Argument 1 to "make" has incompatible type

disk = cipher.Speck128XTS(bytes(32), backend=None)
assert_type(disk.encrypt(bytes(16), tweak=bytes(16)), bytes)

class Subclass(cipher.Speck64XTS):  # error: Cannot inherit from final class "Speck64XTS"
    pass

assert_type(config.backends("sha256"), list[Backend])
assert_type(config.dotconfig, str)
assert_type(config.requested["SHA3"].origin, str)
assert_type([result.passed for result in config.selftest()], list[bool | None])
with config.use("sha3", "generic") as choice:
    assert_type(repr(choice), str)
config.target["system"] = "changed"  # error: Unsupported target for indexed assignment
"""


def check(module: str, *arguments: str, folder: Path) -> str:
    pytest.importorskip("mypy")
    package = str(Path(str(armlet.__file__)).parent.parent)
    environment = {**os.environ, "MYPYPATH": package, "PYTHONPATH": package, "MYPY_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_a_users_program(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    said = check("mypy", "--strict", "user.py", folder=tmp_path).splitlines()
    expected = {
        number: line.partition("# error: ")[2] for number, line in enumerate(USER.splitlines(), 1) if "# error" in line
    }
    errors = {int(line.split(":")[1]): line for line in said if ": error: " in line}
    assert set(errors) == set(expected), "\n".join(said)
    assert not [line for number, line in errors.items() if expected[number] not in line]


def test_stubs(tmp_path: Path) -> None:
    modules = ["armlet._core"]
    if {"sha256", "sha512", "sha3_256"} <= digest.algorithms_available:
        modules.append("armlet.digest")
    said = check("mypy.stubtest", *modules, folder=tmp_path)
    assert said.startswith("Success"), said
