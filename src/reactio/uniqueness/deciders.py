"""The published tests of solvability, interchangeable: each turns an equilibrated matrix into verdicts.

All of them count u_X = rank(B_X), the components of the wrench of group X that the model leaves open;
they must agree, since rank(B_X) = r_X + r_Y − r.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reactio.linear.lapack import pivoted_qr
from reactio.linear.nullspace import Factor, by_qr, left
from reactio.linear.rank import EPS, Count, Tolerances, count, plausible_ranks, relative
from reactio.linear.spans import Spans, Stack
from reactio.uniqueness.scores import (
    Scores,
    Verdicts,
    combine,
    decades,
    judge,
    readings_of,
    share_rounding,
    singular_values,
)

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
BASIS_ROUNDING = 16 * EPS  # times the condition of a basis of rows: error of the others as combinations of them
Decider = Callable[[Array, Spans, Tolerances, Factor], Verdicts]


def nullspace(C: Array, spans: Spans, tol: Tolerances, factor: Factor) -> Verdicts:
    """P λ is unique iff P N = 0: one null space N, one predicate, here with the wrench of each group as P."""
    return judge(C, factor, spans, tol)


def svd(C: Array, spans: Spans, tol: Tolerances, factor: Factor) -> Verdicts:
    """B_X = C_Xᵀ U_X, U the last m − r left singular vectors.  [Wojtyra 2009; 2013, Sect. 3.3]"""
    return _published(C, factor, spans, tol, factor)


def qr(C: Array, spans: Spans, tol: Tolerances, factor: Factor) -> Verdicts:
    """B_X = C_Xᵀ Q_X^col, Q^col the last m − r columns of C E = Q R.  [Wojtyra & Frączek 2013, Eq. 27]"""
    return _published(C, by_qr(C), spans, tol, factor)


def rank(C: Array, spans: Spans, tol: Tolerances, factor: Factor) -> Verdicts:
    """The reaction of X is unique iff r = r_X + r_Y (direct sum).  [Sharma & Ghosal, Eq. 6]"""
    r = plausible_ranks(factor.sigma, tol)
    groups = [np.arange(a, b) for a, b in itertools.pairwise(spans.ptr)]
    inside = [singular_values(C[X]) for X in groups]
    outside = [singular_values(np.delete(C, X, axis=0)) for X in groups]
    r_X, r_Y = _stack([plausible_ranks(s, tol) for s in inside]), _stack([_kept_outside(s, tol) for s in outside])
    free = Count(r_X.best + r_Y.best - r.best, r_X.low + r_Y.low - r.high, r_X.high + r_Y.high - r.low)
    determined = r.best - r_Y.best
    return Verdicts(
        own=r_X.best,
        determined=np.maximum(determined, 0),
        low=np.maximum(np.minimum(determined, r_X.low - free.high), 0),
        high=np.maximum(determined, r_X.high - free.low),
        margin=np.array([_margin(a, b, tol) for a, b in zip(inside, outside, strict=True)]),
        multipliers_unique=(free.high <= 0) & (r_X.low == spans.sizes),
        doubt=np.zeros(r_X.best.shape, dtype=np.int8),
    )


DECIDERS: dict[str, Decider] = {"nullspace": nullspace, "qr": qr, "svd": svd, "rank": rank}


def outside_ranks(C: Array, spans: Spans, tol: Tolerances) -> Ints:
    """r_Y (g,) of the rows Y outside each group X, by exchange of rows: no null space of C takes part.

    r_Y = r − |X ∩ B| + rank D[X ∩ B, Z − X],   C_Zᵀ = C_Bᵀ D,   D = R_B⁻¹ R_Z   from pivoted QR, Cᵀ = Q [R_B R_Z] Eᵀ

    B: r rows that are a basis of all, Z: the m − r others.  Without X the basis loses its members in X; it gets
    back as many as the rows of Z outside X can replace.
    """
    R, order = pivoted_qr(C.T)
    d = np.abs(R.diagonal())
    r, m = int(np.count_nonzero(d > tol.decide * d[0])), len(C)
    B, Z = order[:r], order[r:]
    if r in (0, m):
        return np.maximum(r - spans.sizes, 0)  # every row counts, or none
    D = np.zeros((m, m - r))
    D[B] = np.linalg.solve(np.triu(R[:r, :r]), R[:r, r:])
    zero = max(tol.decide, BASIS_ROUNDING * d[0] / d[r - 1])
    regained = [_replaceable(D, stack, spans.owner[Z], zero) for stack in spans.stacks]
    lost = np.bincount(spans.owner[B], minlength=spans.sizes.size)
    return np.asarray(r - lost + spans.gather(regained))


def _replaceable(D: Array, stack: Stack, owner: Ints, zero: float) -> Ints:
    """rank D[X ∩ B, Z − X] of the groups of a stack; ``owner``: the groups of Z."""
    others = owner != stack.at[:, None, None]
    s = singular_values(stack.pick(D.take(stack.rows, axis=0)) * others)
    return np.asarray(np.add.reduce(s > zero, axis=-1, dtype=np.int64))


def _kept_outside(sigma: Array, tol: Tolerances) -> Count:
    """The plausible ranks without a group: a small share of the group leaves them a small singular value."""
    return count(relative(sigma), tol, None if tol.rounding is None else np.array(min(tol.zero, tol.rounding)))


def _published(C: Array, factor: Factor, spans: Spans, tol: Tolerances, singular: Factor) -> Verdicts:
    """Verdicts from rank(B_X), B_X (n, p) formed as printed, on the equilibrated matrix; ``singular``: by SVD."""
    ranks = plausible_ranks(factor.sigma, tol)
    zero = share_rounding(singular, plausible_ranks(singular.sigma, tol).best, spans, tol)
    readings = [_read(C, left(factor.Q, r), spans, tol, zero) for r in readings_of(ranks)]
    return combine(readings, spans.sizes)


def _read(C: Array, N: Array, spans: Spans, tol: Tolerances, zero: Array) -> Scores:
    """Scores of all groups with one null space N (m, p)."""
    pairs = [(C[a:b], N[a:b]) for a, b in itertools.pairwise(spans.ptr)]
    inside = [singular_values(C_X) for C_X, _ in pairs]
    B = [singular_values(C_X.T @ N_X) / _top(s) for (C_X, N_X), s in zip(pairs, inside, strict=True)]
    return Scores(
        _stack([plausible_ranks(s, tol) for s in inside]),
        _stack([count(s, tol, limit) for s, limit in zip(B, zero, strict=True)]),
        np.array([min(decades(s / _top(s), tol), decades(b[: s.size], tol)) for s, b in zip(inside, B, strict=True)]),
    )


def _top(s: Array) -> float:
    """The largest singular value, 1 where all are zero."""
    return float(s[0]) if s.size and s[0] > 0.0 else 1.0


def _margin(inside: Array, outside: Array, tol: Tolerances) -> float:
    """Decades between the threshold and the nearest singular value of the rows inside and outside a group."""
    s = np.concatenate([inside / _top(inside), outside / _top(outside)])
    return float(decades(s, tol))


def _stack(counts: list[Count]) -> Count:
    """Counts of many groups as arrays (g,)."""
    return Count(*(np.array(ends, dtype=np.int64) for ends in zip(*counts, strict=True)))
