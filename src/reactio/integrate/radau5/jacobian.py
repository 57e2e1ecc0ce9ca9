"""The Jacobian of the projected field along the manifold, by differences.

f∘P does not change with displacements away from the manifold: with T spanning null(C) and Tᵀ M T = 1, its Jacobian is

    J = B Wᵀ,    W = diag(M T, M T),    B = ∂(f∘P)/∂(T x, T ẋ)

so 2 dof differences make it, and linear systems with it have 2 dof equations: those of G = Wᵀ B.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.integrate.projection.clearance import clearance
from reactio.integrate.projection.mass_projection import (
    MetricPlan,
    MetricWork,
    copy,
    from_root,
    least_change,
)
from reactio.integrate.projection.massless import times_mass
from reactio.integrate.projection.project import FINE, NO_ROOM, largest
from reactio.integrate.projection.workspace import Projection
from reactio.integrate.stiffness import JACOBIAN_DIFFERENCE
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.lu import lu_factorise, lu_solve
from reactio.linear.precision import LOCATED, ROUNDOFF
from reactio.linear.row_basis import dot
from reactio.system.types import System

MOST_FREE = 500  # freedoms: matrices are dense, and a Jacobian takes two evaluations for each of them
# Length left of a random unit vector, projected on null(C) and orthogonalised, below which it adds no direction: errors
# of the projection, 1e-12, are then 1e-6 of the remainder.
LEAST_REMAINDER = LOCATED
# [characteristic lengths, rad] to which displaced poses are closed: their squares are less.
CLOSED_DIFFERENCE = ROUNDOFF


class Jacobians(NamedTuple):
    """J = B Wᵀ at k states, with room for w free directions, each of which is a row."""

    free: Ints  # (k,) directions in use
    B: Floats  # (k, 2 w, 2, n)
    W: Floats  # (k, 2, w, n) M T in the coordinates d, and M T
    T: Floats  # (k, 2, w, n) T in the coordinates d, and T
    G: Floats  # (k, 2 w, 2 w) Wᵀ B
    F: Floats  # (k, 2, n) ḋ and v̇ at the states
    corrections: Floats  # (k, 2) by their projection
    clearance: Floats  # (k,) there
    y: Floats  # (2, 2, n) d and v, projected; the same, displaced for a difference
    small: Floats  # (w + 1, w) a matrix, and a right-hand side
    pivot: Ints  # (w,)


def jacobian_work(n: int, w: int, k: int) -> Jacobians:
    """Arrays for k Jacobians."""
    free, clear = np.zeros(k, dtype=np.int64), np.zeros(k)
    B, W, T, G = np.zeros((k, 2 * w, 2, n)), np.zeros((k, 2, w, n)), np.zeros((k, 2, w, n)), np.zeros((k, 2 * w, 2 * w))
    F, corrections, y = np.zeros((k, 2, n)), np.zeros((k, 2)), np.zeros((2, 2, n))
    return Jacobians(free, B, W, T, G, F, corrections, clear, y, np.zeros((w + 1, w)), np.zeros(w, dtype=np.int64))


def initial_room(system: System) -> int:
    """The number of free directions that arrays are made for at first; where it is too small a step returns NO_ROOM."""
    return int(min(system.n, max(system.n - system.m, 0) + 8))


@kernel(**NO_ARRAYS)
def add(factor: float, x: Floats, y: Floats) -> None:
    """y += factor x."""
    for k in range(x.shape[0]):
        y[k] += factor * x[k]


@kernel(**NO_ARRAYS)
def next_random(seed: int) -> int:
    """The next pseudo-random number below 2³¹; the sequence is the same in every run."""
    return (1103515245 * seed + 12345) % 2147483648


@kernel(**NO_ARRAYS)
def remove(X: Floats, count: int, x: Floats) -> float:
    """x without its parts along the first rows of X, which have length one; its length returns."""
    for _ in range(2):
        for j in range(count):
            add(-dot(X[j], x), X[j], x)
    return math.sqrt(dot(x, x))


@kernel(**NO_ARRAYS)
def basis(plan: MetricPlan, m: MetricWork, M: Floats, X: Floats, T: Floats, MT: Floats) -> int:
    """Rows T with C T = 0 and Tᵀ M T = 1, and M T, at the pose that was projected last: projections of random vectors.

    With M = L Lᵀ, x = Lᵀ v and A = C L⁻ᵀ the rows of X are orthonormal in null(A), until no vector brings another.
    Their number returns, −1 where there is no room.
    """
    count, seed, n = 0, 1, X.shape[1]
    while count < n:
        for k in range(n):
            seed = next_random(seed)
            m.x[k] = seed / 1073741824.0 - 1.0
        for _ in range(2):
            m.b[:] = 0.0
            least_change(plan, m, 0.0)
            size = remove(X, count, m.x)
            if not size > LEAST_REMAINDER:
                return count
            for k in range(n):
                m.x[k] /= size
        if count == X.shape[0]:
            return -1
        copy(m.x, X[count])
        from_root(plan, m, T[count])
        times_mass(plan, M, T[count], MT[count])
        for k in range(n):
            MT[count, k] += plan.added_inertia[k] * T[count, k]
        count += 1
    return count


@kernel(**NO_ARRAYS)
def reduce(f: int, B: Floats, W: Floats, T: Floats, G: Floats, small: Floats, pivot: Ints) -> None:
    """W in the coordinates d, W_dᵀ = (Wᵀ T_d)⁻¹ Wᵀ, and G = Wᵀ B."""
    x = small[f]
    for i in range(f):
        for j in range(f):
            small[i, j] = dot(W[1, i], T[0, j])
    lu_factorise(small, pivot, f)
    for k in range(W.shape[2]):
        for i in range(f):
            x[i] = W[1, i, k]
        lu_solve(small, pivot, f, x)
        for i in range(f):
            W[0, i, k] = x[i]
    for i in range(f):
        for j in range(2 * f):
            G[i, j] = dot(W[0, i], B[j, 0])
            G[f + i, j] = dot(W[1, i], B[j, 1])


@kernel(**NO_ARRAYS)
def divide(change: Floats, F: Floats, step: float) -> None:
    """(change − F)/step of two fields (2, n), in place."""
    for i in range(2):
        for k in range(F.shape[1]):
            change[i, k] = (change[i, k] - F[i, k]) / step


def jacobian_at(projection: Projection, J: Jacobians, at: int, t: float, q0: Floats, y: Floats, redundant: int) -> int:
    """The Jacobian at y (2, n), d counted from the pose q0, in place ``at``; why there is none (or FINE) returns.

    ``redundant``: the number of redundant rows; the clearance follows from the pivots after these.
    Rotations are exp(d): a velocity along T changes d along ∂ḋ/∂v T, known from the differences in v.
    """
    scale, F, B, W, T, state, displaced = projection.metric.scale, J.F[at], J.B[at], J.W[at], J.T[at], J.y[0], J.y[1]
    copy(y[0], displaced[0])
    copy(y[1], displaced[1])
    reason = rhs(projection, t, q0, displaced, F, 0.0, np.inf)
    if reason != FINE:
        return int(reason)
    copy(projection.p.d, state[0])
    copy(projection.p.v, state[1])
    copy(projection.p.corrections, J.corrections[at])
    J.clearance[at] = clearance(projection.m.gram, redundant)
    f = basis(projection.metric, projection.m, projection.work.M, W[0], T[1], W[1])
    if f < 0:
        return NO_ROOM
    for part in (1, 0):  # differences in v, then in d, for which those in v give T
        for j in range(f):
            step = JACOBIAN_DIFFERENCE / max(largest(T[1, j], scale), 1e-300)
            step *= 1.0 + largest(state[1], scale) if part == 1 else 1.0
            copy(state[0], displaced[0])
            copy(state[1], displaced[1])
            add(step, T[part, j], displaced[part])
            change = B[part * f + j]
            reason = rhs(projection, t, q0, displaced, change, CLOSED_DIFFERENCE, np.inf)
            if reason != FINE:
                return int(reason)
            divide(change, F, step)
            if part == 1:
                copy(change[0], T[0, j])
    J.free[at] = f
    reduce(f, B, W, T, J.G[at], J.small, J.pivot)
    return FINE
