"""Figures against their bounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from comparison.bounds import (
    BOUNDS,
    CALL_INSTRUCTIONS,
    CALL_TIME,
    SLOWER_DECRYPTION,
    Bound,
    architecture,
    bound_of,
    symbol,
)
from comparison.counting import Figure
from comparison.inside import CALLED

PORTABLE = "generic"  # its decryption is free: in plain C, the rotations of Speck cost more backwards


@dataclass(frozen=True)
class Judged:
    """A figure, the bound that its backend has, and the limit that follows for this function."""

    figure: Figure
    bound: Bound | None = None
    limit: float | None = None

    @property
    def is_above(self) -> bool:
        """Tell whether the limit is exceeded, to the two places that are shown."""
        return self.limit is not None and round(self.figure.per_byte, 2) > round(self.limit, 2)


def judge(figures: Sequence[Figure]) -> list[Judged]:
    """Put each figure beside its limit: CPU by CPU, function by function, the best first."""
    encryption = {(f.cpu, f.algorithm, f.backend): f.per_byte for f in figures if f.function == "encrypt"}
    order = list(dict.fromkeys((f.cpu, f.algorithm, f.function) for f in figures))
    figures = sorted(figures, key=lambda f: (order.index((f.cpu, f.algorithm, f.function)), f.per_byte))
    return [judge_one(figure, encryption.get((figure.cpu, figure.algorithm, figure.backend))) for figure in figures]


def judge_one(figure: Figure, encryption: float | None) -> Judged:
    """Put a figure beside its limit: a bound, or for decryption what the same backend takes for encryption."""
    if figure.backend is None:
        return Judged(figure)
    if figure.function == "decrypt":
        if encryption is None or figure.backend == PORTABLE:
            return Judged(figure)
        return Judged(figure, limit=encryption * SLOWER_DECRYPTION)
    bound = bound_of(figure.algorithm, figure.backend, figure.cpu)
    return Judged(figure, bound, bound.limit if bound else None)


def misses(judged: Sequence[Judged], cpus: Sequence[str], algorithms: Sequence[str]) -> Iterator[str]:
    """Say which bounds are missed, or could not be tried because a backend did not run where it should."""
    for row in judged:
        if row.is_above:
            figure = row.figure
            what = f"{figure.cpu}: {figure.algorithm} {figure.function}, {figure.name}"
            yield f"{what}: {figure.per_byte:.2f} is above {row.limit:.2f}"
    measured = {(symbol(row.figure.algorithm, row.figure.backend or ""), row.figure.cpu) for row in judged}
    for bound in BOUNDS:
        asked = bound.cpu in cpus and any(bound.symbol.startswith(f"{name.upper()}_") for name in algorithms)
        if asked and (bound.symbol, bound.cpu) not in measured:
            yield f"{bound.cpu}: {bound.symbol} is not in the build, or this CPU cannot run it"
    yield from _missed_calls([row.figure for row in judged])


def _missed_calls(figures: Sequence[Figure]) -> Iterator[str]:
    """Say where a call without data executes too much: that of the backend that serves, which is called plainly."""
    for cpu in dict.fromkeys(figure.cpu for figure in figures if architecture(figure.cpu) == "arm64"):
        calls = [(f.per_call, f.backend) for f in figures if f.cpu == cpu and f.per_call is not None]
        own, peers = ([count for count, backend in calls if (backend is None) is peer] for peer in (False, True))
        if own and peers and min(own) > CALL_INSTRUCTIONS * min(peers):
            yield f'{cpu}: {CALLED}(b"").digest() executes {min(own):.0f} instructions, hashlib\'s {min(peers):.0f}'


def native_misses(times: Sequence[dict[str, Any]], imports: Mapping[str, float]) -> Iterator[str]:
    """Say the same of what was taken by the clock on the machine itself."""
    ratios = [row["call_ratio"] for row in times if row["call_ratio"] is not None]
    if ratios and min(ratios) > CALL_TIME:
        yield f'{CALLED}(b"").digest() takes {min(ratios):.3f} of hashlib\'s time: above {CALL_TIME}'
    own_import, peer_import = imports["armlet.digest"], imports["hashlib"]
    if own_import >= peer_import:
        yield f"import armlet.digest takes {own_import:.2f} ms, import hashlib {peer_import:.2f}"
