"""What all tests share.

The tests run in the machine's own Python and in emulated ones of other architectures (`tests/run.py`). Those that do
not depend on the CPU (building, portability) carry the marker `native`, and run once.
"""

import importlib.util
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

# The same command gives the same answer, and an emulated CPU may take its time.
hypothesis.settings.register_profile("armlet", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("armlet")

# They work on the source tree, not on the package, and an emulated Python has no kconfiglib.
collect_ignore_glob = [] if importlib.util.find_spec("kconfiglib") else ["test_kconf_*.py"]

tested_backends = pytest.StashKey[set[tuple[str, str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option by which the runner learns what was tested."""
    parser.addoption(
        "--tested-backends",
        metavar="FILE",
        type=Path,
        help="write a line 'algorithm backend' to FILE for each backend that a passed test has tested",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin with nothing tested."""
    config.stash[tested_backends] = set()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write down what was tested."""
    if file := config.getoption("--tested-backends"):
        tested = config.stash[tested_backends]
        file.write_text("".join(f"{algorithm} {backend}\n" for algorithm, backend in sorted(tested)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Count backends as tested when the test that says so has passed."""
    yield
    mine: set[tuple[str, str]] = item.stash.get(tested_backends, set())
    item.config.stash[tested_backends].update(mine)


@pytest.fixture
def tested(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`tested("sha512", "arm-neon")` says that this test checks the results of that backend of that algorithm."""
    mine: set[tuple[str, str]] = set()
    request.node.stash[tested_backends] = mine
    return lambda algorithm, backend: mine.add((algorithm, backend))


@pytest.fixture(scope="session")
def python() -> list[str]:
    """Return the command of the Python under test, for tests that start one: an emulated one is no program."""
    return shlex.split(os.environ.get("ARMLET_TEST_PYTHON", "")) or [sys.executable]
