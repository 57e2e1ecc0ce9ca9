"""Least-squares solutions of smallest size, dense and sparse, for matrices of any rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats

DENSE = 400  # columns up to which a dense decomposition is quicker than a sparse one
CUT = 1e-10  # singular values below this part of the largest count as zero
SWEEPS = 12


def least_norm(A: Any, b: Floats) -> Floats:
    """x of smallest |x| that minimises |A x − b|; A (m, n) CSR of any rank, scaled to entries of order one."""
    if A.shape[1] <= DENSE:
        return np.asarray(np.linalg.lstsq(A.toarray(), b, rcond=CUT)[0])
    return _regularised(A, b)


def damped(A: Any, b: Floats, mu: float) -> Floats:
    """x that minimises |A x − b|² + μ |x|² (Levenberg–Marquardt)."""
    if A.shape[1] <= DENSE:
        dense = A.toarray()
        U, s, Vt = np.linalg.svd(dense, full_matrices=False)
        return np.asarray(Vt.T @ (s / (s * s + mu) * (U.T @ b)))
    return np.asarray(_factor(A, mu)(A.T @ b))


def _factor(A: Any, mu: float) -> Any:
    """Solve with AᵀA + μ."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    normal = (A.T @ A + mu * eye_array(A.shape[1])).tocsc()
    return splu(normal, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve


def _regularised(A: Any, b: Floats) -> Floats:
    """Sweeps on the true residual with a slightly regularised factor: x stays in the range of Aᵀ."""
    solve = _factor(A, 1e-9 * float((A.multiply(A)).sum(axis=0).max()))
    x = np.zeros(A.shape[1])
    size = np.inf
    for _ in range(SWEEPS):
        step = solve(A.T @ (b - A @ x))
        x += step
        new = float(np.linalg.norm(step))
        if new >= 0.5 * size or new <= 1e-15 * np.linalg.norm(x):
            break
        size = new
    return x
