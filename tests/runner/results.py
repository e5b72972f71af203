"""What came of a run or a check, and the table of all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

from runner.console import table


@dataclass(frozen=True)
class Result:
    """The counts of a run or of a group of checks."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    note: str = ""  # what failed
    lacking: str = ""  # what this machine lacks: why there was nothing to pass or fail


def from_junit(name: str, report: Path) -> Result:
    """Read pytest's own counts; an error, as of a fixture or of an import, is a failure."""
    suites = ElementTree.parse(report).getroot()
    count = {key: sum(int(suite.get(key, 0)) for suite in suites) for key in ("tests", "failures", "errors", "skipped")}
    failed = count["failures"] + count["errors"]
    return Result(name, count["tests"] - failed - count["skipped"], failed, count["skipped"])


def without_excuse(result: Result) -> Result:
    """Return the same result where nothing may be lacking."""
    return replace(result, failed=result.failed + result.skipped, skipped=0) if result.lacking else result


def total(results: Sequence[Result]) -> str:
    """Return the line by which others read the outcome."""
    passed, failed, skipped = (sum(getattr(r, key) for r in results) for key in ("passed", "failed", "skipped"))
    return f"{passed} passed, {failed} failed, {skipped} skipped"


def summary(results: Sequence[Result]) -> str:
    """Return the table of all results, and under it what failed or is lacking."""
    head = ("run", "passed", "failed", "skipped", "seconds")
    rows = [(r.name, str(r.passed), str(r.failed), str(r.skipped), f"{r.seconds:.0f}") for r in results]
    notes = [f"{r.name}: {note}" for r in results for note in (r.note, r.lacking) if note]
    return "\n".join([table([head, *rows]), *notes])
