"""One step of Newton's method for the stages of an implicit step.

    ΔZ = R + h A B u,    (1 − Wᵀ h A B) u = Wᵀ R,    R = h A F − Z, with B and W of all stages side by side.

With one Jacobian for all stages the small system decouples into one with a real and one with a complex μ,
(μ/h − G) (S⁻¹ u) = μ/h S⁻¹ Wᵀ R; otherwise every stage has its own, for steps in which stiff directions turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.integrate.radau5.collocation import Collocation, radau
from reactio.integrate.radau5.jacobian import Jacobians, add, jacobian_work
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.lu import lu_factorise, lu_factorise_complex, lu_solve, lu_solve_complex
from reactio.linear.row_basis import dot
from reactio.system.types import System

COMMON_JACOBIAN = 3  # place of the Jacobian common to all stages, after those of the three stages


class NewtonWork(NamedTuple):
    """The arrays of the iteration, for up to w free directions."""

    collocation: Collocation
    J: Jacobians  # (4, …) of the three stages, and the common one
    Z: Floats  # (3, 2, n) stages less the start
    F: Floats  # (3, 2, n) ḋ and v̇ there
    R: Floats  # (3, 2, n) the residual h A F − Z, then the correction ΔZ
    y: Floats  # (2, 2, n) d = 0 and v at the start; d and v at a stage
    u: Floats  # (3, 2 w)
    z: Floats  # (2 w, 2) complex
    real: Floats  # (2 w, 2 w) factors of μ/h − G
    pair: Floats  # (2 w, 2 w, 2) the same for the complex pair
    full: Floats  # (6 w + 1, 6 w) factors of all stages together, and a right-hand side
    pivot: Ints  # (3, 6 w) of the three
    factored_step: Floats  # (1,) h for which ``real`` and ``pair`` hold factors with the common Jacobian, 0 for none
    corrections: Floats  # (3, 2) corrections of the stages by the projection
    clearance: Floats  # (3,) of the stages


def newton_work(system: System, w: int) -> NewtonWork:
    """Arrays for a system with up to w free directions."""
    n = system.n
    Z, F, R = np.zeros((3, 3, 2, n))
    real, pair, z = np.zeros((2 * w, 2 * w)), np.zeros((2 * w, 2 * w, 2)), np.zeros((2 * w, 2))
    full, pivot = np.zeros((6 * w + 1, 6 * w)), np.zeros((3, 6 * w), dtype=np.int64)
    return NewtonWork(
        radau(), jacobian_work(n, w, 4), Z, F, R, np.zeros((2, 2, n)), np.zeros((3, 2 * w)), z, real, pair, full, pivot,
        np.zeros(1), np.zeros((3, 2)), np.zeros(3),
    )  # fmt: skip


@kernel(**NO_ARRAYS)
def in_tolerances(change: Floats, v: Floats, unit: Floats, tol: float) -> float:
    """The largest entry of a change (2, n): lengths and radians; velocities per second, and relative to v (n,)."""
    size = 0.0
    for part in range(2):
        for k in range(v.shape[0]):
            scale = unit[k] + part * abs(v[k])
            if not abs(change[part, k]) <= size * scale:
                size = abs(change[part, k]) / scale
    return float(size / tol)


@kernel(**NO_ARRAYS)
def apply_W_transposed(f: int, W: Floats, r: Floats, out: Floats) -> None:
    """out = Wᵀ r of r (2, n)."""
    for i in range(f):
        out[i] = dot(W[0, i], r[0])
        out[f + i] = dot(W[1, i], r[1])


@kernel(**NO_ARRAYS)
def residual(A: Floats, h: float, F: Floats, Z: Floats, R: Floats) -> None:
    """R = h A F − Z."""
    for i in range(3):
        for part in range(2):
            for k in range(Z.shape[2]):
                r = A[i, 0] * F[0, part, k] + A[i, 1] * F[1, part, k] + A[i, 2] * F[2, part, k]
                R[i, part, k] = h * r - Z[i, part, k]


@kernel(**NO_ARRAYS)
def factorise_shifted(a: float, G: Floats, size: int, out: Floats, pivot: Ints) -> None:
    """The LU factors of a − G."""
    for i in range(size):
        for j in range(size):
            out[i, j] = -G[i, j]
        out[i, i] += a
    lu_factorise(out, pivot, size)


@kernel(**NO_ARRAYS)
def factorise_shifted_pair(a: float, b: float, G: Floats, size: int, out: Floats, pivot: Ints) -> None:
    """The LU factors of a + i b − G."""
    for i in range(size):
        for j in range(size):
            out[i, j, 0] = -G[i, j]
            out[i, j, 1] = 0.0
        out[i, i, 0] += a
        out[i, i, 1] += b
    lu_factorise_complex(out, pivot, size)


@kernel(**NO_ARRAYS)
def solve_decoupled(
    collocation: Collocation, h: float, size: int, real: Floats, pair: Floats, pivot: Ints, u: Floats, z: Floats
) -> None:
    """u of (1 − h A ⊗ G) u = g, g (3, 2 f) in u, with the factors of μ/h − G."""
    to, back, a = collocation.S_inverse, collocation.S, collocation.mu[0] / h
    b, c = collocation.mu[1] / h, collocation.mu[2] / h
    for k in range(size):
        g0, g1, g2 = u[0, k], u[1, k], u[2, k]
        u[0, k] = a * (to[0, 0] * g0 + to[0, 1] * g1 + to[0, 2] * g2)
        x, y = to[1, 0] * g0 + to[1, 1] * g1 + to[1, 2] * g2, to[2, 0] * g0 + to[2, 1] * g1 + to[2, 2] * g2
        z[k, 0] = b * x - c * y
        z[k, 1] = b * y + c * x
    lu_solve(real, pivot[0], size, u[0])
    lu_solve_complex(pair, pivot[1], size, z)
    for k in range(size):
        w = u[0, k]
        for i in range(3):
            u[i, k] = back[i, 0] * w + back[i, 1] * z[k, 0] + back[i, 2] * z[k, 1]


@kernel(**NO_ARRAYS)
def factorise_coupled(A: Floats, h: float, free: Ints, W: Floats, B: Floats, full: Floats, pivot: Ints) -> None:
    """Factors of 1 − Wᵀ h A B of three Jacobians."""
    row = 0
    for i in range(3):
        f, column = free[i], 0
        for j in range(3):
            a = h * A[i, j]
            for l in range(2 * free[j]):
                for k in range(f):
                    full[row + k, column + l] = -a * dot(W[i, 0, k], B[j, l, 0])
                    full[row + f + k, column + l] = -a * dot(W[i, 1, k], B[j, l, 1])
            column += 2 * free[j]
        row += 2 * f
    for k in range(row):
        full[k, k] += 1.0
    lu_factorise(full, pivot, row)


@kernel(**NO_ARRAYS)
def solve_coupled(free: Ints, full: Floats, pivot: Ints, u: Floats) -> None:
    """u of (1 − Wᵀ h A B) u = g, g in u."""
    size, b = 0, full[full.shape[0] - 1]
    for i in range(3):
        for k in range(2 * free[i]):
            b[size] = u[i, k]
            size += 1
    lu_solve(full, pivot, size, b)
    size = 0
    for i in range(3):
        for k in range(2 * free[i]):
            u[i, k] = b[size]
            size += 1


@kernel(**NO_ARRAYS)
def add_correction(A: Floats, h: float, common: bool, free: Ints, B: Floats, u: Floats, R: Floats) -> None:
    """R += h A B u."""
    for j in range(3):
        at = COMMON_JACOBIAN if common else j
        for k in range(2 * free[at]):
            for i in range(3):
                for part in range(2):
                    add(h * A[i, j] * u[j, k], B[at, k, part], R[i, part])


@kernel(**NO_ARRAYS)
def newton_step(s: NewtonWork, h: float, common: bool, unit: Floats, tol: float) -> float:
    """One Newton step Z += ΔZ; ΔZ stays in R, and its size in tolerances returns."""
    J = s.J
    residual(s.collocation.A, h, s.F, s.Z, s.R)
    for i in range(3):
        at = COMMON_JACOBIAN if common else i
        apply_W_transposed(J.free[at], J.W[at], s.R[i], s.u[i])
    if common:
        size = 2 * J.free[COMMON_JACOBIAN]
        if s.factored_step[0] != h:
            factorise_shifted(s.collocation.mu[0] / h, J.G[COMMON_JACOBIAN], size, s.real, s.pivot[0])
            factorise_shifted_pair(
                s.collocation.mu[1] / h, s.collocation.mu[2] / h, J.G[COMMON_JACOBIAN], size, s.pair, s.pivot[1]
            )
            s.factored_step[0] = h
        solve_decoupled(s.collocation, h, size, s.real, s.pair, s.pivot, s.u, s.z)
    else:
        solve_coupled(J.free, s.full, s.pivot[2], s.u)
    add_correction(s.collocation.A, h, common, J.free, J.B, s.u, s.R)
    largest = 0.0
    for i in range(3):
        largest = max(largest, in_tolerances(s.R[i], s.y[0, 1], unit, tol))
        for part in range(2):
            add(1.0, s.R[i, part], s.Z[i, part])
    return largest
