"""Cᵀ by QR with column pivoting: the admissible motions T and the range they leave to the constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats, Ints

ZERO_PIVOT = 1e-7  # |R_ii| below this part of the largest counts as zero: rounding leaves 1e-16, a located pose 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Pivoted:
    """Cᵀ P = Q R with rows of R that are zero from ``rank`` on.

        m < n, full rank:  Cᵀ = [Q₁ Q₂] [R₁; 0],              T = Q₂              Eq. 8
        m ≤ n, rank < m:   Cᵀ = [Q₁ns Q₁s Q₂] [R₁ns R₁s; 0],  T = [Q₁s Q₂]        Eqs 24–25
        m > n:             Cᵀ = [Q₁ns Q₁s] [R₁ns R₁s R₂s; 0], T = Q₁s             Eqs 27–28

    In all three cases T is what follows the first ``rank`` columns of Q.  [Masarati, Quro & Zanoni 2023]
    """

    Q: Floats  # (n, n) orthonormal
    R: Floats  # (n, m) upper trapezoidal
    order: Ints  # (m,) rows of C in the order of the pivots
    rank: int

    @property
    def T(self) -> Floats:
        """Orthonormal basis (n, n − rank) of null(C)."""
        return np.asarray(self.Q[:, self.rank :])

    @property
    def Q1(self) -> Floats:
        """Orthonormal basis (n, rank) of the range of Cᵀ."""
        return np.asarray(self.Q[:, : self.rank])

    @property
    def R1(self) -> Floats:
        """(rank, rank) upper triangular and regular: R₁ns of the paper."""
        return np.asarray(self.R[: self.rank, : self.rank])

    @property
    def diagonal(self) -> Floats:
        """|R_ii| (min(m, n),), descending: what vanishes at a singular pose (Figs 2, 5, 8, 14)."""
        return np.abs(np.diagonal(self.R))

    def normal(self, b: Floats) -> Floats:
        """β = Q₁ p (n,) with C β = b: what the constraints ask for, nothing along T.  Eqs 5–6, 9–10."""
        from scipy.linalg import solve_triangular

        p = solve_triangular(self.R1, b[self.order[: self.rank]], trans="T") if self.rank else np.zeros(0)
        return np.asarray(self.Q1 @ p)


def pivoted(C: Floats, rank: int | None = None, cut: float = ZERO_PIVOT) -> Pivoted:
    """Factorise Cᵀ for C (m, n); the rank is given, or counted on the diagonal of R.

    >>> pivoted(np.array([[2.0, 0.0], [2.0, 0.0]])).T.ravel().tolist()
    [0.0, 1.0]
    """
    from scipy.linalg import qr

    m, n = C.shape
    if not m:
        return Pivoted(np.eye(n), np.zeros((n, 0)), np.zeros(0, dtype=np.int64), 0)
    Q, R, order = qr(C.T, mode="full", pivoting=True)
    size = np.abs(np.diagonal(R))
    count = int((size > cut * size[0]).sum()) if rank is None else rank
    return Pivoted(np.asarray(Q), np.asarray(R), np.asarray(order, dtype=np.int64), count)
