"""The published tests of solvability, interchangeable: each turns an equilibrated matrix into verdicts.

All of them count u_X = rank(B_X), the components of the wrench of group X that the model leaves open;
they must agree, since rank(B_X) = r_X + r_Y − r.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.linear.nullspace import Factor, by_qr, left
from reactio.linear.rank import Count, Tolerances, count
from reactio.solvability.scores import (
    Scores,
    Verdicts,
    combine,
    decades,
    distinct,
    floors,
    judge,
    kept,
    singular_values,
)

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Decider = Callable[[Array, Ints, Tolerances, Factor], Verdicts]


def nullspace(C: Array, ptr: Ints, tol: Tolerances, factor: Factor) -> Verdicts:
    """P λ is unique iff P N = 0: one null space N, one predicate, here with the wrench of each group as P."""
    return judge(C, factor, ptr, tol)


def svd(C: Array, ptr: Ints, tol: Tolerances, factor: Factor) -> Verdicts:
    """B_X = C_Xᵀ U_X, U the last m − r left singular vectors.  [Wojtyra 2009; 2013, Sect. 3.3]"""
    return _published(C, factor, ptr, tol)


def qr(C: Array, ptr: Ints, tol: Tolerances, factor: Factor) -> Verdicts:
    """B_X = C_Xᵀ Q_X^col, Q^col the last m − r columns of C E = Q R.  [Wojtyra & Frączek 2013, Eq. 27]"""
    return _published(C, by_qr(C), ptr, tol)


def rank(C: Array, ptr: Ints, tol: Tolerances, factor: Factor) -> Verdicts:
    """The reaction of X is unique iff r = r_X + r_Y (direct sum).  [Sharma & Ghosal, Eq. 6]"""
    r = kept(factor.sigma, tol)
    groups = [np.arange(a, b) for a, b in itertools.pairwise(ptr)]
    inside = [singular_values(C[X]) for X in groups]
    outside = [singular_values(np.delete(C, X, axis=0)) for X in groups]
    r_X, r_Y = _stack([kept(s, tol) for s in inside]), _stack([kept(s, tol) for s in outside])
    free = Count(r_X.best + r_Y.best - r.best, r_X.low + r_Y.low - r.high, r_X.high + r_Y.high - r.low)
    determined = r.best - r_Y.best
    return Verdicts(
        own=r_X.best,
        determined=np.maximum(determined, 0),
        low=np.maximum(np.minimum(determined, r_X.low - free.high), 0),
        high=np.maximum(determined, r_X.high - free.low),
        margin=np.array([_margin(a, b, tol) for a, b in zip(inside, outside, strict=True)]),
        multipliers_unique=(free.high <= 0) & (r_X.low == np.diff(ptr)),
    )


DECIDERS: dict[str, Decider] = {"nullspace": nullspace, "qr": qr, "svd": svd, "rank": rank}


def outside_ranks(C: Array, ptr: Ints, groups: Ints, tol: Tolerances) -> Ints:
    """r_Y of the rows outside each given group, by pivoted QR: independent of the null space of C."""
    from scipy.linalg.lapack import dgeqp3

    out = np.empty(groups.size, np.int64)
    for k, g in enumerate(groups):
        Y = np.concatenate((C[: ptr[g]], C[ptr[g + 1] :]))
        if not len(Y):
            out[k] = 0
            continue
        d = np.abs(dgeqp3(Y.T, overwrite_a=True)[0].diagonal())
        out[k] = np.count_nonzero(d > tol.decide * d[0])
    return out


def _published(C: Array, factor: Factor, ptr: Ints, tol: Tolerances) -> Verdicts:
    """Verdicts from rank(B_X), B_X (n, p) formed as printed, on the equilibrated matrix."""
    ranks = kept(factor.sigma, tol)
    readings = [_read(C, left(factor.Q, r), ptr, tol, floors(factor.sigma, r, tol)) for r in distinct(ranks)]
    return combine(readings)


def _read(C: Array, N: Array, ptr: Ints, tol: Tolerances, zero: Any) -> Scores:
    pairs = [(C[a:b], N[a:b]) for a, b in itertools.pairwise(ptr)]
    inside = [singular_values(C_X) for C_X, _ in pairs]
    B = [singular_values(C_X.T @ N_X) / s[0] for (C_X, N_X), s in zip(pairs, inside, strict=True)]
    return Scores(
        _stack([kept(s, tol) for s in inside]),
        _stack([count(s, tol, zero) for s in B]),
        np.array([min(decades(s / s[0], tol), decades(b[: s.size], tol)) for s, b in zip(inside, B, strict=True)]),
        np.array([(N_X * N_X).sum(1).max(initial=0.0) <= zero * zero for _, N_X in pairs]),
    )


def _margin(inside: Array, outside: Array, tol: Tolerances) -> float:
    s = np.concatenate([inside / inside[0], outside / outside[0] if outside.size else outside])
    return float(decades(s, tol))


def _stack(counts: list[Count]) -> Count:
    best, low, high = (np.array([c[i] for c in counts], dtype=np.int64) for i in range(3))
    return Count(best, low, high)
