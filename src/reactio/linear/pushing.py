"""Multipliers of smallest size that only push where they must: min |y|² subject to A y = f, y ≥ 0 on some columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.linear.least_norm import least_norm

STEPS = 200  # of Newton's method: every step changes the set of columns that push, and a handful of them settle it
MET = 1e-11  # part of f that may be left
UNCHANGED = 1e-13  # growth of the dual function that is rounding


def least_pushing(A: Any, f: Floats, pushing: NDArray[np.bool_]) -> Floats:
    """y (m,) of smallest |y| with A y = f (n,), y ≥ 0 where ``pushing``; A (n, m) CSR.

    Its dual is unconstrained: y = Aᵀu, cut to max(0, ·) where pushing, with u the maximum of fᵀu − ½|y(u)|².  Newton's
    method on A y(u) = f ends after finitely many steps (Hintermüller, Ito & Kunisch 2002 for the semismooth method).
    """
    y = least_norm(A, f)
    y = y + least_norm(A, f - A @ y)
    size = float(np.abs(f).max(initial=0.0))
    if not pushing.any() or (y[pushing] >= -MET * np.abs(y).max(initial=0.0)).all():
        return np.where(pushing, np.maximum(y, 0.0), y)
    u = least_norm(A.T.tocsr(), y)
    for _ in range(STEPS):
        y = _cut(A, u, pushing)
        left = f - A @ y
        if np.abs(left).max() <= MET * size:
            return _on_its_support(A, f, pushing, y)
        active = ~pushing | (y > 0.0)
        B = A[:, np.flatnonzero(active)]
        step = least_norm((B @ B.T).tocsr(), left)
        u = _ahead(A, f, pushing, u, step, float(left @ step))
    raise ReactioError(
        "The split of smallest size with pushing contacts was not found: Newton's method does not settle."
    )


def _cut(A: Any, u: Floats, pushing: NDArray[np.bool_]) -> Floats:
    y = np.asarray(A.T @ u)
    return np.where(pushing, np.maximum(y, 0.0), y)


def _ahead(A: Any, f: Floats, pushing: NDArray[np.bool_], u: Floats, step: Floats, slope: float) -> Floats:
    """u moved along the step as far as the dual function grows (Armijo)."""

    def dual(at: Floats) -> float:
        y = _cut(A, at, pushing)
        return float(f @ at - 0.5 * y @ y)

    here, part = dual(u), 1.0
    while dual(u + part * step) < here + 1e-4 * part * slope - UNCHANGED * abs(here):
        part *= 0.5
        if part < 1e-10:
            raise ReactioError(
                "The split of smallest size with pushing contacts was not found: its dual does not grow."
            )
    return np.asarray(u + part * step)


def _on_its_support(A: Any, f: Floats, pushing: NDArray[np.bool_], y: Floats) -> Floats:
    """The same y to the last digits: least norm over the columns that push."""
    active = np.flatnonzero(~pushing | (y > 0.0))
    B = A[:, active].tocsr()
    z = least_norm(B, f)
    z = z + least_norm(B, f - B @ z)
    out = np.zeros_like(y)
    out[active] = z
    return np.where(pushing, np.maximum(out, 0.0), out)
