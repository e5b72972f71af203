"""config.use: another backend than the selected one, in the process or in one thread; on every CPU."""

import threading
from collections.abc import Iterator

import pytest

from armlet import cipher, config, digest


def usable(name: str) -> list[str]:
    return [backend.name for backend in config.backends(name) if backend.usable]


def serving(name: str) -> str:
    return str(digest.new(name).backend)


def in_another_thread(name: str) -> str:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(serving(name)))
    thread.start()
    thread.join()
    return found[0]


@pytest.fixture
def selected() -> Iterator[str]:
    """What serves SHA-256 by the rule; afterwards it does again."""
    yield serving("sha256")
    config.use("sha256", None)


def test_in_the_process(selected: str) -> None:
    for name in usable("sha256"):
        config.use("sha256", name)
        assert serving("sha256") == serving("sha224") == in_another_thread("sha256") == name
        assert digest.sha256(b"abc").hexdigest()[:8] == "ba7816bf"
        report = config.as_dict()["algorithms"]["sha256"]
        assert (report["selected"], report["rule"]) == (name, "use")
        others = {b.reason for b in config.backends("sha256") if b.usable and not b.selected}
        assert others <= {f"{name} was chosen by armlet.config.use"}
    config.use("sha256", None)
    assert serving("sha256") == selected
    assert config.as_dict()["algorithms"]["sha256"]["rule"] in {"order", "measurement"}


def test_in_one_thread(selected: str) -> None:
    for name in usable("sha256"):
        with config.use("sha256", name):
            assert serving("sha256") == name
            assert in_another_thread("sha256") == selected
        assert serving("sha256") == selected


def test_blocks_in_blocks(selected: str) -> None:
    first, last = usable("sha256")[0], usable("sha256")[-1]
    config.use("sha256", last)
    with config.use("sha256", first):
        assert serving("sha256") == first
        with config.use("sha256", last) as inner:
            assert serving("sha256") == last
            with inner, config.use("sha256", None):
                assert serving("sha256") == selected
            assert serving("sha256") == last
        assert serving("sha256") == first
    assert serving("sha256") == in_another_thread("sha256") == last


def test_a_block_that_ends_with_an_error(selected: str) -> None:
    with pytest.raises(KeyError, match="raised"), config.use("sha256", usable("sha256")[-1]):
        raise KeyError("raised")
    assert serving("sha256") == selected


def test_a_block_that_another_thread_ends(selected: str) -> None:
    """As a generator may that is closed elsewhere: what it began is ended, and nothing else."""
    choice = config.use("sha256", usable("sha256")[-1])
    choice.__enter__()
    thread = threading.Thread(target=choice.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    assert serving("sha256") == selected


def test_objects_keep_their_backend(selected: str) -> None:
    before = digest.sha256()
    config.use("sha256", usable("sha256")[-1])
    assert before.backend == before.copy().backend == selected


def test_ciphers_and_functions_by_their_names() -> None:
    name = usable("Speck128XTS")[-1]
    with config.use("Speck128XTS", name):
        assert cipher.Speck128XTS(bytes(32)).backend == name
    with config.use("SHA3-256", usable("sha3")[-1]):
        assert serving("sha3_256") == serving("shake_128") == usable("sha3")[-1]


@pytest.mark.usefixtures("selected")
def test_a_backend_by_name_comes_first() -> None:
    with config.use("sha256", usable("sha256")[-1]):
        assert digest.sha256(backend=usable("sha256")[0]).backend == usable("sha256")[0]


def test_what_this_cpu_lacks_cannot_be_used(selected: str) -> None:
    for backend in config.backends("sha256"):
        if not backend.usable:
            with pytest.raises(ValueError, match="has no backend" if not backend.built else "needs "):
                config.use("sha256", backend.name)
            assert serving("sha256") == selected


@pytest.mark.parametrize(
    ("algorithm", "backend", "says"),
    [
        ("sha25", None, "there is no algorithm 'sha25'; did you mean sha256"),
        ("sha256", "nothing", "sha256 has no backend 'nothing' in this build; it has "),
    ],
)
def test_unknown_names(algorithm: str, backend: str | None, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        config.use(algorithm, backend)


def test_it_says_what_it_does() -> None:
    with config.use("sha384", usable("sha512")[-1]) as choice:
        assert repr(choice) == f"<sha512 is served by {usable('sha512')[-1]}>"
    assert repr(config.use("sha512", None)) == "<sha512 is served by what the rule selects>"


def test_many_threads_at_once(selected: str) -> None:
    names = usable("sha256")
    wrong: list[str] = []

    def work(name: str) -> None:
        for _ in range(200):
            with config.use("sha256", name):
                if serving("sha256") != name:
                    wrong.append(name)

    threads = [threading.Thread(target=work, args=(names[i % len(names)],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert serving("sha256") == selected


@pytest.mark.usefixtures("selected")
def test_the_process_forgets_what_it_does_not_use() -> None:
    """Choices that cannot come back are not kept: a program may choose as often as it likes."""
    first = config.use("sha256", usable("sha256")[-1])
    for _ in range(3):
        config.use("sha256", usable("sha256")[0])
    with first:
        assert serving("sha256") == usable("sha256")[-1]
    assert serving("sha256") == usable("sha256")[0]
