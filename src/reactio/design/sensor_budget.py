"""Sensors that are too few for all reactions: those that settle most.

With components y_c = Y_c z and readings Y_S z of rank |S|, the component c is settled iff Y_c lies in the row space of
Y_S.  Among sets that settle as many components, the one with the smallest amplification max_c Σ_s |Y_c Y_S⁺| over the
settled components comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.linear.precision import SUBSPACE

MOST_SENSOR_SETS = 60_000  # of sensors that are all tried, in seconds; for more, sets are improved by exchanges
SETS_AT_ONCE = 2000  # whose amplifications are computed in one call, so that memory stays small


class SettlingSet(NamedTuple):
    """Sensors with the components that they settle, by their numbers."""

    sensors: tuple[int, ...]
    settles: tuple[int, ...]
    amplification: float  # over the settled components
    worst: int  # the settled component with the largest error


@dataclass(frozen=True, slots=True, eq=False)
class _SettledComponents:
    """For many sets at once: settled components, the largest amplification of each component among them, a rank."""

    mask: Any  # (sets, components)
    gains: Floats  # (sets, components), 0 where a component is not settled

    @property
    def rank(self) -> list[tuple[int, float]]:
        """For sorting: most settled components first, then the smallest amplification."""
        worst = np.round(self.gains.max(axis=1), 9)  # rounded, so that equal ones stay in the order of the model
        return list(zip((-self.mask.sum(axis=1)).tolist(), worst.tolist(), strict=True))


def settling_most(
    Ys: Sequence[Floats], allowed: Sequence[int], budget: int, most: int
) -> tuple[list[SettlingSet], bool]:
    """The best sets of ``budget`` components among the allowed ones, and whether all sets were tried.

    ``Ys``: components in the self-stresses (components, p) at each instant; what is settled is so at all of them.  The
    allowed components may see fewer self-stresses than the budget: then so many are chosen.
    """
    count = min(budget, *(int(np.linalg.matrix_rank(Y[list(allowed)], tol=SUBSPACE)) for Y in Ys))
    if not count:
        return [], True
    exhaustive = comb(len(allowed), count) <= MOST_SENSOR_SETS
    sets = np.array(list(combinations(allowed, count))) if exhaustive else _exchanged(Ys, allowed, count)
    rank: list[tuple[int, float]] = []
    for start in range(0, len(sets), SETS_AT_ONCE):
        rank += _settled(Ys, sets[start : start + SETS_AT_ONCE]).rank
    order = sorted((k for k in range(len(sets)) if rank[k][0]), key=rank.__getitem__)[:most]
    best = _settled(Ys, sets[order])
    return [
        SettlingSet(
            sensors=tuple(sets[k].tolist()),
            settles=tuple(np.flatnonzero(mask).tolist()),
            amplification=float(gains.max()),
            worst=int(gains.argmax()),
        )
        for k, mask, gains in zip(order, best.mask, best.gains, strict=True)
    ], exhaustive


def _settled(Ys: Sequence[Floats], sets: Any) -> _SettledComponents:
    """What each set (sets, count) settles; nothing where its readings are dependent."""
    mask = np.ones((len(sets), len(Ys[0])), dtype=bool)
    gains = np.zeros(mask.shape)
    for Y in Ys:
        U, s, Vt = np.linalg.svd(Y[sets], full_matrices=False)
        independent = s[:, -1] > SUBSPACE
        s = np.where(independent[:, None], s, 1.0)
        within = Y @ np.swapaxes(Vt, 1, 2)  # (sets, components, count): coordinates in the row space of Y_S
        rest = np.linalg.norm(Y - within @ Vt, axis=2)
        seen = np.linalg.norm(Y, axis=1) > SUBSPACE
        # The row space of readings with a smallest singular value s is known to rounding/s only.
        mask &= seen & independent[:, None] & (rest <= SUBSPACE / np.minimum(s[:, -1:], 1.0))
        inverse = np.swapaxes(U, 1, 2) / s[:, :, None]
        gains = np.maximum(gains, np.abs(within @ inverse).sum(axis=2))
    return _SettledComponents(mask, np.where(mask, gains, 0.0))


def _exchanged(Ys: Sequence[Floats], allowed: Sequence[int], count: int) -> Any:
    """Sets grown sensor by sensor from every first one, then improved by exchanges of one sensor."""
    results = []
    for first in allowed:
        chosen = [first]
        while len(chosen) < count:
            chosen = _best(Ys, [[*chosen, k] for k in allowed if k not in chosen])
        best = _settled(Ys, np.array([chosen])).rank[0]
        while True:
            others = [k for k in allowed if k not in chosen]
            trial = _best(Ys, [[*chosen[:i], k, *chosen[i + 1 :]] for i in range(count) for k in others])
            rank = _settled(Ys, np.array([trial])).rank[0]
            if not rank < best:
                break
            chosen, best = trial, rank
        results.append(tuple(sorted(chosen)))
    return np.array(list(dict.fromkeys(results)))


def _best(Ys: Sequence[Floats], sets: Sequence[list[int]]) -> list[int]:
    """The set that settles most."""
    rank: list[tuple[int, float]] = []
    for start in range(0, len(sets), SETS_AT_ONCE):
        rank += _settled(Ys, np.array(sets[start : start + SETS_AT_ONCE])).rank
    return list(sets[min(range(len(sets)), key=rank.__getitem__)])
