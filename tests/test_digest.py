"""The digests: their results on every backend that this CPU can run, and hashlib's interface."""

import array
import ctypes
import gc
import hashlib
import hmac
import importlib.resources
import inspect
import io
import json
import mmap
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armlet import config, digest

VECTORS = importlib.resources.files("cryptography_vectors") / "hashes"
NAMES = [name for name in vars(digest) if name in digest.algorithms_available]
HASHES = [name for name in NAMES if not name.startswith("shake")]
BACKENDS = [(name, backend.name) for name in NAMES for backend in config.backends(name) if backend.usable]
TEXT = bytes(i * i % 251 for i in range(1200))  # no two blocks of it are alike


def is_xof(name: str) -> bool:
    return name.startswith("shake")


# A build need not have all of them. Where it does not matter which, it is this one.
pytestmark = pytest.mark.skipif(not NAMES, reason="this build has no digests")
HASH = "sha256" if "sha256" in HASHES else "".join(HASHES[:1])
some_hash: Any = getattr(digest, HASH, None)
of_xofs = pytest.mark.skipif("shake_128" not in NAMES, reason="this build has no SHAKE")
of_the_mask = pytest.mark.skipif(not config.options["HONOUR_CPU_MASK"], reason="this build heeds no ARMLET_CPU_MASK")

each_digest = pytest.mark.parametrize("name", NAMES)
each_backend = pytest.mark.parametrize(("name", "backend"), BACKENDS)
each_xof_backend = pytest.mark.parametrize(("name", "backend"), [case for case in BACKENDS if is_xof(case[0])])
each_hash_backend = pytest.mark.parametrize(("name", "backend"), [case for case in BACKENDS if not is_xof(case[0])])


def oracle(name: str, data: bytes = b"") -> Any:
    """Make hashlib's object, of OpenSSL where Python has none of its own: SHA-512/t."""
    try:
        return hashlib.new(name, data)
    except ValueError:
        pytest.skip(f"the OpenSSL of this Python has no {name}")


def output(hash_object: Any, length: int = 200) -> bytes:
    """Return the digest; of an XOF more than its block, so that it has to squeeze twice."""
    result = hash_object.digest(length) if is_xof(hash_object.name) else hash_object.digest()
    assert isinstance(result, bytes)
    return result


@pytest.fixture
def make(name: str, backend: str, tested: Callable[[str, str], None]) -> Callable[..., Any]:
    """Make hash objects of a backend, of which this counts as a test."""
    tested(config.FUNCTIONS.get(name, name), backend)
    return lambda data=b"": getattr(digest, name)(data, backend=backend)


# Results.


def read_vectors(file: Traversable) -> Iterator[dict[str, str]]:
    """Read a file of NIST's: groups of lines like `Len = 8`, separated by empty ones; what is not said anew stays."""
    group: dict[str, str] = {}
    for line in [*file.read_text().splitlines(), ""]:
        key, equals, value = line.strip("[]").partition(" = ")
        if equals and not line.startswith("#"):
            group[key] = value
        elif not line and group:
            yield dict(group)


def vector_file(name: str, kind: str) -> Traversable:
    folder = "SHAKE" if is_xof(name) else "SHA3" if name.startswith("sha3_") else "SHA2"
    stem = name.replace("_", "") if is_xof(name) else name
    return VECTORS / folder / f"{stem.upper()}{kind}.rsp"


