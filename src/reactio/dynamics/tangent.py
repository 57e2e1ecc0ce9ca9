"""The Jacobian of the projected field along the manifold, by differences, and linear systems with it.

f∘P does not see what points away from the manifold: with T spanning null(C) and Tᵀ M T = 1, its Jacobian is

    J = B Wᵀ,    W = diag(M T, M T),    B = ∂(f∘P)/∂(T x, T ẋ)

so 2 dof differences make it, and (a − J) x = r is a system of 2 dof equations:

    u = (a − Wᵀ B)⁻¹ Wᵀ r,    x = (r + B u) / a
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.field import Points, field, points
from reactio.dynamics.manifold import FINE, Manifold, largest
from reactio.kernels import Kernel
from reactio.system.types import System

# Singular values of C, with rows of length one in the metric of the mass: below, a direction counts as free.  One too
# many is harmless, because the differences along it are what the field says there.
FREE = 1e-5
MOST_VELOCITIES = 1000  # bases of null(C) are dense: one takes a second then
DIFFERENCE = 1e-7  # [characteristic lengths, rad]: half of the digits of positions that are closed to rounding


class Slopes(NamedTuple):
    """J = B Wᵀ at one state, and the field there."""

    B: Floats  # (2 n, 2 dof)
    W: Floats  # (2, n, dof) M T in the coordinates d, and M T
    T: Floats  # (2, n, dof) T in the coordinates d, and T
    F: Floats  # (2 n,) ḋ and v̇


class Factors(NamedTuple):
    """(a − Wᵀ B) factorised for one a."""

    a: complex
    lu: Any


def basis(system: System, on: Manifold) -> tuple[Floats, Floats]:
    """T with C T = 0 and Tᵀ M T = 1, and M T, at the pose that was settled last."""
    from scipy.linalg import qr, solve_triangular
    from scipy.sparse import csr_array

    indptr, indices = system.C_pattern
    A = csr_array((on.m.A, indices, indptr), shape=(system.m, system.n)).toarray()
    Q, R = qr(A.T, pivoting=True, mode="full")[:2] if system.m else (np.eye(system.n), np.zeros((0, 0)))
    rank = int((np.abs(np.diag(R)) > FREE).sum())
    L = np.zeros((system.n, system.n))
    for first, at, width in on.metric.block.tolist():
        block = np.tril(on.m.root[at : at + width * width].reshape(width, width))
        np.fill_diagonal(block, 1.0 / np.diagonal(block))  # kept as 1/L
        L[first : first + width, first : first + width] = block
    X = Q[:, rank:]
    return np.asarray(solve_triangular(L, X, lower=True, trans="T"), dtype=float), np.asarray(L @ X, dtype=float)


def slopes(system: System, on: Manifold, run: Kernel[..., int], t: float, q: Floats, y: Floats) -> Slopes | int:
    """The Jacobian at y = (d, v), d counted from the pose q, or why the field has none there.

    Rotations are exp(d): a velocity along T changes d along ∂ḋ/∂v T, which the differences in v tell.
    """
    here = points(q, np.array([t]), y.reshape(1, 2, -1))
    reason = run(on, here, 0.0, np.inf)
    if reason != FINE:
        return reason
    T, W = basis(system, on)
    step = DIFFERENCE / np.maximum(np.abs(T / on.metric.scale[:, None]).max(axis=0, initial=0.0), 1e-300)
    step_v = step * (1.0 + largest(here.Y[0, 1], on.metric.scale))
    B_v, reason_v = _differences(on, run, here, 1, step_v, T)
    T_d = B_v[: len(T)]
    B_d, reason_d = _differences(on, run, here, 0, step, T_d)
    if reason_v != FINE or reason_d != FINE:
        return max(reason_v, reason_d)
    W_d = W @ np.linalg.inv(T_d.T @ W)
    return Slopes(np.hstack([B_d, B_v]), np.stack([W_d, W]), np.stack([T_d, T]), here.F.ravel())


def _differences(
    on: Manifold, run: Kernel[..., int], here: Points, part: int, step: Floats, T: Floats
) -> tuple[Floats, int]:
    """∂F/∂d T or ∂F/∂v T (2 n, dof), and why there is none (or FINE)."""
    if not T.shape[1]:
        return np.zeros((here.F.size, 0)), FINE
    Y = np.repeat(here.Y, T.shape[1], axis=0)
    Y[:, part] += (step * T).T
    asked = points(here.q0, np.repeat(here.t, T.shape[1]), Y)
    reason = run(on, asked, 0.0, np.inf)
    return np.ascontiguousarray((asked.F - here.F).reshape(T.shape[1], -1).T / step), reason


def fastest(system: System, on: Manifold, t: float, q: Floats, v: Floats) -> float:
    """The largest |λ| of the linearised motion at a state [1/s]; 0 where that is too large a question."""
    if system.n > MOST_VELOCITIES:
        return 0.0
    J = slopes(system, on, field(system), t, q, np.concatenate([np.zeros_like(v), v]))
    if isinstance(J, int) or not J.B.size or not np.isfinite(J.B).all():
        return 0.0
    return float(np.abs(np.linalg.eigvals(product(J, J.B))).max())


def along(J: Slopes, r: Any) -> Any:
    """Wᵀ r of r (2 n,)."""
    d, v = r.reshape(2, -1)
    return np.concatenate([d @ J.W[0], v @ J.W[1]])


def tangent(J: Slopes, r: Floats) -> Floats:
    """What of r (2 n,) points along the manifold."""
    d, v = along(J, r).reshape(2, -1)
    return np.concatenate([J.T[0] @ d, J.T[1] @ v])


def product(J: Slopes, B: Floats) -> Floats:
    """Wᵀ B (2 dof, ·) of B (2 n, ·)."""
    d, v = np.split(B, 2)
    return np.vstack([J.W[0].T @ d, J.W[1].T @ v])


def factors(J: Slopes, a: complex) -> Factors:
    """The small system of (a − J) x = r; ``a`` real keeps it real."""
    from scipy.linalg import lu_factor

    size = J.B.shape[1]
    return Factors(a, lu_factor(a * np.eye(size) - product(J, J.B), check_finite=False) if size else None)


def solved(J: Slopes, f: Factors, r: Any) -> Any:
    """x of (a − J) x = r."""
    if f.lu is None:
        return r / f.a
    from scipy.linalg import lu_solve

    return (r + J.B @ lu_solve(f.lu, along(J, r), check_finite=False)) / f.a
