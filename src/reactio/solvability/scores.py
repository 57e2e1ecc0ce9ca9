"""The numbers behind the verdicts: how much of each group takes part in the null space of Cᵀ.

All functions work on stacks of matrices: one mechanism and twenty thousand equal blocks run the same lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.linear.nullspace import Factor, left
from reactio.linear.rank import Count, Tolerances, count, noise_floor, relative

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Take = Callable[[Ints], Array]
TINY = 1e-17


class Scores(NamedTuple):
    """Per group (…, g): r_X = rank C_X, u_X = rank B_X, decades to the nearest threshold, and N_X = 0."""

    own: Count
    free: Count
    margin: Array
    multipliers_unique: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Per group (…, g): rank of its wrench, determined components with both plausible ends, margin."""

    own: Ints
    determined: Ints
    low: Ints
    high: Ints
    margin: Array
    multipliers_unique: NDArray[np.bool_]

    @property
    def ambiguous(self) -> NDArray[np.bool_]:
        """Where the plausible readings differ."""
        return np.asarray(self.low != self.high)


def kept(sigma: Array, tol: Tolerances) -> Count:
    """The plausible ranks (…,) from singular values (…, k)."""
    return count(relative(sigma), tol)


def floors(sigma: Array, rank: Ints, tol: Tolerances) -> Array:
    """What counts as zero in a null space: rounding grows with σ_1/σ_r."""
    if not sigma.shape[-1]:
        return np.full(rank.shape, tol.zero)
    last = np.take_along_axis(relative(sigma), np.maximum(rank - 1, 0)[..., None], axis=-1)[..., 0]
    return np.asarray(noise_floor(last, tol))


def group_scores(rows_of: Take, N: Array, ptr: Ints, tol: Tolerances, zero: Any, probes: int = 0) -> Scores:
    """Score every group with N (…, m, p), equilibrated, whose rounding is ``zero`` (…,).

    ``rows_of`` gives C_X (…, g, k, n) for row numbers (g, k).  With C_X = U Σ Vᵀ the wrench scores are the
    singular values of Uᵀ N_X, in [0, 1]; rank(B_X), B_X = C_Xᵀ N_X, is the number of nonzero ones.
    ``probes``: N is not a basis but holds so many random vectors of the null space.
    [Wojtyra & Frączek 2013, Eq. 27]
    """
    sizes, floor = np.diff(ptr), np.asarray(zero)[..., None, None]
    shape = (*N.shape[:-2], sizes.size)
    counts, margin = np.empty((2, 3, *shape), np.int64), np.empty(shape)
    for k in np.unique(sizes):
        at = np.flatnonzero(sizes == k)
        rows = ptr[at][:, None] + np.arange(k)
        s_C, W = wrench_rows(rows_of(rows), N[..., rows, :], tol)
        s_W = singular_values(W)
        found = count(s_W, tol, floor)
        if probes:  # as many nonzeros as probes: there may be more than the probes can show
            found = found._replace(high=np.where(found.high == probes, k, found.high))
        counts[0][..., at], counts[1][..., at] = count(s_C, tol), found
        margin[..., at] = decades(np.concatenate([s_C, s_W], axis=-1), tol)
    largest = np.maximum.reduceat((N * N).sum(-1), ptr[:-1], axis=-1)
    return Scores(Count(*counts[0]), Count(*counts[1]), margin, largest <= (floor * floor)[..., 0])


def wrench_rows(C_X: Array, N_X: Array, tol: Tolerances) -> tuple[Array, Array]:
    """Relative singular values of C_X (…, k, n) and the rows Uᵀ N_X (…, k, p) of its nonzero ones."""
    if C_X.shape[-2] == 1:
        return np.ones(C_X.shape[:-1]), N_X
    U, s, _ = np.linalg.svd(C_X, full_matrices=False)
    s = relative(s)
    W = np.swapaxes(U, -1, -2) @ N_X
    return s, np.where((s > tol.decide)[..., None], W, 0.0)


def singular_values(W: Array) -> Array:
    """Singular values (…, min(k, p)); for one row its norm."""
    if 0 in W.shape[-2:]:
        return np.zeros((*W.shape[:-2], 0))
    if W.shape[-2] == 1:
        return np.asarray(np.sqrt((W * W).sum(-1)))
    return np.asarray(np.linalg.svd(W, compute_uv=False), np.float64)


def decades(s: Array, tol: Tolerances) -> Array:
    """Powers of ten between the threshold and the nearest number of the last axis, at most 8 by default."""
    far = np.log10(tol.decide / TINY)
    return np.asarray(np.abs(np.log10(np.maximum(s, TINY) / tol.decide)).min(-1, initial=far))


def judge(C: Array, factor: Factor, ptr: Ints, tol: Tolerances) -> Verdicts:
    """Verdicts of all groups from Q and σ, read with every plausible rank."""
    ranks = kept(factor.sigma, tol)
    readings = [read(C, factor, rank, ptr, tol) for rank in distinct(ranks)]
    return combine(readings)


def distinct(ranks: Count) -> list[Ints]:
    """The best guess first, then the ends where they differ from it anywhere."""
    return [ranks.best, *(r for r in (ranks.low, ranks.high) if np.any(r != ranks.best))]


def read(C: Array, factor: Factor, rank: Ints, ptr: Ints, tol: Tolerances) -> Scores:
    """Scores under one assumed rank."""
    N, zero = left(factor.Q, rank), floors(factor.sigma, rank, tol)
    return group_scores(lambda rows: C[..., rows, :], N, ptr, tol, zero)


def combine(readings: list[Scores]) -> Verdicts:
    """One verdict from the plausible readings; the first is the best guess."""
    best = readings[0]
    low = np.minimum.reduce([s.own.low - s.free.high for s in readings])
    high = np.maximum.reduce([s.own.high - s.free.low for s in readings])
    return Verdicts(
        own=best.own.best,
        determined=np.maximum(best.own.best - best.free.best, 0),
        low=np.maximum(low, 0),
        high=np.maximum(high, 0),
        margin=np.minimum.reduce([s.margin for s in readings]),
        multipliers_unique=np.logical_and.reduce([s.multipliers_unique for s in readings]),
    )
