"""Rank as a decision with evidence: the values kept, those dropped, and how clear the choice is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.results.deferred import Deferring

EPS = float(np.finfo(np.float64).eps)
TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True)
class Tolerances:
    """Relative sizes: below which a number counts as zero, above which it does not, and the best guess between them.

    Below ``zero`` a singular value is rounding, above ``sure`` it is geometry.  Between them no integer rank is
    right for an engineer: ``decide`` makes the guess, and the answer says *ambiguous*.  A geometry that misses
    redundancy by 1e-9 gives singular values of about 1e-11 … 1e-8: inside the grey zone.

    ``rounding``: the error of the entries of the equilibrated matrix, where it is known.  A share of a self-stress then
    counts as zero only where such errors can have made it; without it every share below ``zero`` does.
    ``rank_rounding``: the same for singular values.  Models go without: their geometry is written to 12 digits or so.
    """

    zero: float = 1e-11
    decide: float = 1e-9
    sure: float = 1e-6
    rounding: float | None = None
    rank_rounding: float | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.zero <= self.decide <= self.sure < 1.0:
            raise ReactioError(
                f"Tolerances must satisfy 0 < zero ≤ decide ≤ sure < 1; got zero={self.zero:g}, "
                f"decide={self.decide:g}, sure={self.sure:g}."
            )


class Count(NamedTuple):
    """How many numbers are nonzero: the best guess and the two ends that are still plausible."""

    best: Ints
    low: Ints
    high: Ints


@dataclass(frozen=True, eq=False)
class RankDecision(Deferring):
    """The rank of the equilibrated matrix and the evidence for it.

    ``sigma``: its singular values, descending (empty where blocks were judged one by one).
    """

    rank: int
    sigma: Floats
    tol: float
    sigma_last_kept: float
    sigma_first_dropped: float
    confident: bool
    alternatives: tuple[int, ...] = ()
    scale: float = 1.0

    @property
    def gap(self) -> float:
        """σ_r / σ_{r+1}, where a dropped value counts at least as rounding."""
        return self.sigma_last_kept / max(self.sigma_first_dropped, EPS * self.scale)

    @property
    def margin(self) -> float:
        """σ_r / σ_1: relative distance to the nearest matrix of lower rank (Eckart–Young)."""
        return self.sigma_last_kept / self.scale if self.scale else 0.0


def count(s: Floats, tol: Tolerances, rounding: Floats | None = None) -> Count:
    """Count the nonzero numbers of the last axis; ``rounding`` (…): what it can make of zeros, for each count.

    Rounding above ``tol.zero`` is not told from geometry: it makes the count ambiguous, never a clear zero.
    """
    counts = np.add.reduce(s[..., None] > _limits(tol), axis=-2, dtype=np.int64)
    if rounding is None:
        return Count(counts[..., 0], counts[..., 1], counts[..., 2])
    low, high = (
        np.add.reduce(s > limit[..., None], axis=-1, dtype=np.int64)
        for limit in (np.maximum(tol.sure, rounding), np.minimum(tol.zero, rounding))
    )
    return Count(counts[..., 0], low, high)


def _limits(tol: Tolerances) -> Floats:
    return np.array([tol.decide, tol.sure, tol.zero])


def plausible_ranks(sigma: Floats, tol: Tolerances) -> Count:
    """The plausible ranks (…,) from singular values (…, k), descending.

    Errors |δC_ij| ≤ ε |C_ij| move each of them by up to ε ‖C‖_F = ε ‖σ‖: rounding does not make larger ones.
    """
    s = relative(sigma)
    if tol.rank_rounding is None or not s.shape[-1]:
        return count(s, tol)
    return count(s, tol, np.minimum(tol.zero, tol.rank_rounding * np.sqrt(np.add.reduce(s * s, axis=-1))))


def relative(sigma: Floats) -> Floats:
    """σ / σ_1 along the last axis; a zero matrix stays zero."""
    if not sigma.shape[-1]:
        return sigma
    return sigma / np.maximum(sigma[..., :1], TINY)


def decide_rank(sigma: Floats, tol: Tolerances) -> RankDecision:
    """The rank from descending singular values: r = #{σ_i > decide·σ_1}."""
    sigma = np.abs(sigma)  # LAPACK may return −0
    top = float(sigma[0]) if sigma.size else 0.0
    kept = plausible_ranks(sigma, tol)
    r, low, high = int(kept.best), int(kept.low), int(kept.high)
    return RankDecision(
        rank=r,
        sigma=sigma,
        tol=tol.decide * top,
        sigma_last_kept=float(sigma[r - 1]) if r else 0.0,
        sigma_first_dropped=float(sigma[r]) if r < sigma.size else 0.0,
        confident=low == high,
        alternatives=tuple(k for k in range(low, high + 1) if k != r),
        scale=top or 1.0,
    )
