"""Speck-XTS: its results on every backend that this CPU can run, and the interface."""

import copy
import ctypes
import gc
import inspect
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armlet import _core, cipher, config
from speck_xts import Speck, SpeckXTS

CIPHERS: dict[str, Any] = {name: getattr(cipher, name) for name in cipher.__all__}
BLOCK_SIZES = {"Speck128XTS": 16, "Speck64XTS": 8}
KEY_SIZES = {"Speck128XTS": (32, 48, 64), "Speck64XTS": (24, 32)}
BACKENDS = [(name, backend.name) for name in CIPHERS for backend in config.backends(name) if backend.usable]

pytestmark = pytest.mark.skipif(not CIPHERS, reason="this build has no ciphers")
each_cipher = pytest.mark.parametrize("name", CIPHERS)
each_backend = pytest.mark.parametrize(("name", "backend"), BACKENDS)


def pattern(size: int, seed: int = 1) -> bytes:
    return bytes((i * i + seed * i + seed) % 251 for i in range(size))


@pytest.fixture
def make(name: str, backend: str, tested: Callable[[str, str], None]) -> Callable[[bytes], Any]:
    """Make a key ready for a backend, of which this counts as a test."""
    tested(config.FUNCTIONS[name.lower()], backend)
    return lambda key: CIPHERS[name](key, backend=backend)


# Results.


class Published(NamedTuple):
    """A test vector of ePrint 2013/404, appendix C."""

    bits: int  # in a word
    key: str  # words, the last first
    plain: str  # x y
    secret: str


PUBLISHED = [
    Published(32, "13121110 0b0a0908 03020100", "74614620 736e6165", "9f7952ec 4175946c"),
    Published(32, "1b1a1918 13121110 0b0a0908 03020100", "3b726574 7475432d", "8c6fa548 454e028b"),
    Published(
        64,
        "0f0e0d0c0b0a0908 0706050403020100",
        "6c61766975716520 7469206564616d20",
        "a65d985179783265 7860fedf5c570d18",
    ),
    Published(
        64,
        "1716151413121110 0f0e0d0c0b0a0908 0706050403020100",
        "7261482066656968 43206f7420746e65",
        "1be4cf3a13135566 f9bc185de03c1886",
    ),
    Published(
        64,
        "1f1e1d1c1b1a1918 1716151413121110 0f0e0d0c0b0a0908 0706050403020100",
        "65736f6874206e49 202e72656e6f6f70",
        "4109010405c0f53e 4eeeb48d9c188f43",
    ),
]


def number(words: str) -> int:
    return int(words.replace(" ", ""), 16)


def in_memory(words: str) -> bytes:
    """Blocks and keys are printed with the last word first; each is little-endian."""
    return bytes.fromhex(words)[::-1]


@pytest.mark.parametrize("vector", PUBLISHED)
def test_oracle(vector: Published) -> None:
    speck = Speck(vector.bits, in_memory(vector.key))
    assert speck.encrypt(number(vector.plain)) == number(vector.secret)
    assert speck.decrypt(number(vector.secret)) == number(vector.plain)


