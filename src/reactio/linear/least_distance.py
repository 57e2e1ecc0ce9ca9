"""The point of a polyhedron that is nearest to a given one."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats

DEPENDENT = 1e-10  # singular values below this part of the largest belong to dependent equations
EMPTY = 1e-12  # residual of the dual problem, of unit length, at which no point satisfies the inequalities


def least_distance(x: Floats, B: Floats, b: Floats, G: Floats, h: Floats) -> Floats | None:
    """y (n,) of min |y − x| with B y = b and G y ≤ h, or None where no point satisfies the inequalities.

    The equations are met in the least squares sense where they contradict each other.  The rest is a problem of
    non-negative least squares: Lawson & Hanson 1995, Solving least squares problems, Sect. 23.4 (LDP).

    >>> least_distance(np.array([0.0, 3.0]), np.array([[1.0, 0.0]]), np.ones(1), np.array([[0.0, 1.0]]), np.ones(1))
    array([1., 1.])
    """
    from scipy.optimize import nnls

    free = G
    if len(B):
        _, s, Vt = np.linalg.svd(B, full_matrices=False)
        V = Vt[s > DEPENDENT * s.max(initial=0.0)]
        x = x + np.linalg.lstsq(B, b - B @ x, rcond=DEPENDENT)[0]
        free = G - (G @ V.T) @ V  # along what the equations leave free
    over = G @ x - h
    if not (over > 0.0).any():
        return x
    size = float(np.abs(over).max())
    E = np.vstack([-free.T, over / size])
    unit = np.eye(len(E))[-1]
    u, _ = nnls(E, unit, maxiter=100 * len(E) + 1000)
    r = E @ u - unit
    if abs(r[-1]) < EMPTY:
        return None
    return np.asarray(x - size * r[:-1] / r[-1])
