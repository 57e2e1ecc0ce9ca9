"""The point of a polyhedron that is nearest to a given one."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.linear.precision import LAST_DIGIT, ROUNDOFF, SINGULAR

# Part of the terms of an inequality by which it may be missed: sums of products are known to some 1e-15 of them, and
# opposite inequalities, as those of the two walls of a slot, contradict each other by that much.
INEQUALITY_ROUNDING = ROUNDOFF
ANSWER_ROUNDING = 1e-7  # part of these terms to which the answer must satisfy all conditions, else it is none
MOST_UNITS = 10.0  # of length of the smallest vector of a polyhedron; a longer one is found again in its own unit


def least_distance(x: Floats, B: Floats, b: Floats, G: Floats, h: Floats) -> Floats | None:
    """y (n,) of min |y − x| with B y = b and G y ≤ h, or None where no point satisfies the inequalities.

    The equations are met in the least squares sense where they contradict each other.  The rest is a problem of
    non-negative least squares: Lawson & Hanson 1995, Solving least squares problems, Sect. 23.4 (LDP).

    >>> least_distance(np.array([0.0, 3.0]), np.array([[1.0, 0.0]]), np.ones(1), np.array([[0.0, 1.0]]), np.ones(1))
    array([1., 1.])
    """
    length = np.linalg.norm(G, axis=1)
    G, h = G / np.where(length > 0.0, length, 1.0)[:, None], h / np.where(length > 0.0, length, 1.0)
    free, given = G, x
    if len(B):
        _, s, Vt = np.linalg.svd(B, full_matrices=False)
        V = Vt[s > SINGULAR * s.max(initial=0.0)]
        x = x + np.linalg.lstsq(B, b - B @ x, rcond=SINGULAR)[0]
        free = across(G, V)
    terms = np.abs(G) @ (np.abs(x) + np.abs(given)) + np.abs(h)
    largest = float(terms.max(initial=0.0))
    over, moves = G @ x - h, free.any(axis=1)
    # The last digit of the largest term of all is the rounding of rows that should have no terms at all.
    pushes = least_pushes(free[moves], (over - INEQUALITY_ROUNDING * terms - LAST_DIGIT * largest)[moves])
    if pushes is None:
        return None
    y = x - free[moves].T @ pushes
    missed = G @ y - h - ANSWER_ROUNDING * (terms + np.abs(G) @ np.abs(y)) - INEQUALITY_ROUNDING * largest
    return None if (missed > 0.0).any() else np.asarray(y)


def across(rows: Floats, V: Floats) -> Floats:
    """The part of rows (k, n) across unit vectors V (r, n) at right angles: exactly 0 where it is only rounding."""
    rest = rows - (rows @ V.T) @ V
    rest -= (rest @ V.T) @ V  # once more, so that a small rest has digits of its own
    rounding = np.linalg.norm(rest, axis=1) <= SINGULAR * np.linalg.norm(rows, axis=1)
    rest[rounding] = 0.0
    return np.asarray(rest)


def least_pushes(G: Floats, over: Floats) -> Floats | None:
    """λ ≥ 0 (k,) of min ½ |Gᵀλ|² − overᵀλ, or None where it has no smallest value.

    z = Gᵀλ is the smallest one with G z ≥ over.  λ = w σ/(1 − overᵀw/σ), with w ≥ 0 of min |Gᵀw|² + (overᵀw/σ − 1)²:
    any unit σ does, but digits are lost where it is much smaller than |z|.
    """
    from scipy.optimize import nnls

    if not (over > 0.0).any():
        return np.zeros(len(over))
    size, pushes = float(np.abs(over).max()), np.zeros(0)
    for _ in range(2):  # the first finds the unit
        E = np.vstack([G.T, over / size])
        unit = np.eye(len(E))[-1]
        w, _ = nnls(E, unit, maxiter=100 * len(E) + 1000)
        rest = 1.0 - float(E[-1] @ w)
        if rest < ROUNDOFF:
            return None
        pushes = size * w / rest
        far = float(np.linalg.norm(G.T @ pushes))
        if far <= MOST_UNITS * size:
            break
        size = far
    return np.asarray(pushes)
