"""First order: the motions a pose admits, V = null(C), and the self-stresses it bears, N = null(Cᵀ)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.kinematics.close import displaced, newton, residual
from reactio.kinematics.scaled_matrix import in_metres
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.linear.precision import LOCATED, ROUNDOFF
from reactio.singular.second_order.drive_path import DrivePath, along_path
from reactio.system.equations import Equations, equations
from reactio.system.geometry.accuracy import known_accuracy
from reactio.system.types import State, System
from reactio.uniqueness import solvability

# [characteristic lengths] at which a pose is closed: rounding of positions and their sums.
POLISHED_RESIDUAL = ROUNDOFF / 10
MOST_POLISHING_STEPS = 8  # steps of Newton's method: from 1e-4 it takes three
UNCLEAR_SINGULAR_VALUES = (1e-10, 1e-5)  # parts of the largest: smaller ones are rounding, larger ones geometry
# Part of the largest singular value below which directions are left alone: at a distance s from a singular pose
# (in characteristic lengths, 1e-3 and more) singular values of order s count, those of rounding (1e-10) do not.
FOLLOWED_SINGULAR_VALUE = LOCATED
MOST_VELOCITIES = 200  # of a model whose start is examined: a decomposition of C then takes some milliseconds
LARGEST_PART_OUTSIDE = 1e-3  # of a unit motion or self-stress outside a space it belongs to; others are far outside


@dataclass(frozen=True, slots=True, eq=False)
class NullSpaces:
    """Null spaces at a pose; everything is in metres: radians count as the arc on the characteristic length."""

    system: System
    state: State
    sigma: Floats  # (min(m, n),) singular values of C, descending
    rank: int
    V: Floats  # (n, n − rank) orthonormal in metres; with a path (n + 1, …), the last row how far drives go
    N: Floats  # (m, m − rank) orthonormal
    path: DrivePath | None = None  # along which drives go; without one they are held where they are
    clear: bool | None = None  # is the rank beyond doubt within the accuracy of the geometry; None where none is given

    @property
    def differential(self) -> int:
        """n − rank: independent admissible motions, that of the drives counted as one more."""
        return int(self.V.shape[1])

    @property
    def confident(self) -> bool:
        """No singular value lies where rounding and geometry cannot be distinguished."""
        if self.clear is not None:
            return self.clear
        relative = self.sigma / self.sigma[0] if self.sigma.size else self.sigma
        return not bool(np.any((relative > UNCLEAR_SINGULAR_VALUES[0]) & (relative < UNCLEAR_SINGULAR_VALUES[1])))

    def velocities(self, x: Floats) -> Floats:
        """Columns in metres per second as velocities [m/s, rad/s] of the bodies."""
        scale = self.system.column_scale / self.system.length
        x = x[: self.system.n]
        return np.asarray(scale * x if x.ndim == 1 else scale[:, None] * x)


def at_rest(system: System, state: State) -> State:
    """The same pose with velocities zero."""
    return replace(state, v=np.zeros(system.n))


def null_spaces(system: System, state: State, cut: float = ZERO_PIVOT, path: DrivePath | None = None) -> NullSpaces:
    """Both null spaces at a pose; singular values below ``cut`` times the largest count as zero."""
    C, _ = along_path(equations(system, at_rest(system, state)), path)
    if not system.m:
        return NullSpaces(system, state, np.zeros(0), 0, np.eye(system.n), np.zeros((0, 0)))
    U, sigma, Vt = np.linalg.svd(C, full_matrices=True)
    rank = int((sigma > cut * sigma[0]).sum())
    clear: bool | None = None
    if known_accuracy(system) is not None and path is None:
        decision = solvability(equations(system, at_rest(system, state)).constraints).decision
        rank, clear = decision.rank, decision.confident
    V, N = np.ascontiguousarray(Vt[rank:].T), np.ascontiguousarray(U[:, rank:])
    return NullSpaces(system, state, sigma, rank, V, N, path, clear)


def open_to_second_order(system: System, state: State) -> NullSpaces | None:
    """The null spaces at a pose where second-order conditions may exclude motions: one that bears a self-stress and
    admits two motions or more.  None at all others, and for large models.
    """
    if not system.m or system.n > MOST_VELOCITIES:
        return None
    at = null_spaces(system, state)
    return at if at.N.shape[1] and at.differential >= 2 else None


def minimum_norm(A: Floats, b: Floats, cut: float = ZERO_PIVOT) -> Floats:
    """The smallest x that minimises |A x − b|, singular values below ``cut`` times the largest taken as zero."""
    return np.asarray(np.linalg.lstsq(A, b, rcond=cut)[0])


def along_axes(W: Floats, size: int) -> Floats:
    """An orthonormal basis (n, size) of the span of W, always the same one for the same space.

    Each vector is the projection on the space, less the vectors before, of the axis whose projection is longest; of
    equal ones the first.
    """
    P, E = W @ W.T, np.zeros((len(W), size))
    for k in range(size):
        length = np.diagonal(P)  # squared, of the projections of the axes
        i = int(np.flatnonzero(length > (1 - LOCATED) * length.max())[0])
        E[:, k] = P[:, i] / np.linalg.norm(P[:, i])
        P = P - np.outer(E[:, k], E[:, k] @ P)
    return E


def polished(system: System, state: State, cut: float = FOLLOWED_SINGULAR_VALUE) -> State:
    """The pose brought onto Φ = 0 along singular values above ``cut`` only, so that a singular pose stays singular."""
    start = equations(system, at_rest(system, state))

    def corrected(eqs: Equations) -> Equations:
        return displaced(eqs, minimum_norm(in_metres(eqs), -residual(eqs), cut))

    closed_pose = newton(start, corrected, closed=POLISHED_RESIDUAL, most=MOST_POLISHING_STEPS)
    return replace(state, q=closed_pose.eqs.state.q)
