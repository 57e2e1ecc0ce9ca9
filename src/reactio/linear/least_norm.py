"""Least-squares solutions of smallest size, dense and sparse, for matrices of any rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats

DENSE = 400  # columns up to which a dense decomposition is quicker than a sparse one
CUT = 1e-10  # singular values below this part of the largest count as zero
SWEEPS = 12
SOFT = 1e-5  # singular values that damping of a large system leaves alone, where a rank is asked for


def least_norm(A: Any, b: Floats, cut: float = CUT, rank: int | None = None) -> Floats:
    """x of smallest |x| that minimises |A x − b|; A (m, n) CSR of any rank, scaled to entries of order one.

    Singular values below ``cut`` times the largest, or behind the first ``rank``, count as zero; large systems are
    damped instead, so that those hardly move x.
    """
    if A.shape[1] > DENSE:
        return _regularised(A, b) if cut <= CUT and rank is None else damped(A, b, max(cut, SOFT) ** 2)
    if rank is None:
        return np.asarray(np.linalg.lstsq(A.toarray(), b, rcond=cut)[0])
    U, s, Vt = np.linalg.svd(A.toarray(), full_matrices=False)
    return np.asarray(Vt[:rank].T @ ((U.T @ b)[:rank] / s[:rank]))


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
