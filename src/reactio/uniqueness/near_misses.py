"""Near misses of a special geometry: numbers so small that their products hide below rounding.

A joint that stands off its special place by δ changes entries of C by δ, and shares of self-stresses and singular
values by δ, δ², δ³ …: which order it is depends on the geometry.  Where nothing is near a special geometry, a number
below rounding is zero.  Where δ itself is seen and δ² would not be, it may be δ².
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.linear.nullspace import Factor, left
from reactio.linear.rank import EPS, RankDecision, Tolerances, relative
from reactio.linear.scaling import FAR_REFERENCE
from reactio.linear.spans import Spans

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
# Entries of an equilibrated matrix, or shares of its rows in self-stresses, that may be offsets.  Smaller ones are the
# rounding of geometry that is written to 11 digits.  Larger ones than 1 mm on a machine of 1 m have five orders above
# rounding, and no product of so many was seen to decide anything.
SMALLEST_OFFSET, LARGEST_OFFSET = 5e-11, 1e-3
SURELY_MEANT = Tolerances().sure  # above it a number is geometry; far reference points leave entries of 1e-6
# Entries with larger errors are those of bodies with far reference points: moving these near to the joints leaves small
# entries that are no offsets.
ERROR_OF_FAR_REFERENCES = (1.0 + FAR_REFERENCE) * 16 * EPS
# Factor by which numbers of one order in the offset differ: lengths and directions of a mechanism do by as much.
SPREAD_OF_AN_ORDER = 30.0


class Doubt(IntEnum):
    """What near misses leave of the verdict on a group."""

    NONE = 0
    ZEROS = 1  # a share that counts as zero may be a product of offsets
    RANK = 2  # so may a singular value: what counts as not unique may be unique


def in_doubt(unique: bool | None, doubt: int) -> bool | None:
    """A yes or no, or None where it is in doubt: a yes by zeros, both by the rank."""
    return None if doubt == Doubt.RANK or (unique and doubt == Doubt.ZEROS) else unique


def doubted(decision: RankDecision, doubt: NDArray[np.int8], most: int) -> RankDecision:
    """The decision on a rank, not confident where near misses cast doubt on it: then up to ``most`` is plausible."""
    if not decision.confident or not (doubt == Doubt.RANK).any():
        return decision
    return replace(decision, confident=False, alternatives=tuple(range(decision.rank + 1, most + 1)))


def near_misses(
    C: Array, factor: Factor, rank: Ints, spans: Spans, zero: Array, error: float | Array
) -> NDArray[np.int8]:
    """The doubt (…, g) that near misses cast on each group of the rows of C (…, m, n), equilibrated.

    ``zero`` (…, g): the share of each group below which rounding hides it; ``error`` of the entries, (…, 1) of a stack.
    """
    doubt = np.zeros((*C.shape[:-2], spans.sizes.size), dtype=np.int8)
    N = left(factor.Q, rank)
    if not N.shape[-1]:
        return doubt
    floor = np.maximum.reduce(zero, axis=-1)
    shares = np.sqrt(np.add.reduce(N * N, axis=-1))
    entries = np.where(np.asarray(error)[..., None] > ERROR_OF_FAR_REFERENCES, 1.0, np.abs(C))
    least = np.maximum(floor, SMALLEST_OFFSET)
    near = _any_offset(entries, least[..., None, None], (-2, -1)) | _any_offset(shares, least[..., None], (-1,))
    if not near.any():
        return doubt
    sigma = relative(factor.sigma)
    for k in np.ndindex(near.shape):
        if near[k]:
            seen = Seen(entries[k], shares[k], sigma[k], float(floor[k]))
            touched = np.bincount(spans.owner[seen.touched(N[k])], minlength=spans.sizes.size) > 0
            doubt[k] = np.where(touched, Doubt.RANK if rank[k] < min(C.shape[-2:]) else Doubt.ZEROS, Doubt.NONE)
    return doubt


def _any_offset(size: Array, least: Array, axis: tuple[int, ...]) -> NDArray[np.bool_]:
    """Are there numbers in a matrix of a stack that may be offsets?"""
    return np.asarray(np.logical_or.reduce((size > least) & (size < LARGEST_OFFSET), axis=axis))


class Seen(NamedTuple):
    """The numbers in which offsets show: |C| (m, n), shares of the rows (m,), σ (k,), and the floor of rounding."""

    entries: Array
    shares: Array
    sigma: Array
    floor: float

    def touched(self, N: Array) -> NDArray[np.bool_]:
        """Rows (m,) that near misses cast doubt on, with those that carry load of theirs; none if no product hides.

        The smallest number v above the floor is an offset, or of second order in an offset δ ≈ √v that stands in C.
        The next order, v δ or v², hides where it may be below the floor.
        """
        every = (self.entries, self.shares, self.sigma)
        v = min(float(np.min(A, where=np.greater(A, self.floor), initial=1.0)) for A in every)
        most = min(SPREAD_OF_AN_ORDER * np.sqrt(v), LARGEST_OFFSET)
        first = self.entries[(self.entries >= v) & (self.entries <= most)]
        offset = float(first.max(initial=v))
        if v > SURELY_MEANT or v * offset >= SPREAD_OF_AN_ORDER * self.floor:
            return np.zeros(len(N), dtype=bool)
        limit = SPREAD_OF_AN_ORDER * offset
        small = (self.shares > self.floor) & (self.shares <= limit)
        small |= ((self.entries > self.floor) & (self.entries <= limit)).any(axis=1)
        return np.asarray(small | (np.abs(N @ N[small].T) > self.floor).any(axis=1))
