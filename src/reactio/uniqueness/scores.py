"""The numbers behind the verdicts: how much of each group takes part in the null space of Cᵀ.

All functions work on stacks of matrices: one mechanism and twenty thousand equal blocks run the same lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from math import log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.linear.nullspace import Factor, left
from reactio.linear.rank import Count, Tolerances, count, plausible_ranks, relative
from reactio.linear.spans import Spans
from reactio.results.deferred import Deferring
from reactio.uniqueness.near_misses import Doubt, near_misses

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Take = Callable[[Ints], Array]
SMALLEST_SCORE = 1e-17  # in place of smaller ones, whose logarithm would say nothing: below rounding of any score


class Scores(NamedTuple):
    """Per group (…, g): r_X = rank C_X, u_X = rank B_X, decades to the nearest threshold."""

    own: Count
    free: Count
    margin: Array


@dataclass(frozen=True, eq=False)
class Verdicts(Deferring):
    """Per group (…, g): rank of its wrench, determined components with both plausible ends, margin, doubt."""

    own: Ints
    determined: Ints
    low: Ints
    high: Ints
    margin: Array
    multipliers_unique: NDArray[np.bool_]
    doubt: NDArray[np.int8]  # (see Doubt) that scores do not show

    @property
    def ambiguous(self) -> NDArray[np.bool_]:
        """Where the plausible readings differ."""
        return np.asarray(self.low != self.high)

    def __getitem__(self, k: int) -> Verdicts:
        """The verdicts on matrix k of a stack."""
        return Verdicts(
            self.own[k],
            self.determined[k],
            self.low[k],
            self.high[k],
            self.margin[k],
            self.multipliers_unique[k],
            self.doubt[k],
        )

    def doubting(self, doubt: NDArray[np.int8], redundancy: Ints) -> Verdicts:
        """The verdicts with a doubt (…, g) that scores do not show; ``redundancy`` (…,): p = m − r.

        If shares that count as zero are in doubt, up to p components may be undetermined; if the rank is, none may be.
        """
        if not doubt.any():
            return self
        least = np.maximum(self.own - redundancy[..., None], 0)
        return replace(
            self,
            low=np.where((doubt > Doubt.NONE) & ~self.ambiguous, np.minimum(self.low, least), self.low),
            high=np.where((doubt == Doubt.RANK) & ~self.ambiguous, np.maximum(self.high, self.own), self.high),
            multipliers_unique=self.multipliers_unique & (doubt == Doubt.NONE),
            doubt=np.maximum(self.doubt, doubt),
        )


def share_rounding(
    factor: Factor, rank: Ints, spans: Spans, tol: Tolerances, rounding: float | Array | None = None
) -> Array:
    """What rounding can make of the share of each group (…, g) in a self-stress that it has no part in.

    p N = 0 for a direction p of the multipliers of X; with errors δC̃ it becomes −p (C̃⁺)ᵀ δC̃ᵀ N, up to ε σ_1 ‖C̃⁺_X‖,
    where C̃⁺_X = V Σ⁻¹ U_Xᵀ are its columns of the pseudoinverse: large where a reaction is nearly undetermined, and
    no larger because another part of the matrix is.  ε = tol.rounding, the error of the entries, or, of each matrix of
    a stack, ``rounding`` (…, 1).
    """
    error = tol.rounding if rounding is None else rounding
    if error is None or not factor.sigma.shape[-1]:
        return np.full((*factor.sigma.shape[:-1], spans.sizes.size), tol.zero)
    squares = np.add.reduceat(amplification(factor, rank), spans.ptr[:-1], axis=-1)
    return np.asarray(error * np.sqrt(squares))


def amplification(factor: Factor, rank: Ints) -> Array:
    """(σ_1 ‖C̃⁺_i‖)² (…, m) of the columns i of the pseudoinverse C̃⁺ = V Σ⁻¹ Uᵀ, one for each row of C̃."""
    sigma = factor.sigma
    counts = np.arange(sigma.shape[-1]) < rank[..., None]
    inverse = np.where(counts, sigma[..., :1] / np.where(counts, sigma, 1.0), 0.0)
    Y = factor.Q[..., : sigma.shape[-1]] * inverse[..., None, :]
    return np.asarray(np.add.reduce(Y * Y, axis=-1))


def group_scores(
    rows_of: Take, N: Array, spans: Spans, tol: Tolerances, rounding: Array | None = None, probes: int = 0
) -> Scores:
    """Score every group with N (…, m, p), equilibrated.

    ``rows_of`` gives C_X (…, g, k, n) for row numbers (g, k).  With C_X = U Σ Vᵀ the wrench scores are the
    singular values of Uᵀ N_X, in [0, 1]; rank(B_X), B_X = C_Xᵀ N_X, is the number of nonzero ones.
    ``rounding`` (…, g): what it can make of the score of each group.
    ``probes``: N is not a basis but holds so many random vectors of the null space.
    [Wojtyra & Frączek 2013, Eq. 27]
    """
    of_rows, free, margins = [], [], []
    for stack in spans.stacks:
        C_X, N_X = stack.pick(rows_of(stack.rows)), stack.pick(N.take(stack.rows, axis=-2))
        s_C = relative(singular_values(C_X))
        rank = count(s_C, tol)
        # Independent rows: U is orthogonal, and Uᵀ N_X has the singular values of N_X.
        independent = bool((rank.best == spans.sizes[stack.at]).all())
        s_W = singular_values(N_X if independent else wrench_rows(C_X, N_X, tol))
        of_rows.append(rank)
        free.append(count(s_W, tol, None if rounding is None else rounding[..., stack.at]))
        margins.append(decades(np.concatenate([s_C, s_W], axis=-1), tol))
    undetermined = spans.gather_counts(free)
    if probes:  # as many nonzeros as probes: there may be more than the probes can show
        undetermined = undetermined._replace(high=np.where(undetermined.high == probes, spans.sizes, undetermined.high))
    return Scores(spans.gather_counts(of_rows), undetermined, spans.gather(margins))


def wrench_rows(C_X: Array, N_X: Array, tol: Tolerances) -> Array:
    """The rows Uᵀ N_X (…, k, p) of the nonzero singular values of C_X (…, k, n)."""
    U, s, _ = np.linalg.svd(C_X, full_matrices=False)
    W = np.swapaxes(U, -1, -2) @ N_X
    return np.where((relative(s) > tol.decide)[..., None], W, 0.0)


def singular_values(W: Array) -> Array:
    """Singular values (…, min(k, p)); of one row or column its norm."""
    if 0 in W.shape[-2:]:
        return np.zeros((*W.shape[:-2], 0))
    if 1 in W.shape[-2:]:
        return np.asarray(np.sqrt(np.add.reduce(W * W, axis=(-2, -1))))[..., None]
    return np.asarray(np.linalg.svd(W, compute_uv=False), np.float64)


def decades(s: Array, tol: Tolerances) -> Array:
    """Powers of ten between the threshold and the nearest number of the last axis, at most 8 by default."""
    far = log10(tol.decide / SMALLEST_SCORE)
    apart = np.abs(np.log10(np.maximum(s, SMALLEST_SCORE) / tol.decide))
    return np.asarray(np.minimum.reduce(apart, axis=-1, initial=far))


def judge(C: Array, factor: Factor, spans: Spans, tol: Tolerances, rounding: Array | None = None) -> Verdicts:
    """Verdicts of all groups from Q and σ, read with every plausible rank; ``rounding``: see ``share_rounding``."""
    ranks = plausible_ranks(factor.sigma, tol)
    zero = share_rounding(factor, ranks.best, spans, tol, rounding)
    readings = [
        read(C, factor, ranks.best, spans, tol, zero),
        *(
            read(C, factor, rank, spans, tol, share_rounding(factor, rank, spans, tol, rounding))
            for rank in readings_of(ranks)[1:]
        ),
    ]
    verdicts = combine(readings, spans.sizes)
    error = tol.rounding if rounding is None else rounding
    if error is None:
        return verdicts
    bare = tol.rank_rounding is not None
    doubt = near_misses(C, factor, ranks.best, spans, np.minimum(tol.zero, zero), error, bare)
    return verdicts.doubting(doubt, C.shape[-2] - ranks.best)


def readings_of(ranks: Count) -> list[Ints]:
    """The ranks under which a matrix is read: the best guess, then the plausible ends where they differ from it."""
    if (ranks.low == ranks.high).all():
        return [ranks.best]
    return [ranks.best, *(r for r in (ranks.low, ranks.high) if (r != ranks.best).any())]


def read(C: Array, factor: Factor, rank: Ints, spans: Spans, tol: Tolerances, zero: Array) -> Scores:
    """Scores under one assumed rank; ``zero`` (…, g): what rounding can make of the score of each group."""
    return group_scores(lambda rows: C.take(rows, axis=-2), left(factor.Q, rank), spans, tol, zero)


def combine(readings: list[Scores], sizes: Ints) -> Verdicts:
    """One verdict from the plausible readings; the first is the best guess.

    The multipliers of a group are unique where its wrench is and its rows are independent.
    """
    best = readings[0]
    low = reduce(np.minimum, (s.own.low - s.free.high for s in readings))
    high = reduce(np.maximum, (s.own.high - s.free.low for s in readings))
    return Verdicts(
        own=best.own.best,
        determined=np.maximum(best.own.best - best.free.best, 0),
        low=np.maximum(low, 0),
        high=np.maximum(high, 0),
        margin=reduce(np.minimum, (s.margin for s in readings)),
        multipliers_unique=reduce(np.logical_and, ((s.free.high <= 0) & (s.own.low == sizes) for s in readings)),
        doubt=np.zeros(best.own.best.shape, dtype=np.int8),
    )


def either(a: Verdicts, b: Verdicts) -> Verdicts:
    """The verdicts a with the plausible ends of both; a wrench of another rank is ambiguous too."""
    widest = np.where(a.own == b.own, 0, np.maximum(a.own, b.own))
    return Verdicts(
        own=a.own,
        determined=a.determined,
        low=np.minimum(a.low, b.low),
        high=np.maximum(np.maximum(a.high, b.high), widest),
        margin=np.minimum(a.margin, b.margin),
        multipliers_unique=a.multipliers_unique & b.multipliers_unique,
        doubt=np.maximum(a.doubt, b.doubt),
    )
