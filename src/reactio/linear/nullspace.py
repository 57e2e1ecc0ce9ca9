"""Left and right null spaces of (batches of) dense matrices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints


class Factor(NamedTuple):
    """Orthogonal Q (…, m, m) whose last m − r columns span null(Cᵀ); σ (descending) gives r."""

    Q: Floats
    sigma: Floats


def by_svd(C: Floats) -> Factor:
    """C = Q diag(σ) Vᵀ; also for stacks of matrices (…, m, n)."""
    m, n = C.shape[-2:]
    Q, sigma, _ = np.linalg.svd(C, full_matrices=m > n)
    return Factor(Q, sigma)


def by_qr(C: Floats) -> Factor:
    """C E = Q R with column pivoting; |R_ii| descend.  [Wojtyra & Frączek 2013, Eq. 21]"""
    from scipy.linalg import qr

    Q, R, _ = qr(C, mode="full", pivoting=True)
    return Factor(np.asarray(Q, np.float64), np.abs(np.diagonal(R)).astype(np.float64))


def left(Q: Floats, rank: Ints) -> Floats:
    """N (…, m, p): the columns of Q from ``rank`` on; zero columns fill up a stack of different ranks."""
    first = int(rank.min())
    N = Q[..., first:]
    if int(rank.max()) == first:
        return N
    return np.where(np.arange(first, Q.shape[-1]) >= rank[..., None, None], N, 0.0)


def right(C: Floats, rank: int) -> Floats:
    """T (n, n − r), orthonormal, with C T = 0."""
    m, n = C.shape
    _, _, Vt = np.linalg.svd(C, full_matrices=m < n)  # of more rows than columns Vᵀ is square without a full U
    return np.ascontiguousarray(Vt[rank:].T)


def orthonormal(A: Floats) -> Floats:
    """An orthonormal basis of the columns of A, which are taken as independent."""
    return np.linalg.qr(A)[0] if A.shape[1] else A
