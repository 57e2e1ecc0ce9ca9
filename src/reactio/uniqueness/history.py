"""Verdicts along a motion, with events where the rank or a verdict changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import ReactioError
from reactio.linear.rank import Tolerances
from reactio.uniqueness.engine import solvability
from reactio.uniqueness.words import Verdict


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """Between two instants the rank or the verdict on a group changed."""

    index: int  # of the second instant
    time: float  # of the second instant
    group: str | None  # None where it is the rank
    before: str
    after: str


class VerdictsAtInstant(NamedTuple):
    """The part of one answer that is kept."""

    rank: int
    confident: bool
    names: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    determined: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Ranks (k,), verdicts and determined components (k, g) of the groups ``names`` at ``times`` (k,)."""

    times: NDArray[np.float64]
    names: tuple[str, ...]
    rank: NDArray[np.int64]
    confident: NDArray[np.bool_]
    determined: NDArray[np.int64]
    verdicts: tuple[tuple[Verdict, ...], ...]
    events: tuple[VerdictChange, ...]


def history(
    matrices: Iterable[ConstraintMatrix], times: Iterable[float], tolerances: Tolerances | None = None
) -> History:
    """Judge a sequence of constraint matrices; each instant is decided afresh, nothing is carried over.

    Two of three bars on a slider are parallel at t = 1, where the third bears the load across them alone:

    >>> from reactio.constraint_matrix import from_array
    >>> groups = {"A": [0], "B": [1], "C": [2]}
    >>> C = [from_array([[1.0, 0.0], [1.0, t - 1.0], [0.0, 1.0]], groups) for t in (0.0, 1.0)]
    >>> for change in history(C, [0.0, 1.0]).events:
    ...     print(f"t = {change.time:g}, {change.group}: {change.before} → {change.after}")
    t = 1, C: not unique (0 determined) → unique (1 determined)
    """
    if not isinstance(matrices, Iterable):
        raise ReactioError(f"History needs constraint matrices, one for each time; got {type(matrices).__name__}.")
    instants = [float(t) for t in times]
    seen: list[VerdictsAtInstant] = []
    for C in matrices:
        answer = solvability(C, tolerances=tolerances)
        columns = zip(*((g.name, g.verdict, g.determined) for g in answer), strict=True)
        seen.append(VerdictsAtInstant(answer.rank, answer.confident, *columns))
    if len(seen) != len(instants) or not seen:
        raise ReactioError(f"History needs one time for each matrix; got {len(instants)} and {len(seen)}.")
    if any(now.names != seen[0].names for now in seen):
        raise ReactioError("All matrices of a history must have the same groups.")
    events = [e for k, (a, b) in enumerate(pairwise(seen)) for e in _changes(k + 1, instants[k + 1], a, b)]
    return History(
        times=np.array(instants),
        names=seen[0].names,
        rank=np.array([now.rank for now in seen]),
        confident=np.array([now.confident for now in seen]),
        determined=np.array([now.determined for now in seen]),
        verdicts=tuple(now.verdicts for now in seen),
        events=tuple(events),
    )


def _changes(index: int, time: float, before: VerdictsAtInstant, after: VerdictsAtInstant) -> list[VerdictChange]:
    """What changed between an instant and the next one."""
    changes = []
    if before.rank != after.rank:
        changes.append(VerdictChange(index, time, None, f"rank {before.rank}", f"rank {after.rank}"))
    for name, old, new in zip(before.names, _in_words(before), _in_words(after), strict=True):
        if old != new:
            changes.append(VerdictChange(index, time, name, old, new))
    return changes


def _in_words(now: VerdictsAtInstant) -> list[str]:
    """The verdict on each group with its number of determined components."""
    pairs = zip(now.verdicts, now.determined, strict=True)
    return [f"{verdict.value} ({determined} determined)" for verdict, determined in pairs]
