"""What calls take: fair to all that are compared, since what disturbs the machine meets one as much as another."""

import itertools
import statistics
import time
from collections.abc import Callable, Sequence

ROUNDS = 5  # in each of which every call has its turn; the median of them counts

Clock = Callable[[], float]


def measure(calls: Sequence[Callable[[], object]], seconds: float, clock: Clock = time.perf_counter) -> list[float]:
    """Return the seconds that one call of each takes: the median of several rounds, in SECONDS for each of them."""
    slice_ = seconds / ROUNDS
    counts = [_count(call, slice_, clock) for call in calls]
    rounds = [
        [_time(call, count, clock) / count for call, count in zip(calls, counts, strict=True)] for _ in range(ROUNDS)
    ]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def _count(call: Callable[[], object], seconds: float, clock: Clock) -> int:
    """Return how often a call has to be made to take so long, so that the clock's own steps do not count."""
    count = 1
    while (taken := _time(call, count, clock)) < seconds / 2:
        count = max(2 * count, int(count * seconds / taken) if taken > 0 else 0)
    return count


def _time(call: Callable[[], object], count: int, clock: Clock) -> float:
    again = itertools.repeat(None, count)
    start = clock()
    for _ in again:
        call()
    return clock() - start
