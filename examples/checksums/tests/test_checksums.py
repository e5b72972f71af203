"""Every backend that this CPU can run, against zlib."""

import random
import zlib

import pytest

from checksums import adler32, config

BACKENDS = [backend.name for backend in config.backends("adler32") if backend.usable]
DATA = random.Random(1).randbytes(20_000)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 5535, 5536, 5537, 20_000])
def test_the_same_as_zlib(backend: str, size: int) -> None:
    for data in (DATA[:size], DATA[20_000 - size :], b"\xff" * size):
        assert adler32(data, backend=backend) == zlib.adler32(data)
        assert adler32(data, 0xFFF0FFF0, backend=backend) == zlib.adler32(data, 0xFFF0FFF0)


def test_a_backend_serves_and_the_report_says_which() -> None:
    (selected,) = [backend.name for backend in config.backends("adler32") if backend.selected]
    assert selected == BACKENDS[0]


def test_unknown_backend() -> None:
    with pytest.raises(ValueError, match="adler32 has no backend 'neom' in this build; it has"):
        adler32(b"", backend="neom")
