"""First order: the motions a pose admits, V = null(C), and the self-stresses it bears, N = null(Cᵀ)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.singular.scaled_matrix import in_metres, weights
from reactio.singular.second_order.drive_path import DrivePath, along_path
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.geometry.accuracy import known_accuracy
from reactio.system.types import State, System
from reactio.uniqueness import solvability

CLOSED = 1e-13  # residual, in characteristic lengths, at which a pose needs no more polish
MOST = 8  # steps of Newton's method: from 1e-4 it takes three
TIED = 1e-6  # shares of axes that differ by less are alike: located poses are known to 1e-9
DOUBT = (1e-10, 1e-5)  # part of the largest: below is rounding, above is geometry


@dataclass(frozen=True, slots=True, eq=False)
class NullSpaces:
    """Null spaces at a pose; everything is in metres: radians count as the arc on the characteristic length."""

    system: System
    state: State
    sigma: Floats  # (min(m, n),) singular values of C, descending
    rank: int
    V: Floats  # (n, n − rank) orthonormal in metres; with a path (n + 1, …), the last row how far drives go
    N: Floats  # (m, m − rank) orthonormal
    path: DrivePath | None = None  # along which drives go; held where they are without one
    clear: bool | None = None  # is the rank beyond doubt, as far as the accuracy of the geometry says so

    @property
    def differential(self) -> int:
        """n − rank: independent admissible motions, what drives do counted as one more."""
        return int(self.V.shape[1])

    @property
    def confident(self) -> bool:
        """No singular value lies where rounding and geometry cannot be told apart."""
        if self.clear is not None:
            return self.clear
        relative = self.sigma / self.sigma[0] if self.sigma.size else self.sigma
        return not bool(np.any((relative > DOUBT[0]) & (relative < DOUBT[1])))

    def velocities(self, x: Floats) -> Floats:
        """Columns in metres per second as velocities [m/s, rad/s] of the bodies."""
        scale = weights(self.system)[1]
        x = x[: self.system.n]
        return np.asarray(scale * x if x.ndim == 1 else scale[:, None] * x)


def at_rest(system: System, state: State) -> State:
    """The pose alone."""
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


def minimum_norm(A: Floats, b: Floats, cut: float = ZERO_PIVOT) -> Floats:
    """The smallest x that minimises |A x − b|, directions weaker than ``cut`` left alone."""
    return np.asarray(np.linalg.lstsq(A, b, rcond=cut)[0])


def along_axes(W: Floats, size: int) -> Floats:
    """An orthonormal basis (n, size) of the span of W, always the same one for the same space.

    Each is the projection of the axis that the space holds most of, the first of several.
    """
    P, E = W @ W.T, np.zeros((len(W), size))
    for k in range(size):
        held = np.diagonal(P)
        i = int(np.flatnonzero(held > (1 - TIED) * held.max())[0])
        E[:, k] = P[:, i] / np.linalg.norm(P[:, i])
        P = P - np.outer(E[:, k], E[:, k] @ P)
    return E


def polished(system: System, state: State, cut: float = 1e-6) -> State:
    """The pose brought onto Φ = 0 by what is stronger than ``cut``, so that a singular pose stays where it is."""
    rows, columns = weights(system)
    now, before = state, np.inf
    for _ in range(MOST if system.m else 0):
        eqs = equations(system, at_rest(system, now))
        size = float(np.abs(rows * eqs.Phi).max())
        if size <= CLOSED * system.length or size >= before:
            break
        before = size
        d = columns * minimum_norm(in_metres(eqs), -rows * eqs.Phi, cut)
        now = replace(now, q=advance(system, now.q, d))
    return now
