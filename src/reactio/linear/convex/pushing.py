"""Multipliers of smallest size that only push where they must: min |y|² subject to A y = f, y ≥ 0 on some columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.errors import ReactioError
from reactio.linear.convex.least_distance import least_distance
from reactio.linear.least_norm import DENSE_COLUMNS, least_norm
from reactio.linear.precision import BALANCE, ROUNDOFF

MOST_DUAL_STEPS = 200  # every step changes the set of columns that push, and a handful of steps settle it
NOT_FOUND = "The split of smallest size with pushing contacts was not found"
STEP_ROUNDING = 1e-8  # part of the residual that a Newton step may leave outside the range of the pushing columns


def least_pushing(A: Any, f: Floats, pushing: Bools) -> Floats:
    """y (m,) of smallest |y| with A y = f (n,), y ≥ 0 where ``pushing``; A (n, m) CSR."""
    y = least_norm(A, f)
    y = y + least_norm(A, f - A @ y)
    if not pushing.any() or (y[pushing] >= -ROUNDOFF * np.abs(y).max(initial=0.0)).all():
        return np.where(pushing, np.maximum(y, 0.0), y)
    f = A @ y  # without the rounding that lies beyond the reach of all columns
    pushes = _nearest(A, f, pushing) if A.shape[1] <= DENSE_COLUMNS else _by_dual(A, f, pushing, y)
    return _on_its_support(A, f, pushing, pushes)


def _nearest(A: Any, f: Floats, pushing: Bools) -> Floats:
    """The same as the point of a polyhedron that is nearest to zero, for matrices that may be dense."""
    m = A.shape[1]
    slack = np.full(int(pushing.sum()), BALANCE * float(np.abs(f).max()))
    y = least_distance(np.zeros(m), A.toarray(), f, -np.eye(m)[pushing], slack)
    if y is None:
        raise ReactioError(f"{NOT_FOUND}: no pushes balance this load.")
    return y


def _by_dual(A: Any, f: Floats, pushing: Bools, y: Floats) -> Floats:
    """The same for large and sparse matrices; y: the smallest without signs.

    Its dual is unconstrained: y = Aᵀu, cut to max(0, ·) where pushing, with u the maximum of the concave function
    fᵀu − ½|y(u)|², whose gradient is f − A y.  Between changes of the columns B of A that push it is quadratic: the
    Newton step (B Bᵀ)⁺(f − A y) leads to its top, unless a part of the gradient lies beyond the reach of B, along
    which it grows until a further column pushes.  Both with an exact search along the line, so that finitely many
    steps suffice (Hintermüller, Ito & Kunisch 2002, SIAM J. Optim. 13, for the semismooth Newton method).
    """
    size = float(np.abs(f).max())
    u = least_norm(A.T.tocsr(), y)
    for _ in range(MOST_DUAL_STEPS):
        y = np.asarray(A.T @ u)
        y = np.where(pushing, np.maximum(y, 0.0), y)
        rest = f - A @ y
        if np.abs(rest).max() <= ROUNDOFF * size:
            return y
        B = A[:, np.flatnonzero(~pushing | (y > 0.0))].tocsr()
        z = least_norm(B, rest)
        beyond = rest - B @ z
        steep = np.abs(beyond).max() > STEP_ROUNDING * np.abs(rest).max()
        u = _top(A, f, pushing, u, beyond if steep else least_norm(B.T.tocsr(), z))
    raise ReactioError(
        f"{NOT_FOUND}: {MOST_DUAL_STEPS} steps of Newton's method leave {np.abs(rest).max() / size:.2g} of the load."
    )


def _top(A: Any, f: Floats, pushing: Bools, u: Floats, d: Floats) -> Floats:
    """The highest point of the dual function on the line u + t d, t ≥ 0.

    Its slope fᵀd − Σ (a + t s) s, a = Aᵀu and s = Aᵀd, over the columns that push at t, falls, and is linear between
    the places t = −a/s where a column begins or ceases to push.
    """
    a, s = np.asarray(A.T @ u), np.asarray(A.T @ d)
    on = ~pushing | (a > 0.0) | ((a == 0.0) & (s > 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        turns = np.where(pushing & (s != 0.0), -a / s, -1.0)
    at = np.flatnonzero(turns > 0.0)
    at = at[np.argsort(turns[at])]
    change = np.sign(s[at])  # a column that rises begins to push, one that falls ceases
    level = float(f @ d) - np.cumsum([float(a[on] @ s[on]), *(change * a[at] * s[at])])
    fall = np.cumsum([float(s[on] @ s[on]), *(change * s[at] ** 2)])
    ends = np.append(turns[at], np.inf)
    for upper, c, k in zip(ends, level, fall, strict=True):
        if c - k * upper <= 0.0 and k > 0.0:
            return np.asarray(u + max(0.0, c / k) * d)
    raise ReactioError(f"{NOT_FOUND}: no pushes balance this load.")


def _on_its_support(A: Any, f: Floats, pushing: Bools, y: Floats) -> Floats:
    """The same y to the last digits: least norm over the columns that push."""
    active = np.flatnonzero(~pushing | (y > ROUNDOFF * np.abs(y).max()))
    B = A[:, active].tocsr()
    z = least_norm(B, f)
    z = z + least_norm(B, f - B @ z)
    out = np.zeros_like(y)
    out[active] = z
    return np.where(pushing, np.maximum(out, 0.0), out)