def check_messages(name: str, make: Callable[..., Any], kind: str, step: int) -> None:
    cases = [case for case in read_vectors(vector_file(name, kind)) if "Msg" in case and {"MD", "Output"} & set(case)]
    assert len(cases) > 60
    for case in cases[::step]:
        message = bytes.fromhex(case["Msg"])[: int(case["Len"]) // 8 if "Len" in case else None]
        expected = bytes.fromhex(case.get("MD") or case["Output"])
        assert output(make(message), len(expected)) == expected


@each_backend
def test_short_messages_of_nist(name: str, make: Callable[..., Any]) -> None:
    check_messages(name, make, "ShortMsg", 1)


@each_backend
def test_long_messages_of_nist(name: str, make: Callable[..., Any]) -> None:
    check_messages(name, make, "LongMsg", 9)


@each_xof_backend
def test_output_lengths_of_nist(name: str, make: Callable[..., Any]) -> None:
    check_messages(name, make, "VariableOut", 5)


@each_hash_backend
def test_monte_carlo_of_nist(name: str, make: Callable[..., Any]) -> None:
    """The first thousand links of the chain; there are a hundred thousand."""
    first = next(case for case in read_vectors(vector_file(name, "Monte")) if "MD" in case)
    links = [bytes.fromhex(first["Seed"])] * 3
    for _ in range(1000):
        data = links[-1] if name.startswith("sha3_") else b"".join(links)
        links = [*links[1:], make(data).digest()]
    assert links[-1].hex() == first["MD"]


@each_backend
def test_every_length(name: str, make: Callable[..., Any]) -> None:
    """Also the one before, at and after each multiple of a block, and of the field for the length."""
    expected = oracle(name)
    for length in range(1101):
        assert output(make(TEXT[:length])) == output(expected), length
        expected.update(TEXT[length : length + 1])


@each_backend
def test_alignments(name: str, make: Callable[..., Any]) -> None:
    expected = output(oracle(name, TEXT[:700]))
    for offset in range(17):
        placed = memoryview(bytes(offset) + TEXT[:700])[offset:]
        assert output(make(placed)) == expected, offset


@each_backend
def test_splits_about_the_block(name: str, make: Callable[..., Any]) -> None:
    expected = output(oracle(name, TEXT))
    block = make().block_size
    for first in (0, 1, block - 1, block, block + 1, 2 * block):
        for second in (0, 1, block - 1, block, block + 1, 3 * block):
            hash_object = make(TEXT[:first])
            hash_object.update(TEXT[first : first + second])
            assert output(hash_object) == output(make(TEXT[: first + second])), (first, second)
            hash_object.update(TEXT[first + second :])
            assert output(hash_object) == expected, (first, second)


@given(data=st.data())
@settings(max_examples=60)
def test_splits_anywhere(data: st.DataObject) -> None:
    name, backend = data.draw(st.sampled_from(BACKENDS))
    pieces = data.draw(st.lists(st.binary(max_size=300), max_size=8))
    hash_object = getattr(digest, name)(backend=backend)
    for piece in pieces:
        hash_object.update(piece)
    assert output(hash_object) == output(oracle(name, b"".join(pieces)))


@each_backend
def test_long_data_without_the_gil(name: str, make: Callable[..., Any]) -> None:
    for length in (2047, 2048, 2049, 70001):
        data = (TEXT * 59)[:length]
        hash_object = make()
        hash_object.update(data)
        assert output(hash_object) == output(make(data)) == output(oracle(name, data))


@each_xof_backend
def test_long_output(name: str, make: Callable[..., Any]) -> None:
    expected = oracle(name, TEXT)
    for length in (0, 1, make().block_size, make().block_size + 1, 2047, 2048, 10001):
        assert make(TEXT).digest(length) == expected.digest(length)
        assert make(TEXT).hexdigest(length) == expected.hexdigest(length)


# The interface of hashlib.


@each_digest
def test_attributes(name: str) -> None:
    ours, theirs = getattr(digest, name)(), oracle(name)
    for attribute in ("name", "digest_size", "block_size"):
        assert getattr(ours, attribute) == getattr(theirs, attribute)
        with pytest.raises(AttributeError):
            setattr(ours, attribute, 0)
    assert ours.backend == next(backend.name for backend in config.backends(name) if backend.selected)
    assert repr(ours).startswith(f"<{name} armlet.digest.{type(ours).__name__} object at ")
    assert repr(ours).endswith(f", backend {ours.backend}>")
    assert type(ours) is (digest.XOF if is_xof(name) else digest.Hash)


@each_digest
def test_constructor_looks_like_a_function_of_the_module(name: str) -> None:
    constructor = getattr(digest, name)
    assert pickle.loads(pickle.dumps(constructor)) is constructor
    assert repr(constructor) == f"<built-in function {name}>"
    assert (constructor.__module__, constructor.__qualname__) == ("armlet.digest", name)
    assert str(inspect.signature(constructor)) == "(data=b'', *, backend=None, usedforsecurity=True)"
    assert f"a new {name} object" in constructor.__doc__


@each_digest
def test_digest_does_not_end_the_message(name: str) -> None:
    hash_object = getattr(digest, name)(TEXT[:100])
    once = output(hash_object)
    assert output(hash_object) == once
    hash_object.update(TEXT[100:])
    assert output(hash_object) == output(oracle(name, TEXT))
    arguments = (200,) if is_xof(name) else ()
    assert hash_object.hexdigest(*arguments) == output(hash_object).hex()


@each_digest
def test_copy_goes_its_own_way(name: str) -> None:
    first = getattr(digest, name)(TEXT[:300])
    second = first.copy()
    assert (type(second), second.name, second.backend) == (type(first), first.name, first.backend)
    first.update(b"one")
    second.update(b"other")
    assert output(first) == output(oracle(name, TEXT[:300] + b"one"))
    assert output(second) == output(oracle(name, TEXT[:300] + b"other"))


@each_digest
def test_keywords(name: str) -> None:
    constructor = getattr(digest, name)
    expected = output(constructor(b"abc"))
    assert output(constructor(data=b"abc")) == expected
    assert output(constructor(string=b"abc")) == expected
    assert output(constructor(b"abc", usedforsecurity=False)) == expected
    assert output(constructor(b"abc", backend=None)) == expected
    for arguments, keywords, message in (
        ((b"", b""), {}, "at most 1 positional argument"),
        ((b"",), {"data": b""}, "multiple values for argument 'data'"),
        ((b"",), {"string": b""}, "not both"),
        ((), {"size": 3}, "unexpected keyword argument 'size'"),
    ):
        with pytest.raises(TypeError, match=rf"^{name}\(\).*{message}"):
            constructor(*arguments, **keywords)


@of_xofs
def test_length_of_an_xof() -> None:
    shake = digest.shake_128(b"abc")
    assert shake.digest(length=5) == shake.digest(5)
    for method in (shake.digest, shake.hexdigest):
        untyped: Any = method
        with pytest.raises(ValueError, match="length must not be negative"):
            method(-1)
        with pytest.raises(TypeError, match="missing required argument 'length'"):
            untyped()
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            untyped("5")
        with pytest.raises(OverflowError):
            method(1 << 100)
        with pytest.raises((OverflowError, MemoryError)):
            method(sys.maxsize)


BUFFERS: dict[str, Any] = {
    "bytearray": bytearray(b"abcdef"),
    "memoryview": memoryview(b"abcdef")[1:],
    "array": array.array("H", [1, 2, 3]),
    "ctypes": (ctypes.c_char * 6).from_buffer_copy(b"abcdef"),
    "two dimensions of a memoryview": memoryview(b"abcdef").cast("B", (2, 3)),
    "two dimensions of an exporter": (ctypes.c_char * 3 * 2)(),
    "not contiguous": memoryview(b"abcdef")[::2],
    "str": "abcdef",
    "int": 6,
    "None": None,
    "list": [1, 2],
}


@pytest.mark.parametrize("kind", BUFFERS)
def test_buffers_as_hashlib_takes_them(kind: str) -> None:
    data = BUFFERS[kind]
    try:
        expected = hashlib.new(HASH, data).digest()
    except (TypeError, BufferError) as error:
        for take in (some_hash, some_hash().update):
            with pytest.raises(type(error)):
                take(data)
    else:
        hash_object = some_hash()
        hash_object.update(data)
        assert some_hash(data).digest() == hash_object.digest() == expected


def test_what_is_wrong_with_a_buffer() -> None:
    wrong: Any
    for wrong, message in (("abc", "Strings must be encoded before hashing"), (3, "object supporting the buffer API")):
        with pytest.raises(TypeError, match=message):
            some_hash(wrong)
    with pytest.raises(BufferError, match="Buffer must be single dimension"):
        some_hash(BUFFERS["two dimensions of an exporter"])


def test_memory_map(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(TEXT * 20)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert some_hash(mapped).digest() == hashlib.new(HASH, TEXT * 20).digest()


def test_buffer_is_let_go() -> None:
    data = bytearray(5000)
    some_hash(data).update(data)
    data.clear()  # a BufferError while a view of it exists


SPELLINGS = [
    *("SHA256", "Sha256", "sha-256", "SHA-256", "SHA2-256", "sha2-512", "SHA512-224", "SHA2-512/224", "SHA-512/256"),
    *("sha512_256", "sha512-256", "sha3-256", "SHA3-512", "sha3_384", "2.16.840.1.101.3.4.2.1"),
    *("shake128", "SHAKE256", "SHAKE-128", "shake_256", "2.16.840.1.101.3.4.2.12"),
]
OURS = {"SHA512_256": "sha512_256", "SHA512/224": "sha512_224", "SHA3_224": "sha3_224", "SHAKE_128": "shake_128"}
NO_NAMES = [
    *("", "s-h-a-2-5-6", "_sha256", "sha256-", "-sha256", " sha256", "sha_256", "sha2_256", "sha2256"),
    *("sha5/12", "sha51-2256", "sha512256", "sha512--256", "sha-512_256", "sha/512/256", "sha2-sha2-256"),
    *("sha2-3-224", "sha2-3-256", "sha3256", "sha-3-256", "sha3/256", "sha2-shake128", "sha\u212ae128", "shake"),
    *("2.16.840.1.101.3.4.2", "2.16.840.1.101.3.4.2.13", "2.16.840.1.101.3.4.2.011", "RSA-SHA256-2", "md6"),
]


def check_name(spelling: str, name: str, expected: bytes) -> None:
    if name not in NAMES:
        with pytest.raises(ValueError, match=f"^{spelling} is not in this build: SHA"):
            digest.new(spelling)
        return
    ours = digest.new(spelling, b"abc")
    assert ours.name == name
    assert output(ours) == expected


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_new_takes_the_names_of_hashlib(spelling: str) -> None:
    theirs = oracle(spelling, b"abc")
    check_name(spelling, theirs.name, output(theirs))


@pytest.mark.parametrize(("spelling", "name"), OURS.items())
def test_new_takes_some_names_more(spelling: str, name: str) -> None:
    check_name(spelling, name, output(oracle(name, b"abc")))


@pytest.mark.parametrize("spelling", NO_NAMES)
def test_new_refuses_what_hashlib_refuses(spelling: str) -> None:
    for module in (hashlib, digest):
        with pytest.raises(ValueError):
            module.new(spelling)


def test_new() -> None:
    expected = hashlib.new(HASH, b"abc").digest()
    assert digest.new(HASH, data=b"abc", usedforsecurity=False).digest() == expected
    assert digest.new(name=HASH, string=b"abc").digest() == expected
    with pytest.raises(TypeError, match="takes 'data' or 'string', its older name, not both"):
        digest.new(HASH, b"abc", string=b"abc")
    for name, backend in BACKENDS:
        assert digest.new(name, backend=backend).backend == backend
    with pytest.raises(ValueError, match=f"unsupported hash type md5; there are {', '.join(NAMES)}$"):
        digest.new("md5")
    not_a_name: Any = HASH.encode()
    with pytest.raises(TypeError, match="name must be a string"):
        digest.new(not_a_name)


def test_sets_of_names() -> None:
    assert digest.algorithms_available == digest.algorithms_guaranteed == set(NAMES)
    assert set(digest.__all__) == {*NAMES, "algorithms_available", "algorithms_guaranteed", "file_digest", "new"}
    with pytest.raises(AttributeError, match="no attribute 'md5'"):
        digest.md5  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(("symbol", "names"), [("SHA256", ["sha224", "sha256"]), ("SHA512", ["sha512_256"])])
def test_what_the_build_left_out(symbol: str, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the build had left it out: the module looks names up in one table."""
    for name in names:
        monkeypatch.delitem(vars(digest), name, raising=False)
        monkeypatch.delitem(digest._built, name, raising=False)
        with pytest.raises(AttributeError, match=f"^armlet.digest.{name} is not in this build: {symbol}=n$"):
            getattr(digest, name)
        with pytest.raises(ValueError, match=f"^{name.upper()} is not in this build: {symbol}=n$"):
            digest.new(name.upper())


@pytest.mark.parametrize("name", HASHES)
def test_hmac(name: str) -> None:
    oracle(name)  # or skip
    constructor: Any = getattr(digest, name)
    for key in (b"", b"key", TEXT[:300]):
        expected = hmac.new(key, TEXT, name).hexdigest()
        assert hmac.new(key, TEXT, constructor).hexdigest() == expected
        assert hmac.digest(key, TEXT, constructor).hex() == expected


@pytest.mark.skipif(HASH != "sha256", reason="this build has no SHA-256")
def test_hmac_of_rfc_4231() -> None:
    """Test case 1."""
    expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    assert hmac.new(b"\x0b" * 20, b"Hi There", some_hash).hexdigest() == expected


@pytest.mark.parametrize("file_digest", [digest.file_digest, hashlib.file_digest])
def test_file_digest(file_digest: Any, tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(TEXT * 500)
    expected = hashlib.new(HASH, TEXT * 500).digest()
    with path.open("rb") as file:
        assert file_digest(file, some_hash).digest() == expected
        assert file_digest(file, some_hash).digest() == hashlib.new(HASH).digest()  # nothing is left
    with path.open("rb", buffering=0) as unbuffered:
        assert file_digest(unbuffered, lambda: digest.new(HASH)).digest() == expected
    assert file_digest(io.BytesIO(TEXT * 500), some_hash).digest() == expected


def test_file_digest_by_name_and_in_error(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(TEXT)
    with path.open("rb") as file:
        assert digest.file_digest(file, HASH.upper()).digest() == hashlib.new(HASH, TEXT).digest()
    wrong: Any
    with path.open("r", encoding="latin-1") as wrong, pytest.raises(ValueError, match="not a file open for reading"):
        digest.file_digest(wrong, HASH)
    with path.open("wb") as wrong, pytest.raises(ValueError, match="not a file open for reading"):
        digest.file_digest(wrong, HASH)
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with open(reading, "rb", buffering=0) as empty, open(writing, "wb"), pytest.raises(BlockingIOError):
        digest.file_digest(empty, HASH)


def test_objects_have_no_other_origin() -> None:
    for kind in (digest.Hash, digest.XOF):
        untyped: Any = kind
        with pytest.raises(TypeError, match="cannot create"):
            untyped()
        with pytest.raises(TypeError, match="immutable"):
            untyped.update = None
        with pytest.raises(TypeError, match="not an acceptable base type"):
            type("Derived", (untyped,), {})
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(some_hash(), protocol)


# Backends.


@each_digest
def test_backend_that_is_not_there(name: str) -> None:
    constructor = getattr(digest, name)
    with pytest.raises(ValueError, match=r"has no backend 'x86-avx9' in this build; it has \w"):
        constructor(backend="x86-avx9")
    with pytest.raises(TypeError, match="backend must be a str or None, not <class 'int'>"):
        constructor(backend=1)
    for backend in config.backends(name):
        if backend.built and not backend.usable:
            message = rf"^backend '{backend.name}' of .* needs .*, which (this CPU lacks|ARMLET_CPU_MASK hides)$"
            with pytest.raises(ValueError, match=message):
                constructor(backend=backend.name)


def report_with_mask(python: list[str], mask: str) -> Any:
    """Run a new Python under ARMLET_CPU_MASK, and return its report and what it warned of."""
    script = (
        "import json, warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    from armlet import _core\n"
        "print(json.dumps([_core.backends_report(), [[w.category.__name__, str(w.message)] for w in caught]]))"
    )
    environment = {**os.environ, "ARMLET_CPU_MASK": mask}
    done = subprocess.run([*python, "-c", script], env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@of_the_mask
def test_mask_hides_features(python: list[str]) -> None:
    bare, warned = report_with_mask(python, "")
    assert warned == []
    report, warned = report_with_mask(python, " NEON,sha2 , Sha512,,sha3")
    assert warned == []
    assert report["cpu"] == {"features": [], "masked": bare["cpu"]["features"]}
    for algorithm in report["algorithms"].values():
        usable = [backend["name"] for backend in algorithm["backends"] if backend["usable"]]
        assert usable == [backend["name"] for backend in algorithm["backends"] if not backend["needs"]]
        assert algorithm["selected"] in (usable[:1] if algorithm["rule"] == "order" else usable)


@of_the_mask
def test_mask_with_an_unknown_name(python: list[str]) -> None:
    report, [[category, message]] = report_with_mask(python, "avx9,neon,sha2,sha512,sha3")
    assert category == "RuntimeWarning"
    assert message == "ARMLET_CPU_MASK: there is no CPU feature 'avx9'; known are neon, sha2, sha512, sha3"
    assert report["cpu"]["features"] == []


def test_import_brings_nothing_else(python: list[str]) -> None:
    script = "import sys; before = set(sys.modules); import armlet.digest; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([*python, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["armlet", "armlet._core", "armlet.digest"]


# Threads and memory.


def run_in_threads(count: int, function: Callable[[], None]) -> None:
    failures: list[BaseException] = []

    def guarded() -> None:
        try:
            function()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@each_backend
def test_threads_share_an_object(name: str, make: Callable[..., Any]) -> None:
    """Updates are whole. All bytes are alike, so that their order makes no difference."""
    sizes = (5000, 1, 2048, 100, 2047, 150)
    hash_object = make()

    def update() -> None:
        for size in sizes * 5:
            hash_object.update(bytes(size))

    run_in_threads(4, update)
    assert output(hash_object) == output(oracle(name, bytes(20 * sum(sizes))))


def test_two_long_updates_at_once() -> None:
    """Each takes milliseconds without the GIL: one must wait for the other."""
    data = bytes([7]) * (1 << 20)
    expected = hashlib.new(HASH, data * 2).digest()
    for _ in range(5):
        hash_object, start = some_hash(), threading.Barrier(2)

        def update(hash_object: Any = hash_object, start: threading.Barrier = start) -> None:
            start.wait()
            hash_object.update(data)

        run_in_threads(2, update)
        assert hash_object.digest() == expected


def test_threads_see_whole_updates() -> None:
    """A digest or a copy that is taken while another thread updates is that of so and so many pieces."""
    piece, count = TEXT * 100, 20
    expected = [hashlib.new(HASH, piece * i).digest() for i in range(count + 1)]
    hash_object = some_hash()
    seen: list[bytes] = []

    def update() -> None:
        for _ in range(count):
            hash_object.update(piece)

    def look() -> None:
        while len(seen) < 400 and (not seen or seen[-1] != expected[count]):
            seen.extend([hash_object.copy().digest(), hash_object.digest()])

    threads = [threading.Thread(target=update), threading.Thread(target=look)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) <= set(expected)
    assert hash_object.digest() == expected[count]


def longest_pause_beside(function: Callable[[], object]) -> float:
    """Run a function in another thread. Return how long this one had to wait for the GIL, as a part of the time."""
    times: list[float] = []

    def work() -> None:
        times.append(time.perf_counter())
        function()
        times.append(time.perf_counter())

    thread = threading.Thread(target=work)
    pause, before = 0.0, time.perf_counter()
    thread.start()
    while len(times) < 2:
        now = time.perf_counter()
        pause, before = max(pause, now - before), now
    pause = max(pause, time.perf_counter() - before)
    thread.join()
    return pause / (times[1] - times[0])


def test_long_data_leaves_the_gil_to_others() -> None:
    """With the GIL kept, the pause would be all of the time, always; a busy machine may make it so, sometimes."""
    data = bytes(1 << 24)
    assert any(longest_pause_beside(lambda: some_hash(data)) < 0.3 for _ in range(20))
    assert any(longest_pause_beside(lambda: some_hash().update(data)) < 0.3 for _ in range(20))


@of_xofs
def test_long_output_leaves_the_gil_to_others() -> None:
    assert any(longest_pause_beside(lambda: digest.shake_128().digest(1 << 23)) < 0.3 for _ in range(20))


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="an object's id is its address in CPython alone")
@each_digest
def test_memory_is_cleared(name: str) -> None:
    """Read the object where it lies, and what lies there once it is gone."""
    secret = b"thirty-two bytes, kept in secret"
    hash_object = getattr(digest, name)(secret)
    address, size = id(hash_object), type(hash_object).__basicsize__
    assert secret in ctypes.string_at(address, size)
    del hash_object
    left = ctypes.string_at(address, size)
    assert not [secret[i : i + 4] for i in range(0, 32, 4) if secret[i : i + 4] in left]


def blocks_after(function: Callable[[], object]) -> int:
    """Count the blocks of memory that Python has more after 100 calls."""
    function()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(100):
        function()
    gc.collect()
    return sys.getallocatedblocks() - before


def failing(function: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        with pytest.raises((TypeError, ValueError, BufferError)):
            function()

    return call


def test_nothing_leaks() -> None:
    view, backend = memoryview(bytes(4000)), some_hash().backend
    for function in (
        lambda: some_hash(b"abc").hexdigest(),
        lambda: some_hash(view, backend=backend, usedforsecurity=False).copy().digest(),
        lambda: some_hash().update(view),
        lambda: (repr(some_hash()), some_hash().name, some_hash().backend),
        lambda: digest.new(HASH.upper(), b"abc"),
        failing(lambda: some_hash("abc")),
        failing(lambda: some_hash(view[::2])),
        failing(lambda: some_hash(backend="none")),
        failing(lambda: some_hash(b"", b"")),
    ):
        assert blocks_after(function) < 20


@of_xofs
def test_nothing_leaks_of_an_xof() -> None:
    for function in (lambda: digest.shake_128(b"abc").digest(5000), failing(lambda: digest.shake_128().digest(-1))):
        assert blocks_after(function) < 20


def test_objects_hold_their_type() -> None:
    references = [sys.getrefcount(digest.Hash)]
    objects = [some_hash() for _ in range(50)]
    references.append(sys.getrefcount(digest.Hash))
    del objects
    references.append(sys.getrefcount(digest.Hash))
    assert [count - references[0] for count in references] == [0, 50, 0]
