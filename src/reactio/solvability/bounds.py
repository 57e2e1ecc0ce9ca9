"""Smallest and largest possible reactions when some rows can only push."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import Rows
from reactio.errors import ReactioError
from reactio.linear.rank import Tolerances
from reactio.solvability.engine import solvability

Array = NDArray[np.float64]
CONSISTENT = 1e-8  # part of the load outside the reach of Cᵀ that passes for rounding


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """Interval [low, high] (m,) of every multiplier, ±inf where nothing limits it."""

    low: Array
    high: Array
    tol: float

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Where the interval has no width: determined by rank or by sign."""
        return np.asarray(self.high - self.low <= self.tol)


def bounds(
    C: Any,
    f: Array,
    unilateral: Iterable[int | str] = (),
    groups: Mapping[str, Rows] | None = None,
    *,
    tolerances: Tolerances | None = None,
) -> Bounds:
    """Intervals of each λ_i over all λ with Cᵀλ = f and λ ≥ 0 on the unilateral rows, given here or known to C.

    C (m, n); f = Q − M v̇ (n,); λ = λ₀ + N z leaves one small linear programme in z (p,) for each end.

    >>> C = np.array([[1.0], [1.0]])
    >>> bounds(C, np.array([3.0]), unilateral=[0, 1]).high.round(6).tolist()
    [3.0, 3.0]
    """
    answer = solvability(C, groups, unilateral=unilateral, tolerances=tolerances)
    Dr = answer.in_given_order(answer.evidence.scaled.Dr)
    A = answer.in_given_order(_dense(answer.matrix.C)).T * Dr
    load = np.asarray(f, dtype=np.float64)
    if load.shape != (answer.n,) or not np.isfinite(load).all():
        raise ReactioError(f"The load f must be {answer.n} finite numbers, one per column of C.")
    start = np.asarray(np.linalg.lstsq(A, load, rcond=1e-10)[0], np.float64)
    if np.linalg.norm(A @ start - load) > CONSISTENT * np.linalg.norm(load):
        raise ReactioError("No reactions balance this load: f is not a combination of the rows of C.")
    basis = answer.N / Dr[:, None]
    low, high = _intervals(start, basis / np.maximum(np.linalg.norm(basis, axis=0), 1e-300), answer.unilateral)
    return Bounds(low * Dr, high * Dr, 1e-7 * float(np.abs(start * Dr).max(initial=1e-300)))


def _dense(C: Any) -> Array:
    return np.asarray(C if isinstance(C, np.ndarray) else C.toarray())


def _intervals(start: Array, N: Array, pushing: tuple[int, ...]) -> tuple[Array, Array]:
    """Both ends of start + N z over { z : start + N z ≥ 0 on the pushing rows }."""
    from scipy.optimize import linprog

    low, high = start.copy(), start.copy()
    rows = list(pushing)
    A_ub, b_ub = (-N[rows], start[rows]) if rows else (None, None)
    if N.shape[1] == 0:
        if np.any(start[rows] < -CONSISTENT * np.abs(start).max(initial=0.0)):
            raise ReactioError("This load needs pull on a row that can only push: contact is lost.")
        return low, high
    for i in np.flatnonzero(np.linalg.norm(N, axis=1) > 1e-9):
        for sign, ends in ((1.0, low), (-1.0, high)):
            found = linprog(sign * N[i], A_ub, b_ub, bounds=(None, None))
            if found.status == 2:
                raise ReactioError("This load needs pull on a row that can only push: contact is lost.")
            ends[i] = start[i] + sign * float(found.fun or 0.0) if found.status == 0 else -sign * np.inf
    return low, high
