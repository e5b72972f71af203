"""What calls take: fair to all that are compared, since what disturbs the machine meets one as much as another."""

import itertools
import statistics
import time
from collections.abc import Callable, Sequence

ROUNDS = 9  # in each of which everyone has a turn; the median of them counts
FEWEST = 3  # rounds, where a single call takes so long that more would not keep to the time
GROWTH = 16  # times as many calls at the next try, at most: a coarse clock may say that one took nothing

Clock = Callable[[], float]
Loop = Callable[[int], object]  # makes so many calls of what is measured


def measure(loops: Sequence[Loop], seconds: float, clock: Clock = time.perf_counter) -> list[float]:
    """Return the seconds that one call takes, of each of the loops: the median of several rounds.

    They take about SECONDS for each of the loops, and longer only where a few calls do.
    """
    counts, turns = zip(*(_count(loop, seconds / ROUNDS, clock) for loop in loops), strict=True)
    rounds = min(ROUNDS, max(FEWEST, round(len(loops) * seconds / sum(turns))))
    taken = [_round(loops, counts, number, clock) for number in range(rounds)]
    return [statistics.median(times) for times in zip(*taken, strict=True)]


def _count(loop: Loop, seconds: float, clock: Clock) -> tuple[int, float]:
    """Return how many calls take SECONDS, one at least, and the time that they take."""
    loop(1)  # the first one loads, selects and tests what the others find ready
    count = 1
    while (taken := _time(loop, count, clock)) < seconds / 2:
        count = max(2 * count, int(min(GROWTH, seconds / taken if taken > 0 else GROWTH) * count))
    wanted = max(1, round(count * seconds / taken))
    return wanted, max(seconds, wanted * taken / count)


def _round(loops: Sequence[Loop], counts: Sequence[int], first: int, clock: Clock) -> list[float]:
    """Give everyone a turn, in each round another one the first: what comes after what may matter."""
    taken = [0.0] * len(loops)
    for turn in range(len(loops)):
        which = (first + turn) % len(loops)
        taken[which] = _time(loops[which], counts[which], clock) / counts[which]
    return taken


def _time(loop: Loop, count: int, clock: Clock) -> float:
    start = clock()
    loop(count)
    return clock() - start


def calling(call: Callable[..., object], *arguments: object) -> Loop:
    """Return the loop over one call, in which hardly anything but the call takes time."""

    def loop(count: int) -> None:
        for _ in itertools.repeat(None, count):
            call(*arguments)

    return loop
