"""Rank and left null space of a large sparse matrix by multifrontal Householder QR.

    C = Q R,  Q = H₁ H₂ ⋯ orthogonal (m, m);  rows of R without a pivot span null(Cᵀ):  P = Q [0 0; 0 I] Qᵀ

Orthogonal transformations see C itself, never CᵀC, so small singular values count at their own size.
A column whose remainder is at most ``tol`` times the largest column norm gives no pivot and its remainder is
set to zero: the factors are then those of a matrix of exactly that rank nearby.
Heath 1982, SIAM J. Sci. Stat. Comput. 3, 223–237.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from reactio.arrays import Bools, Floats, Ints
from reactio.errors import ReactioError
from reactio.kernels import expected_work, kernel
from reactio.linear.precision import SINGULAR
from reactio.linear.sparse.elimination import PANELS, SLOTS, factorise
from reactio.linear.sparse.fronts import front_tree, sorted_rows
from reactio.linear.sparse.ordering import block_graph, dissection
from reactio.linear.sparse.reflectors import (
    LARGEST_DROPPED,
    PANEL_REFLECTORS,
    PANEL_ROWS,
    PANEL_SLOT,
    PANEL_VALUE,
    SMALLEST_KEPT,
    reflect,
)

# Columns of a matrix whose factorisation costs as much, row by row, as one evaluation of the rows of a mechanism.
COLUMNS_PER_EVALUATION = 10


@dataclass(frozen=True, slots=True, eq=False)
class SparseQR:
    """Rank of C (m, n) with its evidence, and the orthogonal factor Q."""

    rank: int
    shape: tuple[int, int]
    smallest_kept: float  # smallest pivot |R_kk|; inf when there is none
    largest_dropped: float  # largest column remainder treated as zero
    residual: float  # ‖Cᵀ P w‖ / (c ‖w‖) of a random w, c the largest column norm
    _pivot: Bools  # (m,) rows of R that hold a pivot
    _slots: Ints  # rows each front works on, front after front
    _panels: Ints  # (panels, 4) PANEL_SLOT …
    _values: Floats  # V (reflectors, rows) and T (reflectors, reflectors) of every panel


def sparse_qr(C: csr_array, block_ptr: Ints | None = None, tol: float = SINGULAR) -> SparseQR:
    """Householder QR of C with rank decision and the evidence for it.

    C : (m, n), rows and columns equilibrated.  block_ptr : (blocks + 1,) offsets of column blocks (velocities
    of a body) ordered as one; None orders every column by itself.  A column remainder of at most ``tol``
    times the largest column norm counts as zero.

    >>> qr = sparse_qr(csr_array([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]]))
    >>> qr.rank, project(qr, np.eye(3)).round(3).tolist()
    (1, [[0.8, -0.4, 0.0], [-0.4, 0.2, 0.0], [0.0, 0.0, 1.0]])
    """
    C = csr_array(C)
    m, n = C.shape
    block_ptr = checked(C, np.arange(n + 1) if block_ptr is None else np.asarray(block_ptr))
    ptr, adj = block_graph(C, block_ptr)
    with expected_work(m, n / COLUMNS_PER_EVALUATION, "large", apart=True):
        tree = front_tree(ptr, adj, dissection(ptr, adj), np.diff(block_ptr))
        rows = sorted_rows(C, tree, block_ptr)
        store, values = factorise(m, tree, rows, tol * column_scale(C))
    qr = SparseQR(
        rank=int(store.pivot.sum()),
        shape=(m, n),
        smallest_kept=float(store.evidence[SMALLEST_KEPT]),
        largest_dropped=float(store.evidence[LARGEST_DROPPED]),
        residual=0.0,
        _pivot=store.pivot,
        _slots=store.slots[: store.used[SLOTS]],
        _panels=store.panels[: store.used[PANELS]],
        _values=values,
    )
    return replace(qr, residual=residual(C, qr))


def checked(C: csr_array, block_ptr: Ints) -> Ints:
    """Refuse matrices that cannot be factored."""
    n = C.shape[1]
    if not np.isfinite(C.data).all():
        raise ReactioError(f"The {C.shape[0]} × {n} matrix holds NaN or infinity; look at the rows that contain them.")
    if block_ptr.size == 0 or block_ptr[0] != 0 or block_ptr[-1] != n or (np.diff(block_ptr) < 0).any():
        raise ReactioError(
            f"block_ptr must rise from 0 to the {n} columns of the matrix: give the offset of each block."
        )
    return block_ptr.astype(np.int64)


def column_scale(C: csr_array) -> float:
    """Largest column norm of C."""
    return float(np.sqrt(np.bincount(C.indices, np.square(C.data, dtype=np.float64), minlength=1).max()))


def residual(C: csr_array, qr: SparseQR) -> float:
    """‖Cᵀ P w‖ / (c ‖w‖) of a random w, c the largest column norm: how well the projector P hits null(Cᵀ)."""
    w = np.random.default_rng(0).standard_normal((C.shape[0], 1))
    size = column_scale(C) * float(np.linalg.norm(w))
    return float(np.linalg.norm(C.T @ project(qr, w))) / size if size > 0.0 else 0.0


@kernel
def sweep(panels: Ints, slots: Ints, values: Floats, W: Floats, transposed: bool) -> None:
    """W ← Qᵀ W or Q W in place, vectors in the rows of W (k, m)."""
    tall = 0
    for p in range(panels.shape[0]):
        tall = max(tall, panels[p, PANEL_ROWS])
    room = np.empty(W.shape[0] * tall)
    for step in range(panels.shape[0]):
        p = step if transposed else panels.shape[0] - 1 - step
        first, length = panels[p, PANEL_SLOT], panels[p, PANEL_ROWS]
        count, at = panels[p, PANEL_REFLECTORS], panels[p, PANEL_VALUE]
        V = values[at : at + count * length].reshape(count, length)
        at += count * length
        T = values[at : at + count * count].reshape(count, count)
        X = room[: W.shape[0] * length].reshape(W.shape[0], length)
        rows = slots[first : first + length]
        for c in range(W.shape[0]):
            for i in range(length):
                X[c, i] = W[c, rows[i]]
        reflect(X, 0, V, T, transposed)
        for c in range(W.shape[0]):
            for i in range(length):
                W[c, rows[i]] = X[c, i]


def project(qr: SparseQR, W: Floats) -> Floats:
    """Orthogonal projection P W = Q [0 0; 0 I] Qᵀ W of the columns of W (m, k) on null(Cᵀ)."""
    if W.ndim != 2 or W.shape[0] != qr.shape[0]:
        raise ReactioError(f"W has shape {W.shape}; it needs one row for each of the {qr.shape[0]} rows of C.")
    X = np.array(W.T, dtype=np.float64, order="C")
    with expected_work(qr.shape[0], qr.shape[1] / COLUMNS_PER_EVALUATION, "large", apart=True):
        sweep(qr._panels, qr._slots, qr._values, X, True)
        X[:, qr._pivot] = 0.0
        sweep(qr._panels, qr._slots, qr._values, X, False)
    return X.T
