"""Scales that take units, row lengths and far reference points out of a rank decision.

C̃ = D_r C S D_c with diagonal D_r, D_c and, for bodies given by twists, a shift S of their reference points.
Column operations leave null(Cᵀ) alone and rows give it back: Cᵀλ = 0 ⇔ C̃ᵀ(D_r⁻¹λ) = 0, N = D_r Ñ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FAR = 5.0  # moment over force part of a row, in lengths, that calls for a nearer reference point
KNOWN = 1e2  # a column in known units is scaled up or down by so much at most: smaller entries are small
UNKNOWN = 1e3  # the same where units are not known; a length unit may hide a factor 10³
SAFE = 1e70  # magnitudes up to here, and down to its inverse, have squares and products that stay numbers
ROUNDING = 4e-15  # beside the largest entry of its row: a few roundings
SWEEPS = 5  # each sweep takes the square root of what imbalance is left: 10³ becomes 1.2


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """The equilibrated matrix C̃ (m, n), the row scales D_r (m,), and the column operation S D_c.

    ``held``: nothing but units says what is small (no bodies are known), and some entries stayed so small that another
    unit may make them count.
    """

    C: Any
    Dr: Array
    Dc: Array
    S: Any = None
    held: bool = False

    def right(self, T: Array) -> Array:
        """S D_c T̃: a right null vector of C̃ as one of C."""
        scaled = self.Dc[:, None] * T
        return scaled if self.S is None else np.asarray(self.S @ scaled)


def equilibrate(C: Any, angular: NDArray[np.bool_] | None, length: float, twists: NDArray[np.int64]) -> Scaled:
    """Scale C (m, n), dense or CSR, so that entries of rows and columns are comparable.

    angular (n,): columns in rad/s, divided by ``length`` [m]; twists (b, w): columns of bodies given by twists,
    w = 3 (vx vy ω) or 6 (v ω).  Rows first and last have unit length, so scaling a row changes nothing.
    """
    peaks = _peaks(C, 1)
    if peaks.min() < 1.0 / SAFE or peaks.max() > SAFE:
        rows = 1.0 / peaks
        inner = equilibrate(apply(C, rows, np.ones(C.shape[1])), angular, length, twists)
        return replace(inner, Dr=rows * inner.Dr)
    unit = np.ones(C.shape[1])
    if angular is not None:
        unit[angular] = 1.0 / length
    squares, first = C * C, unit * unit
    S = None if angular is None or not len(twists) else _shift(C, squares, unit, angular, twists)
    A = C
    if S is not None:
        A = C @ S
        squares = A * A
    gain = _gains(apply(squares, _inverse(squares @ first), first))
    dc = first * _limited(gain, UNKNOWN if angular is None else KNOWN)
    Dr, Dc = np.sqrt(_inverse(squares @ dc)), np.sqrt(dc)
    out = apply(A, Dr, Dc)
    return Scaled(out, Dr, Dc, S, not len(twists) and _far_apart(C, out))


def equilibrate_fully(C: Any) -> Scaled:
    """Scale C (m, n) in unknown units so that its entries come as near to 1 as they can, however far apart they were.

    min Σ (log|C_ij| + r_i + c_j)²  over the nonzero entries,  D_r = e^r, D_c = e^c.   [Curtis & Reid 1972]

    Entries that are rounding in their row and small in their column are left out: scales would blow them up.
    """
    from scipy.sparse import coo_array, csr_array
    from scipy.sparse.linalg import lsqr

    (m, n), entries = C.shape, coo_array(C)
    i, j, c = entries.row, entries.col, np.abs(entries.data)
    meant = (c > ROUNDING * _peaks(C, 1)[i]) | (c * UNKNOWN > _peaks(C, 0)[j])
    i, j, c = i[meant & (c > 0.0)], j[meant & (c > 0.0)], entries.data[meant & (c > 0.0)]
    k = np.arange(c.size)
    A = csr_array((np.ones(2 * c.size), (np.r_[k, k], np.r_[i, m + j])), shape=(c.size, m + n))
    x = np.rint(lsqr(A, -np.log2(np.abs(c)), atol=1e-6, btol=1e-6, iter_lim=1000)[0]).astype(np.int32)
    r, s = np.clip(x[:m], -1000, 1000), np.clip(x[m:], -1000, 1000)
    made = csr_array((np.ldexp(c, r[i] + s[j]), (i, j)), shape=(m, n))
    lengths = np.sqrt(_inverse((made * made) @ np.ones(n)))
    out = apply(made, lengths, np.ones(n))
    return Scaled(out.toarray() if isinstance(C, np.ndarray) else out, lengths * np.ldexp(1.0, r), np.ldexp(1.0, s))


def _far_apart(C: Any, scaled: Any) -> bool:
    """Has an entry stayed so small beside its row that it may be large in another unit?"""
    given, left = (C, scaled) if isinstance(C, np.ndarray) else (C.data, scaled.data)
    return bool(((np.abs(left) * UNKNOWN < 1.0) & (given != 0.0)).any())


def _peaks(C: Any, axis: int) -> Array:
    """The largest magnitude of each row (axis 1) or column (axis 0), 1 where there is none."""
    found = np.abs(C).max(axis=axis) if isinstance(C, np.ndarray) else abs(C).max(axis=axis).toarray().ravel()
    return np.where(found > 0.0, found, 1.0)


def _gains(squares: Any) -> Array:
    """Squared column scales d_c (n,) that, with row scales d_r, bring rows and columns towards unit length.

    d_r ← √(d_r / Σ_j C_ij² d_c),  d_c ← √(d_c / Σ_i C_ij² d_r),  both from 1, where an empty row or column stays.
    [Ruiz 2001]
    """
    turned = squares.T
    dr, dc = np.ones(squares.shape[0]), np.ones(squares.shape[1])
    no_row, no_column = (squares @ dc == 0.0).astype(float), (turned @ dr == 0.0).astype(float)
    for _ in range(SWEEPS):
        rows, columns = np.maximum(squares @ dc + no_row, 1 / SAFE), np.maximum(turned @ dr + no_column, 1 / SAFE)
        dr, dc = np.sqrt(dr / rows), np.sqrt(dc / columns)
    return dc


def _limited(gain: Array, reach: float) -> Array:
    """Column gains (squared) held within ``reach`` of the middle one, so that a tiny column stays tiny."""
    middle = np.sort(gain)[gain.size // 2]
    return np.asarray(np.minimum(np.maximum(gain, middle / reach**2), middle * reach**2))


def apply(C: Any, Dr: Array, Dc: Array) -> Any:
    """D_r C D_c, dense or CSR."""
    if isinstance(C, np.ndarray):
        return Dr[:, None] * C * Dc
    out = C.copy()
    out.data = out.data * np.repeat(Dr, np.diff(C.indptr)) * Dc[C.indices]
    return out


def _inverse(x: Array) -> Array:
    return 1.0 / np.where(x > 0.0, x, 1.0)


def _shift(C: Any, squares: Any, unit: Array, angular: NDArray[np.bool_], twists: NDArray[np.int64]) -> Any:
    """S that moves each body's reference point near its joints, or None when all are near.

    Moving it by s turns the moment columns into C_ω + C_v [s]×; s minimises their norm.
    """
    force, moment = squares @ np.where(angular, 0.0, 1.0), squares @ np.where(angular, unit * unit, 0.0)
    if not np.logical_or.reduce((moment > FAR**2 * force) & (force > 0.0)):
        return None
    rows = np.sqrt(_inverse(force + moment))
    G = _gram(apply(C, rows, unit), twists)
    X = _moment_of_shift(twists.shape[1])
    d = X.shape[1]
    A = np.einsum("aki,bkl,cli->bac", X, G[:, :d, :d], X)
    rhs = -np.einsum("aki,bki->ba", X, G[:, :d, d:])
    s = np.einsum("bac,bc->ba", np.linalg.pinv(A, rcond=1e-10, hermitian=True), rhs)
    return _shift_matrix(np.einsum("ba,aki->bki", s, X), unit, twists)


def _moment_of_shift(width: int) -> Array:
    """X_a: how the velocity of the reference point changes with ω for a unit shift along axis a."""
    if width == 3:
        return np.array([[[0.0], [1.0]], [[-1.0], [0.0]]])
    return -np.cross(np.eye(3)[:, None, :], np.eye(3)[None, :, :])


def _gram(C: Any, twists: NDArray[np.int64]) -> Array:
    """C_bᵀ C_b (b, w, w) of every body b."""
    if isinstance(C, np.ndarray):
        blocks = C[:, twists]
        return np.asarray(np.einsum("mbi,mbj->bij", blocks, blocks))
    from scipy.sparse import csr_array

    G = csr_array(C.T @ C)
    i, j = np.broadcast_arrays(twists[:, :, None], twists[:, None, :])
    return np.asarray(G[i.ravel(), j.ravel()]).reshape(i.shape)


def _shift_matrix(K: Array, unit: Array, twists: NDArray[np.int64]) -> Any:
    """The sparse column operation C_ω ← C_ω + C_v K, K (b, d, w − d) given in scaled columns."""
    from scipy.sparse import csr_array, eye_array

    d, n = K.shape[1], unit.size
    i, j = np.broadcast_arrays(twists[:, :d, None], twists[:, None, d:])
    values = K * unit[i] / unit[j]
    return csr_array(eye_array(n)) + csr_array((values.ravel(), (i.ravel(), j.ravel())), shape=(n, n))
