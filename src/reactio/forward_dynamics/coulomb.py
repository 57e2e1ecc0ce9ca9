"""Friction and reactions that depend on each other: e_i = a_i |N_i(e)| with N affine in e."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.precision import LOCATED, ROUNDOFF

MOST_ITERATIONS = 400  # Newton's method takes a few, a contraction by 0.93 takes some 400 for all digits
FIXED_POINT_ROUNDING = 4e-16  # residual, as part of its terms, that two roundings leave
LARGEST_UNSOLVED_EFFORT = ROUNDOFF  # residual, as part of its terms, accepted where iterations no longer lower it
LEAST_PIVOT = LOCATED  # of I − B: the iterations of a contraction with a factor nearer to 1 would not end


class CoulombWork(NamedTuple):
    """Arrays for the efforts of k frictions."""

    e: Floats  # (k,) the efforts
    old: Floats  # (k,) of the iteration before
    r: Floats  # (k,) a |N(e)| − e
    step: Floats  # (k,) change of e in an iteration
    x: Floats  # (k,) weights in which e → a |N(e)| contracts
    J: Floats  # (k, k) I − B, or the Jacobian of Newton's method


def coulomb_work(k: int) -> CoulombWork:
    """Arrays for k frictions."""
    e, old, r, step, x = np.zeros((5, k))
    return CoulombWork(e, old, r, step, x, np.zeros((k, k)))


@kernel(**NO_ARRAYS)
def eliminate(J: Floats, b: Floats) -> bool:
    """b ← J⁻¹b without pivoting; false when a pivot is below LEAST_PIVOT.  J is overwritten."""
    k = b.shape[0]
    for i in range(k):
        if not J[i, i] > LEAST_PIVOT:
            return False
        for l in range(i + 1, k):
            factor = J[l, i] / J[i, i]
            for j in range(i + 1, k):
                J[l, j] -= factor * J[i, j]
            b[l] -= factor * b[i]
    for i in range(k - 1, -1, -1):
        for j in range(i + 1, k):
            b[i] -= J[i, j] * b[j]
        b[i] /= J[i, i]
    return True


@kernel(**NO_ARRAYS)
def normal_reaction(N: Floats, first: int, last: int, column: int) -> float:
    """|N_i| of the components first … last in one column."""
    s = 0.0
    for c in range(first, last):
        s += N[c, column] * N[c, column]
    return math.sqrt(s)


@kernel(**NO_ARRAYS)
def contraction(of: Ints, N: Floats, a: Floats, w: CoulombWork) -> bool:
    """Has e = a |N(e)| exactly one solution?  x = (I − B)⁻¹ 1 > 0 with B_ij = |a_i| |∂N_i/∂e_j|.

    I − B is an M-matrix iff all pivots are positive; then e → a |N(e)| contracts in the norm max |e_i|/x_i.
    Berman & Plemmons 1994, Nonnegative matrices, Thm 6.2.3.
    """
    for i in range(a.shape[0]):
        w.x[i] = 1.0
        for j in range(a.shape[0]):
            w.J[i, j] = (1.0 if i == j else 0.0) - abs(a[i]) * normal_reaction(N, of[i], of[i + 1], j)
    return eliminate(w.J, w.x)


@kernel(**NO_ARRAYS)
def residual_and_jacobian(of: Ints, N: Floats, a: Floats, w: CoulombWork) -> tuple[float, float]:
    """r = a |N(e)| − e, and −∂r/∂e in J; the weighted sizes of r and of its terms return."""
    k, size, scale = a.shape[0], 0.0, 0.0
    for i in range(k):
        square, terms = 0.0, 0.0
        for c in range(of[i], of[i + 1]):
            n = N[c, k]
            terms += abs(n)
            for j in range(k):
                n += N[c, j] * w.e[j]
                terms += abs(N[c, j] * w.e[j])
            square += n * n
        length = math.sqrt(square)
        w.r[i] = a[i] * length - w.e[i]
        size, scale = max(size, abs(w.r[i]) / w.x[i]), max(scale, abs(a[i]) * terms / w.x[i])
        for j in range(k):
            w.J[i, j] = 1.0 if i == j else 0.0
        for c in range(of[i], of[i + 1]):
            n = N[c, k]
            for j in range(k):
                n += N[c, j] * w.e[j]
            for j in range(k):
                w.J[i, j] -= a[i] * (n / length if length > 0.0 else 0.0) * N[c, j]
    return size, scale


@kernel(**NO_ARRAYS)
def friction_fixed_point(of: Ints, N: Floats, a: Floats, w: CoulombWork) -> bool:
    """e of e_i = a_i |N_i + Σ_j N_ij e_j|, by Newton's steps where they halve the residual, else by e ← a |N(e)|.

    of : (k + 1,) components of each N_i.  N : (components, k + 1) their change with every e_j, and in the last column
    their values without friction [N].  a : (k,) effort per newton.  e stays in ``w``.  False: there may be no e, or
    more than one.
    """
    if not contraction(of, N, a, w):
        return False
    w.e[:] = 0.0
    size, scale = residual_and_jacobian(of, N, a, w)
    for _ in range(MOST_ITERATIONS):
        if size <= FIXED_POINT_ROUNDING * scale:
            return True
        for i in range(a.shape[0]):
            w.old[i], w.step[i] = w.e[i], w.r[i]
        newton_fails = not eliminate(w.J, w.step)
        for i in range(a.shape[0]):
            w.e[i], w.step[i] = w.old[i] + w.step[i], w.r[i]
        if not newton_fails:
            new, scale = residual_and_jacobian(of, N, a, w)
            newton_fails = not new <= 0.5 * size
        if newton_fails and size <= LARGEST_UNSOLVED_EFFORT * scale:
            for i in range(a.shape[0]):
                w.e[i] = w.old[i]
            return True
        if newton_fails:
            for i in range(a.shape[0]):
                w.e[i] = w.old[i] + w.step[i]
            new, scale = residual_and_jacobian(of, N, a, w)
        size = new
    return False
