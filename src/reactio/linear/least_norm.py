"""Least-squares solutions of smallest size, dense and sparse, for matrices of any rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reactio.arrays import Floats, dense

DENSE_COLUMNS = 400  # columns up to which a dense decomposition is quicker than a sparse one
ZERO_SINGULAR_VALUE = 1e-10  # singular values below this part of the largest count as zero
REGULARISATION = 1e-9  # μ as part of the largest squared column: its factors keep seven digits of the solution
NORM_PASSES = 6  # each gains some seven digits; two do, a third sees that nothing is left
MOST_GRADIENT_STEPS = 300  # of one pass: one for each singular value below √μ, and a few
SMALL_STEP = 1e-9  # of x: a step of a pass below this is beneath what rounding in the factors leaves for the next pass
SOLUTION_ROUNDING = 1e-14  # of x
STATIONARY = 3e-15  # |Aᵀz| as part of |A| |z|: rounding of the product, below which z holds only what A does not reach
DAMPED_SINGULAR_VALUE = 1e-5  # below which singular values of a large system are damped, where a rank is given


def least_norm(A: Any, b: Floats, cut: float = ZERO_SINGULAR_VALUE, rank: int | None = None) -> Floats:
    """x of smallest |x| that minimises |A x − b|; A (m, n) dense or CSR of any rank, scaled to entries of order one.

    Singular values below ``cut`` times the largest, or behind the first ``rank``, count as zero; large systems are
    damped instead, so that those hardly move x.
    """
    if A.shape[1] > DENSE_COLUMNS:
        exact = cut <= ZERO_SINGULAR_VALUE and rank is None
        return _refined(A, b) if exact else damped(A, b, max(cut, DAMPED_SINGULAR_VALUE) ** 2)
    if rank is None:
        return np.asarray(np.linalg.lstsq(dense(A), b, rcond=cut)[0])
    U, s, Vt = np.linalg.svd(dense(A), full_matrices=False)
    return np.asarray(Vt[:rank].T @ ((U.T @ b)[:rank] / s[:rank]))


def refined_least_norm(A: Any, b: Floats, rank: int | None = None) -> Floats:
    """The same with a second pass on the residual, for the digits that rounding took."""
    if A.shape[1] > DENSE_COLUMNS:
        x = least_norm(A, b, rank=rank)
        return np.asarray(x + least_norm(A, b - A @ x, rank=rank))
    U, s, Vt = np.linalg.svd(dense(A), full_matrices=False)
    kept = slice(int((s > ZERO_SINGULAR_VALUE * s.max(initial=0.0)).sum()) if rank is None else rank)
    U, s, V = U[:, kept], s[kept], Vt[kept].T
    x = V @ (U.T @ b / s)
    return np.asarray(x + V @ (U.T @ (b - A @ x) / s))


def damped(A: Any, b: Floats, mu: float) -> Floats:
    """x that minimises |A x − b|² + μ |x|² (Levenberg–Marquardt)."""
    if A.shape[1] <= DENSE_COLUMNS:
        U, s, Vt = np.linalg.svd(dense(A), full_matrices=False)
        return np.asarray(Vt.T @ (s / (s * s + mu) * (U.T @ b)))
    return np.asarray(A.T @ _factor(A, mu)(b))


def _factor(A: Any, mu: float) -> Callable[[Floats], Floats]:
    """b (m,) → (A Aᵀ + μ)⁻¹ b by LU factors of the quasi-definite matrix [1 Aᵀ; A −μ].

    Its factors are as sparse as A: neither bodies with many joints nor rows that touch many bodies fill them, as they
    would fill A Aᵀ and AᵀA.  Any order of elimination is stable enough (Vanderbei 1995, SIAM J. Optim. 5, 100–113).
    """
    from scipy.sparse import block_array, eye_array
    from scipy.sparse.linalg import splu

    m, n = A.shape
    K = block_array([[eye_array(n), A.T], [A, -mu * eye_array(m)]]).tocsc()
    solve = splu(K, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}).solve

    def solved(b: Floats) -> Floats:
        return np.asarray(-solve(np.concatenate([np.zeros(n), b]))[n:])

    return solved


def _refined(A: Any, b: Floats) -> Floats:
    """x = Aᵀλ by passes on the true residual, until one changes no digit of x: it stays in the range of Aᵀ."""
    solve = _factor(A, REGULARISATION * float((A.multiply(A)).sum(axis=0).max(initial=0.0)) or 1.0)
    x = np.zeros(A.shape[1])
    size = np.inf
    for _ in range(NORM_PASSES):
        step = _conjugate_residuals(A, b - A @ x, solve)
        new = float(np.linalg.norm(step))
        if not new < 0.5 * size:
            break
        x += step
        if new <= SOLUTION_ROUNDING * np.linalg.norm(x):
            break
        size = new
    return x


def _conjugate_residuals(A: Any, b: Floats, solve: Callable[[Floats], Floats]) -> Floats:
    """x = Aᵀλ that minimises |A Aᵀλ − b| in the norm of (A Aᵀ + μ)⁻¹, by the steps of conjugate residuals.

    With S = A Aᵀ and B = S + μ, B⁻¹S has the eigenvalues σ²/(σ² + μ): all but those of singular values below √μ are
    nearly one and take one step together.  The part of b that A does not reach has no part in any step, so that
    equations which contradict each other have their least-squares solution (Stiefel 1955, relaxation methods).
    """
    x = np.zeros(A.shape[1])
    size = float((A.multiply(A)).sum(axis=0).max(initial=0.0))  # |A|², up to a small factor
    z = solve(b)
    Az = A.T @ z  # Aᵀz, and Aᵀp of the direction p
    Ap, along = Az.copy(), float(Az @ Az)
    for _ in range(MOST_GRADIENT_STEPS):
        if along <= STATIONARY**2 * size * float(z @ z):
            break
        Sp = A @ Ap
        q = solve(Sp)
        down = float(Sp @ q)
        if not (along > 0.0 and down > 0.0):
            break
        x += along / down * Ap
        if along / down * np.linalg.norm(Ap) <= SMALL_STEP * np.linalg.norm(x):
            break
        z -= along / down * q
        Az = A.T @ z
        along, before = float(Az @ Az), along
        Ap = Az + along / before * Ap
    return x