@each_backend
def test_block_cipher(name: str, make: Callable[[bytes], Any]) -> None:
    """With both halves of the key alike, the tweak that is 0 encrypted leaves the block cipher bare."""
    vectors = [vector for vector in PUBLISHED if vector.bits == 4 * BLOCK_SIZES[name]]
    assert len(vectors) == len(KEY_SIZES[name])
    for bits, key, plain, secret in vectors:
        half = in_memory(key)
        tweak = Speck(bits, half).decrypt(0).to_bytes(bits // 4, "little")
        assert make(half * 2).encrypt(in_memory(plain), tweak) == in_memory(secret)
        assert make(half * 2).decrypt(in_memory(secret), tweak) == in_memory(plain)


@each_backend
def test_every_number_of_blocks(name: str, make: Callable[[bytes], Any]) -> None:
    """From none over the steps of the kernels, whatever they are: a block depends on its place alone."""
    size = BLOCK_SIZES[name]
    plain, tweak = pattern(70 * size), pattern(size, 3)
    for key_size in KEY_SIZES[name]:
        native, oracle = make(pattern(key_size, 7)), SpeckXTS(size, pattern(key_size, 7))
        secret = oracle.encrypt(plain, tweak)
        for length in range(0, len(plain) + 1, size):
            assert native.encrypt(plain[:length], tweak) == secret[:length], length
            assert native.decrypt(secret[:length], tweak) == plain[:length], length


@given(data=st.data())
@settings(max_examples=50)
def test_anything(data: st.DataObject) -> None:
    name, backend = data.draw(st.sampled_from(BACKENDS))
    size = BLOCK_SIZES[name]
    key_size = data.draw(st.sampled_from(KEY_SIZES[name]))
    key = data.draw(st.binary(min_size=key_size, max_size=key_size))
    tweak = data.draw(st.binary(min_size=size, max_size=size))
    length = size * data.draw(st.integers(0, 20))
    text = data.draw(st.binary(min_size=length, max_size=length))
    native, oracle = CIPHERS[name](key, backend=backend), SpeckXTS(size, key)
    assert native.encrypt(text, tweak) == oracle.encrypt(text, tweak)
    assert native.decrypt(text, tweak) == oracle.decrypt(text, tweak)


@each_backend
def test_doubling_carries(name: str, make: Callable[[bytes], Any]) -> None:
    """Tweaks whose masks begin with ones and with a single one, so that each bit is carried out at the top."""
    size = BLOCK_SIZES[name]
    key = pattern(KEY_SIZES[name][-1])
    speck = Speck(4 * size, key[len(key) // 2 :])
    plain = pattern(140 * size)
    for mask in ((1 << 8 * size) - 1, 1 << (8 * size - 1), 1 << (4 * size - 1), 1):
        tweak = speck.decrypt(mask).to_bytes(size, "little")
        assert make(key).encrypt(plain, tweak) == SpeckXTS(size, key).encrypt(plain, tweak)


@each_backend
def test_alignments(name: str, make: Callable[[bytes], Any]) -> None:
    size = BLOCK_SIZES[name]
    native = make(pattern(32))
    plain, tweak = pattern(40 * size), pattern(size, 5)
    secret = native.encrypt(plain, tweak)
    for offset in range(1, 17):
        placed = memoryview(bytes(offset) + plain)[offset:]
        out = bytearray(offset + len(plain))
        assert native.encrypt_into(placed, tweak, memoryview(out)[offset:]) == len(plain)
        assert out == bytes(offset) + secret


@each_backend
def test_long_data_without_the_gil(name: str, make: Callable[[bytes], Any]) -> None:
    size = BLOCK_SIZES[name]
    native = make(pattern(32))
    tweak = pattern(size, 5)
    plain = pattern(6000 // size * size)
    secret = native.encrypt(plain, tweak)
    assert secret[: 16 * size] == SpeckXTS(size, pattern(32)).encrypt(plain[: 16 * size], tweak)
    assert native.decrypt(secret, tweak) == plain
    for length in (2048 - size, 2048, 2048 + size):
        assert native.encrypt(plain[:length], tweak) == secret[:length]


# The interface.


@pytest.fixture
def key(name: str) -> bytes:
    return pattern(KEY_SIZES[name][-1])


@pytest.fixture
def tweak(name: str) -> bytes:
    return pattern(BLOCK_SIZES[name], 9)


@each_cipher
def test_attributes(name: str, key: bytes) -> None:
    native = CIPHERS[name](key)
    assert (native.name, native.block_size, native.key_size) == (name, BLOCK_SIZES[name], len(key))
    assert native.backend == next(backend.name for backend in config.backends(name) if backend.selected)
    assert repr(native).startswith(f"<armlet.cipher.{name} object at ")
    assert repr(native).endswith(f", {len(key)}-byte key, backend {native.backend}>")
    assert str(inspect.signature(CIPHERS[name])) == "(key, *, backend=None)"
    assert str(inspect.signature(native.encrypt)) == "(data, tweak)"
    assert str(inspect.signature(native.decrypt_into)) == "(data, tweak, out)"
    with pytest.raises(AttributeError):
        native.key_size = 3


@each_cipher
def test_tables(name: str) -> None:
    assert _core.ciphers == CIPHERS
    assert (CIPHERS[name].__module__, CIPHERS[name].__name__) == ("armlet.cipher", name)


@each_cipher
def test_into(name: str, key: bytes, tweak: bytes) -> None:
    native = CIPHERS[name](key=key)
    plain = pattern(400 * native.block_size)
    secret = native.encrypt(data=plain, tweak=tweak)
    assert native.decrypt(tweak=tweak, data=secret) == plain
    for length in (0, native.block_size, len(plain)):
        out = bytearray(b"x" * (len(plain) + 5))
        assert native.encrypt_into(plain[:length], tweak, out) == length
        assert out == secret[:length] + b"x" * (len(plain) + 5 - length)
    same = bytearray(plain)
    assert native.encrypt_into(same, tweak, same) == len(plain)
    assert same == secret
    assert native.decrypt_into(data=same, tweak=tweak, out=same) == len(plain)
    assert same == plain


@each_cipher
def test_out_may_lie_over_the_tweak(name: str, key: bytes) -> None:
    native = CIPHERS[name](key)
    size = native.block_size
    memory = bytearray(pattern(9 * size))
    expected = native.encrypt(pattern(9 * size)[: 4 * size], pattern(9 * size)[5 * size : 6 * size])
    view = memoryview(memory)
    native.encrypt_into(view[: 4 * size], view[5 * size : 6 * size], view[5 * size :])
    assert memory[5 * size :] == expected


@each_cipher
def test_overlap(name: str, key: bytes, tweak: bytes) -> None:
    native = CIPHERS[name](key)
    size = native.block_size
    memory = bytearray(pattern(10 * size))
    view = memoryview(memory)
    data = view[2 * size : 6 * size]
    for start in (1, 2 * size - 1, 2 * size + 1, 6 * size - 1):
        if start + 4 * size <= len(view):
            with pytest.raises(ValueError, match="out overlaps data"):
                native.encrypt_into(data, tweak, view[start:])
    with pytest.raises(ValueError, match="out overlaps data"):
        native.decrypt_into(data, tweak, view[size : 5 * size])
    assert memory == pattern(10 * size)
    secret = native.encrypt(data, tweak)
    assert native.encrypt_into(data, tweak, view[6 * size :]) == 4 * size  # right behind it
    assert native.encrypt_into(data, tweak, view[2 * size :]) == 4 * size  # over it, with room to spare
    assert memory[2 * size :] == secret * 2


@each_cipher
def test_wrong_sizes(name: str, key: bytes, tweak: bytes) -> None:
    make = CIPHERS[name]
    native = make(key)
    size = native.block_size
    allowed = {"Speck128XTS": "32, 48 or 64", "Speck64XTS": "24 or 32"}[name]
    for length in (0, 1, 16, len(key) - 1, len(key) + 1, 100):
        with pytest.raises(ValueError, match=f"^key must be {allowed} bytes, not {length}$"):
            make(bytes(length))
    out = bytearray(b"x" * 4 * size)
    for length in (1, size - 1, 2 * size + 1):
        with pytest.raises(ValueError, match=f"^data must be a whole number of blocks of {size} bytes, not {length} "):
            native.encrypt(bytes(length), tweak)
        with pytest.raises(ValueError, match=f"^data must be a whole number of blocks of {size} bytes, not {length} "):
            native.decrypt_into(bytes(length), tweak, out)
        with pytest.raises(ValueError, match=f"^tweak must be {size} bytes, not {length}$"):
            native.decrypt(bytes(size), bytes(length))
    with pytest.raises(ValueError, match=f"^out must have room for the {5 * size} bytes of data, not for {4 * size}$"):
        native.encrypt_into(bytes(5 * size), tweak, out)
    assert out == b"x" * 4 * size


@each_cipher
def test_wrong_buffers(name: str, key: bytes, tweak: bytes) -> None:
    make = CIPHERS[name]
    native = make(key)
    data = bytes(native.block_size)
    with pytest.raises(TypeError, match=r"^key must be a bytes-like object, not <class 'str'>$"):
        make("k" * len(key))
    with pytest.raises(TypeError, match=r"^data must be a bytes-like object, not <class 'str'>$"):
        native.encrypt("x" * native.block_size, tweak)
    with pytest.raises(TypeError, match=r"^tweak must be a bytes-like object, not <class 'int'>$"):
        native.encrypt(data, 7)
    with pytest.raises(TypeError, match=r"^out must be a bytes-like object, not <class 'list'>$"):
        native.encrypt_into(data, tweak, [])
    with pytest.raises(TypeError, match=r"^out must be writable; this <class 'bytes'> is read-only$"):
        native.encrypt_into(data, tweak, bytes(16))
    for arguments in ((memoryview(data * 2)[::2], tweak, bytearray(16)), (data, tweak, memoryview(bytearray(64))[::2])):
        with pytest.raises(BufferError, match="not C-contiguous"):
            native.encrypt_into(*arguments)


@each_cipher
def test_wrong_arguments(name: str, key: bytes, tweak: bytes) -> None:
    native = CIPHERS[name](key)
    for method, arguments, keywords, message in (
        (native.encrypt, (), {}, r"encrypt\(\) missing required argument 'data'"),
        (native.decrypt, (b"",), {}, r"decrypt\(\) missing required argument 'tweak'"),
        (native.encrypt_into, (b"", tweak), {}, r"encrypt_into\(\) missing required argument 'out'"),
        (native.encrypt, (b"", tweak, b""), {}, r"encrypt\(\) takes at most 2 positional arguments \(3 given\)"),
        (native.encrypt, (b"", tweak), {"iv": b""}, r"encrypt\(\) got an unexpected keyword argument 'iv'"),
        (native.encrypt, (b"", tweak), {"tweak": b""}, r"encrypt\(\) got multiple values for argument 'tweak'"),
        (CIPHERS[name], (), {}, "missing required argument 'key'"),
        (CIPHERS[name], (key, "generic"), {}, "positional"),
    ):
        with pytest.raises(TypeError, match=message):
            method(*arguments, **keywords)


@each_cipher
def test_empty_data(name: str, key: bytes, tweak: bytes) -> None:
    native = CIPHERS[name](key)
    assert native.encrypt(b"", tweak) == native.decrypt(b"", tweak) == b""
    assert native.encrypt_into(b"", tweak, bytearray()) == 0


@each_cipher
def test_equal_halves_and_any_buffer(name: str, key: bytes, tweak: bytes) -> None:
    half = key[: len(key) // 2]
    expected = CIPHERS[name](half * 2).encrypt(bytes(64), tweak)
    native = CIPHERS[name](bytearray(half * 2))
    assert native.encrypt((ctypes.c_char * 8 * 8)(), memoryview(tweak)) == expected


@each_cipher
def test_backend_that_is_not_there(name: str, key: bytes) -> None:
    with pytest.raises(ValueError, match=r"has no backend 'x86-avx9' in this build; it has \w"):
        CIPHERS[name](key, backend="x86-avx9")
    with pytest.raises(TypeError, match="backend must be a str or None, not <class 'int'>"):
        CIPHERS[name](key, backend=1)
    for backend in config.backends(name):
        if backend.built and not backend.usable:
            message = rf"^backend '{backend.name}' of .* needs .*, which (this CPU lacks|ARMLET_CPU_MASK hides)$"
            with pytest.raises(ValueError, match=message):
                CIPHERS[name](key, backend=backend.name)


def test_what_the_build_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, symbol in (("Speck128XTS", "SPECK128_XTS"), ("Speck64XTS", "SPECK64_XTS")):
        monkeypatch.delitem(vars(cipher), name, raising=False)
        with pytest.raises(AttributeError, match=f"^armlet.cipher.{name} is not in this build: {symbol}=n$"):
            getattr(cipher, name)
    with pytest.raises(AttributeError, match="no attribute 'AES'"):
        cipher.AES  # type: ignore[attr-defined]  # noqa: B018


@each_cipher
def test_keys_stay_where_they_are(name: str, key: bytes) -> None:
    native = CIPHERS[name](key)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(native, protocol)
    with pytest.raises(TypeError, match="cannot pickle"):
        copy.copy(native)
    with pytest.raises(TypeError, match="immutable"):
        CIPHERS[name].encrypt = None
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Derived", (CIPHERS[name],), {})


# Threads and memory.


@each_cipher
def test_threads_share_a_key(name: str, key: bytes, tweak: bytes) -> None:
    native = CIPHERS[name](key)
    plain = pattern(4096)
    expected = native.encrypt(plain, tweak)
    wrong: list[bytes] = []

    def work() -> None:
        for _ in range(10):
            if native.encrypt(plain, tweak) != expected or native.decrypt(expected, tweak) != plain:
                wrong.append(tweak)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@each_cipher
def test_long_data_leaves_the_gil_to_others(name: str, key: bytes, tweak: bytes) -> None:
    """Others run meanwhile, and cannot take away the memory that is written to. A busy machine may need some tries."""
    native = CIPHERS[name](key)
    out = bytearray(1 << 22)

    def is_refused_meanwhile() -> bool:
        thread = threading.Thread(target=native.encrypt_into, args=(out, tweak, out))
        thread.start()
        refused = False
        while thread.is_alive() and not refused:
            try:
                out.append(0)
                out.pop()
            except BufferError:
                refused = True
        thread.join()
        return refused

    assert any(is_refused_meanwhile() for _ in range(20))
    out.clear()


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="an object's id is its address in CPython alone")
@each_cipher
def test_key_is_cleared(name: str) -> None:
    """Read the object where it lies, and what lies there once it is gone. The first word of a half is a round key."""
    key = pattern(KEY_SIZES[name][-1], 11)
    word = BLOCK_SIZES[name] // 2
    words = [key[:word], key[len(key) // 2 :][:word]]
    native = CIPHERS[name](key)
    address, size = id(native), type(native).__basicsize__
    assert all(word in ctypes.string_at(address, size) for word in words)
    del native
    left = ctypes.string_at(address, size)
    assert not any(word in left for word in words)


@each_cipher
def test_nothing_leaks(name: str, key: bytes, tweak: bytes) -> None:
    make = CIPHERS[name]
    native = make(key)
    out = bytearray(4096)
    view = memoryview(bytes(4096))

    def call() -> None:
        make(key, backend=native.backend).encrypt(bytes(64), tweak)
        native.encrypt_into(view, tweak, out)
        for arguments in ((bytes(3), tweak), (bytes(64), b""), ("", tweak), (view[::2], tweak), (bytes(64), "")):
            with pytest.raises((TypeError, ValueError, BufferError)):
                native.encrypt(*arguments)
        for wrong in (bytes(3), "", view[::2]):
            with pytest.raises((TypeError, ValueError, BufferError)):
                native.encrypt_into(bytes(64), tweak, wrong)
            with pytest.raises((TypeError, ValueError, BufferError)):
                make(wrong)

    call()
    gc.collect()
    before, references = sys.getallocatedblocks(), sys.getrefcount(make)
    for _ in range(50):
        call()
    gc.collect()
    assert sys.getallocatedblocks() - before < 20
    after = sys.getrefcount(make)
    assert after == references
    out.clear()
