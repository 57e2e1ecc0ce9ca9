"""Scales that take units, row lengths and far reference points out of a rank decision.

C̃ = D_r C S D_c with diagonal D_r, D_c and, for bodies given by twists, a shift S of their reference points.
Column operations leave null(Cᵀ) alone and rows give it back: Cᵀλ = 0 ⇔ C̃ᵀ(D_r⁻¹λ) = 0, N = D_r Ñ.

C is dense or CSR, (m, n), or a stack (k, m, n) of dense matrices, each scaled as it would be alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Bools, Floats, Ints
from reactio.topology.components import connected

FAR_REFERENCE = 5.0  # moment over force part of a row, in lengths, that calls for a nearer reference point
KNOWN_UNITS = 1e2  # factor by which a column in known units is scaled at most: smaller entries are meant to be small
UNKNOWN_UNITS = 1e3  # the same where units are not known; a length unit may hide a factor 10³
SAFE_MAGNITUDE = 1e70  # magnitudes up to here, and down to its inverse, have squares and products that stay numbers
TERM_ROUNDING = 16 * 2.3e-16  # of the terms of a sum: the terms have a few roundings themselves
MOST_REWEIGHTINGS = 6  # of least squares: a row that fits no scale then counts as one part in 10³
# Powers of 2 by which scales may still change in a reweighting: they are rounded to whole powers.
SETTLED_SCALE = 0.25
MOST_SCALING_STEPS = 200  # of conjugate gradients; scales at random need some 50
HELD_SCALE = 1e-9  # holds the scale that a connected part of the matrix leaves open; others move by as much
DENSE_SCALING_SIZE = 200  # rows and columns up to which a dense solution takes less time than setting up a sparse one
SCALING_SWEEPS = 5  # each takes the square root of the imbalance that is left: 10³ becomes 1.2


@dataclass(frozen=True, slots=True, eq=False)
class ScaledMatrix:
    """The equilibrated matrix C̃ (m, n), the row scales D_r (m,), and the column operation S D_c; or a stack of them.

    ``held``: only units distinguish small entries (no bodies are known), and some entries stayed so small that another
    unit may make them count.
    """

    C: Any
    Dr: Floats
    Dc: Floats
    S: Any = None
    held: Any = False  # a bool, (k,) of a stack

    def __getitem__(self, k: int) -> ScaledMatrix:
        """Matrix k of a stack."""
        S = None if self.S is None else self.S[k]
        return ScaledMatrix(self.C[k], self.Dr[k], self.Dc[k], S, self.held[k])

    def load(self, f: Floats) -> Floats:
        """D_c Sᵀ f: a load f (n,) in equilibrated columns, Cᵀλ = f ⇔ C̃ᵀ(D_r⁻¹λ) = D_c Sᵀ f."""
        return np.asarray(self.Dc * (f if self.S is None else self.S.T @ f))

    def load_rounding(self, bound: Floats) -> Floats:
        """D_c |S|ᵀ bound: the error bound (n,) of a load in equilibrated columns."""
        return np.asarray(self.Dc * (bound if self.S is None else abs(self.S).T @ bound))

    def right(self, T: Floats) -> Floats:
        """S D_c T̃: a right null vector of C̃ as one of C."""
        scaled = self.Dc[:, None] * T
        return scaled if self.S is None else np.asarray(self.S @ scaled)


def equilibrate(C: Any, angular: Bools | None, length: float, twists: Ints) -> ScaledMatrix:
    """Scale C so that entries of rows and columns are comparable.

    angular (n,): columns in rad/s, divided by ``length`` [m]; twists (b, w): columns of bodies given by twists,
    w = 3 (vx vy ω) or 6 (v ω).  Rows first and last have unit length, so scaling a row changes nothing.
    """
    peaks = _peaks(C)
    if peaks.min() < 1.0 / SAFE_MAGNITUDE or peaks.max() > SAFE_MAGNITUDE:
        power = np.frexp(peaks)[1].astype(np.int32)
        near = apply(apply(C, *_halved(power, C.shape[-1], 0)), *_halved(power, C.shape[-1], 1))
        inner = equilibrate(near, angular, length, twists)
        # The scales of all rows of a matrix have one factor in common.
        middle = (power.max(axis=-1, keepdims=True) + power.min(axis=-1, keepdims=True)) // 2
        return replace(inner, Dr=np.ldexp(inner.Dr, middle - power))
    unit = np.ones(C.shape[-1])
    if angular is not None:
        unit[angular] = 1.0 / length
    squares, first = C * C, unit * unit
    S = None if angular is None or not len(twists) else _shift(C, squares, unit, angular, twists)
    A = C
    if S is not None:
        A = _product(C, S)
        squares = A * A
    gain = _gains(apply(squares, _inverse(squares @ first), first))
    dc = first * _limited(gain, UNKNOWN_UNITS if angular is None else KNOWN_UNITS)
    Dr, Dc = np.sqrt(_inverse(_times(squares, dc))), np.sqrt(dc)
    out = apply(A, Dr, Dc)
    held = np.zeros(C.shape[:-2], dtype=bool) if len(twists) else _far_apart(C, out)
    return ScaledMatrix(out, Dr, Dc, S, held)


def equilibrate_fully(C: Any, part: Ints | None = None) -> ScaledMatrix:
    """Scale C (m, n) so that its entries come as near to 1 as they can, however far apart they were.

    min Σ |log B_ip + r_i + s_p|  over the nonzero B_ip,  D_r = e^r, D_c = e^s,  B_ip the largest entry of row i in the
    columns of part p, which have one scale in common (``part`` (n,); None: each column its own).  [Curtis & Reid 1972]

    The sum of magnitudes, not of squares: one row that fits no scale does not spoil those of a long chain of rows.
    """
    *k, m, n = C.shape
    rows = math.prod(k) * m  # of all matrices of a stack, one after the other
    part = np.arange(n) if part is None else part
    i, j, c = _entries(C)
    row, column_part, peak, _ = _largest_by_part(i, part[j], np.abs(c), (m, n), rows)
    r, s = (np.rint(x).astype(np.int32) for x in _balanced(row, column_part, -np.log2(peak), (m, n), rows))
    column_scale = s[i // m, part[j]] if k else s[0, part[j]]
    r -= _exponents(i, np.frexp(c)[1] + r[i] + column_scale, rows)  # a row that fits no scale stays within numbers
    values = np.ldexp(c, r[i] + column_scale)
    lengths = np.sqrt(_inverse(np.asarray(np.bincount(i, values * values, rows), dtype=np.float64)))
    out = _with_entries(C, i, j, lengths[i] * values)
    Dr, Dc = lengths * np.ldexp(1.0, r), np.ldexp(1.0, s[:, part])
    return ScaledMatrix(out, Dr.reshape(*k, m), Dc.reshape(*k, n))


def _entries(C: Any) -> tuple[Ints, Ints, Floats]:
    """Rows, columns and values of the nonzero entries of C; rows of a stack are numbered one matrix after the other."""
    if isinstance(C, np.ndarray):
        C = C.reshape(math.prod(C.shape[:-1]), C.shape[-1])
        i, j = C.nonzero()
        return i, j, C[i, j]
    from scipy.sparse import coo_array

    entries = coo_array(C)
    nonzero = entries.data != 0.0
    return entries.row[nonzero].astype(np.int64), entries.col[nonzero].astype(np.int64), entries.data[nonzero]


def _with_entries(C: Any, i: Ints, j: Ints, values: Floats) -> Any:
    """A matrix like C, dense or CSR, with other entries."""
    if isinstance(C, np.ndarray):
        out = np.zeros((math.prod(C.shape[:-1]), C.shape[-1]))
        out[i, j] = values
        return out.reshape(C.shape)
    from scipy.sparse import csr_array

    return csr_array((values, (i, j)), shape=C.shape)


def _exponents(i: Ints, power: NDArray[np.int32], m: int) -> NDArray[np.int32]:
    """The largest power of 2 in each of m rows, 0 where there is none."""
    top = np.full(m, np.iinfo(np.int32).min, dtype=np.int32)
    np.maximum.at(top, i, power)
    return np.where(top > np.iinfo(np.int32).min, top, np.int32(0))


def without_small_parts(C: Any, body: Ints, limit: float) -> Any:
    """C without the entries below ``limit`` of the largest one that the same row has on the same body (n,)."""
    i, j, c = _entries(C)
    size = np.abs(c)
    *k, m, n = C.shape
    *_, peak = _largest_by_part(i, body[j], size, (m, n), math.prod(k) * m)
    return _with_entries(C, i, j, np.where(size > limit * peak, c, 0.0))


def _largest_by_part(
    i: Ints, p: Ints, size: Floats, shape: tuple[int, int], rows: int
) -> tuple[Ints, Ints, Floats, Floats]:
    """The largest of the sizes > 0 of entries (k,) in rows i and parts p of the columns; ``shape`` of one matrix.

    Rows and parts of all pairs that have entries, in their order, with the largest of each; and for every entry that of
    its pair (k,).
    """
    n = shape[1]
    if sum(shape) <= DENSE_SCALING_SIZE:
        table = np.zeros((rows, n))
        np.maximum.at(table, (i, p), size)
        row, part = table.nonzero()
        return row, part, table[row, part], table[i, p]
    key, of = np.unique(i * n + p, return_inverse=True)
    peak = np.zeros(key.size)
    np.maximum.at(peak, of, size)
    return key // n, key % n, peak, peak[of]


def without_rounding(C: Any, limit: float, unit: Floats | None) -> tuple[Any, int]:
    """C without the entries that are rounding next to those of their row and of their column, and how many these are.

    A gear of ratio 2⁴⁴ has entries as small as rounding, and scales in which they are large.  So an entry below
    ``limit`` of the largest in its row and in its column is left out only where no scales lift it: where it is still
    below when the large ones are brought near to 1, and then the largest that connect parts which these leave apart.
    What connects such parts and is as small as a few roundings is left out too, unless several ask for the same scale.
    ``unit`` (n,): scales of the columns where they are known; rows are then compared by their largest entries, whatever
    units they are in.
    """
    from scipy.sparse import coo_array, csr_array

    (m, n), entries = C.shape, coo_array(C)
    i, j = entries.row.astype(np.int64), entries.col.astype(np.int64)
    c = np.abs(entries.data)
    if unit is not None:
        c = c * unit[j]
        c = c / _largest(i, c, m)[i]
    row, column = _largest(i, c, m)[i], _largest(j, c, n)[j]
    large = (c > limit * row) | (c > limit * column)
    small = ~large & (c > 0.0)
    if not small.any():
        return C, 0
    r, (s,) = _balanced(i[large], j[large], -np.log2(c[large]), (m, n), m)
    part = connected(m + n, i[large], m + j[large])
    parts = int(part.max()) + 1
    a, b = part[i[small]], part[m + j[small]]
    size = np.log2(c[small]) + r[i[small]] + s[j[small]]
    low = size + _offsets(a, b, size, parts) <= np.log2(limit)
    low |= (a != b) & (c <= TERM_ROUNDING * row)[small] & ~_agreeing(a * parts + b, size)
    dropped = np.flatnonzero(small)[low]
    values = entries.data.copy()
    values[dropped] = 0.0
    out = csr_array((values, (i, j)), shape=(m, n))
    out.eliminate_zeros()
    return out.toarray() if isinstance(C, np.ndarray) else out, int(dropped.size)


def _largest(k: Ints, size: Floats, count: int) -> Floats:
    """The largest size in each of so many rows or columns k, 1 where there is none."""
    top = np.zeros(count)
    np.maximum.at(top, k, size)
    return np.where(top > 0.0, top, 1.0)


def _agreeing(key: Ints, size: Floats) -> Bools:
    """Which numbers (k,) belong to a key that has several, all within a factor 2 of each other (in powers of 2)."""
    _, of, count = np.unique(key, return_inverse=True, return_counts=True)
    top, bottom = np.full(count.size, -np.inf), np.full(count.size, np.inf)
    np.maximum.at(top, of, size)
    np.minimum.at(bottom, of, size)
    return np.asarray(((count > 1) & (top - bottom <= 1.0))[of])


def _offsets(a: Ints, b: Ints, size: Floats, parts: int) -> Floats:
    """t_a − t_b (k,) that bring the largest ``size`` from part a to part b near to 0, for all pairs that have one.

    What connects two parts in both directions cannot be lifted in both: t raises the one as it lowers the other.
    """
    from scipy.sparse import csr_array, diags_array

    apart = a != b
    key, of = np.unique(a[apart] * parts + b[apart], return_inverse=True)
    top = np.full(key.size, -np.inf)
    np.maximum.at(top, of, size[apart])
    k = np.arange(key.size)
    entries = (np.r_[np.ones(k.size), -np.ones(k.size)], (np.r_[k, k], np.r_[key // parts, key % parts]))
    A = csr_array(entries, shape=(key.size, parts))
    t = _solved(A.T @ A + diags_array(np.full(parts, HELD_SCALE)), -(A.T @ top))
    return np.asarray(t[a] - t[b])


def _balanced(i: Ints, p: Ints, b: Floats, shape: tuple[int, int], rows: int) -> tuple[Floats, Floats]:
    """r (rows,), s (k, n) with r_i + s_p near b, in the sum of magnitudes: least squares, weighed again and again.

    ``rows`` are those of k matrices of one ``shape`` (m, n), for small ones; large ones come singly.
    """
    (m, n), k = shape, rows // shape[0]
    of, small = i // m, m + n <= DENSE_SCALING_SIZE  # the matrix that an entry belongs to
    row, column = i - of * m, of * n + p
    weight, x, settled = np.ones(b.size), np.zeros((k, m + n)), np.zeros(k, dtype=bool)
    for _ in range(MOST_REWEIGHTINGS):
        pull = weight * b
        right = np.concatenate(
            [np.bincount(i, pull, k * m).reshape(k, m), np.bincount(column, pull, k * n).reshape(k, n)], axis=1
        )
        before, x = x, (_solved_densely if small else _solved_sparsely)(of, row, p, weight, right, m)
        missed = np.abs(x[:, :m].ravel()[i] + x[:, m:].ravel()[column] - b)
        if (missed <= 1.0).all():
            break
        worst = np.zeros(k)
        np.maximum.at(worst, of, missed)
        settled |= (worst <= 1.0) | (np.abs(x - before).max(axis=1) <= SETTLED_SCALE)
        if settled.all():
            break
        weight = np.where(settled[of], weight, 1.0 / np.maximum(missed, 1.0))
    return np.clip(x[:, :m], -1000.0, 1000.0).ravel(), np.clip(x[:, m:], -1000.0, 1000.0)


def _solved_densely(of: Ints, i: Ints, p: Ints, weight: Floats, right: Floats, m: int) -> Floats:
    """x (k, m + n) of [[Σ_p W, W], [Wᵀ, Σ_i W]] x + HELD_SCALE x = right, of the weights W_ip of each matrix."""
    k, size = right.shape
    A = np.zeros((k, size, size))
    A[of, i, m + p] = A[of, m + p, i] = weight
    diagonal = np.arange(size)
    A[:, diagonal, diagonal] = np.add.reduce(A, axis=2) + HELD_SCALE
    return np.asarray(np.linalg.solve(A, right[..., None])[..., 0])


def _solved_sparsely(of: Ints, i: Ints, p: Ints, weight: Floats, right: Floats, m: int) -> Floats:
    """The same for one large matrix."""
    n = right.shape[1] - m
    return _solved(_normal_matrix(i, p, weight, m, n), right[0])[None]


def _normal_matrix(i: Ints, p: Ints, weight: Floats, m: int, n: int) -> Any:
    """[[Σ_p W, W], [Wᵀ, Σ_i W]] + HELD_SCALE I (m + n, m + n) sparse, of the weights W_ip."""
    from scipy.sparse import block_array, csr_array, diags_array

    W = csr_array((weight, (i, p)), shape=(m, n))
    rows, columns = np.bincount(i, weight, m) + HELD_SCALE, np.bincount(p, weight, n) + HELD_SCALE
    return block_array([[diags_array(rows), W], [W.T, diags_array(columns)]], format="csr")


def _halved(power: NDArray[np.int32], n: int, half: int) -> tuple[Floats, Floats]:
    """Row scales 2^−power in two steps: one alone may be no number (rows of 1e-310)."""
    part = power // 2 if half else power - power // 2
    return np.ldexp(1.0, -part), np.ones(n)


def _solved(A: Any, b: Floats) -> Floats:
    """x of A x = b, A sparse, symmetric and positive definite.

    Conjugate gradients are quick where a factor fills in (rows that touch columns at random), and a factor where they
    are slow (long chains).
    """
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import cg, splu

    x, unfinished = cg(A, b, rtol=1e-10, maxiter=MOST_SCALING_STEPS, M=diags_array(1.0 / A.diagonal()))
    if unfinished:
        x = splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve(b)
    return np.asarray(x)


def _far_apart(C: Any, scaled: Any) -> Any:
    """Has an entry stayed so small compared with its row that it may be large in another unit?  (k,) of a stack."""
    if isinstance(C, np.ndarray):
        return ((np.abs(scaled) * UNKNOWN_UNITS < 1.0) & (C != 0.0)).any(axis=(-2, -1))
    return ((np.abs(scaled.data) * UNKNOWN_UNITS < 1.0) & (C.data != 0.0)).any()


def _peaks(C: Any) -> Floats:
    """The largest magnitude of each row, 1 where there is none."""
    peaks = np.abs(C).max(axis=-1) if isinstance(C, np.ndarray) else abs(C).max(axis=1).toarray().ravel()
    return np.where(peaks > 0.0, peaks, 1.0)


def _gains(squares: Any) -> Floats:
    """Squared column scales d_c (n,) that, with row scales d_r, bring rows and columns towards unit length.

    d_r ← √(d_r / Σ_j C_ij² d_c),  d_c ← √(d_c / Σ_i C_ij² d_r),  both from 1, where an empty row or column stays.
    [Ruiz 2001]
    """
    *k, m, n = squares.shape
    turned = squares.T if not k else np.swapaxes(squares, -1, -2)
    dr, dc = np.ones((*k, m)), np.ones((*k, n))
    no_row, no_column = (_times(squares, dc) == 0.0).astype(float), (_times(turned, dr) == 0.0).astype(float)
    for _ in range(SCALING_SWEEPS):
        rows, columns = (
            np.maximum(_times(squares, dc) + no_row, 1 / SAFE_MAGNITUDE),
            np.maximum(_times(turned, dr) + no_column, 1 / SAFE_MAGNITUDE),
        )
        dr, dc = np.sqrt(dr / rows), np.sqrt(dc / columns)
    return dc


def _times(A: Any, x: Floats) -> Floats:
    """A x, x (n,) or (k, n) for a stack A (k, m, n)."""
    return np.asarray(A @ x if x.ndim == 1 else (A @ x[..., None])[..., 0])


def _limited(gain: Floats, reach: float) -> Floats:
    """Column gains (squared) held within ``reach`` of the middle one, so that a tiny column stays tiny."""
    middle = np.sort(gain)[..., gain.shape[-1] // 2, None]
    return np.asarray(np.minimum(np.maximum(gain, middle / reach**2), middle * reach**2))


def apply(C: Any, Dr: Floats, Dc: Floats) -> Any:
    """D_r C D_c."""
    if isinstance(C, np.ndarray):
        return Dr[..., None] * C * Dc[..., None, :]
    out = C.copy()
    out.data = out.data * np.repeat(Dr, np.diff(C.indptr)) * Dc[C.indices]
    return out


def _inverse(x: Floats) -> Floats:
    return 1.0 / np.where(x > 0.0, x, 1.0)


def _shift(C: Any, squares: Any, unit: Floats, angular: Bools, twists: Ints) -> Any:
    """S that moves each body's reference point near its joints, or None when all are near.

    Moving it by s turns the moment columns into C_ω + C_v [s]×; s minimises their norm.  In a stack it is zero for
    matrices in which all are near.
    """
    force, moment = squares @ np.where(angular, 0.0, 1.0), squares @ np.where(angular, unit * unit, 0.0)
    far = np.logical_or.reduce((moment > FAR_REFERENCE**2 * force) & (force > 0.0), axis=-1)
    if not far.any():
        return None
    rows = np.sqrt(_inverse(force + moment))
    G = _gram(apply(C, rows, unit), twists)
    X = _moment_of_shift(twists.shape[1])
    d = X.shape[1]
    A = np.einsum("aki,...bkl,cli->...bac", X, G[..., :d, :d], X)
    rhs = -np.einsum("aki,...bki->...ba", X, G[..., :d, d:])
    s = np.einsum("...bac,...bc->...ba", np.linalg.pinv(A, rcond=1e-10, hermitian=True), rhs)
    K = np.einsum("...ba,aki->...bki", s * far[..., None, None], X)
    return _shift_matrix(K, unit, twists)


def _product(C: Any, S: Any) -> Any:
    """C S, zero where it is rounding of the terms it is the sum of."""
    A, terms = C @ S, abs(C) @ abs(S)
    if isinstance(A, np.ndarray):
        return np.where(np.abs(A) > TERM_ROUNDING * terms, A, 0.0)
    from scipy.sparse import csr_array

    return csr_array(A.multiply(abs(A) > TERM_ROUNDING * terms))


def _moment_of_shift(width: int) -> Floats:
    """X_a: how the velocity of the reference point changes with ω for a unit shift along axis a."""
    if width == 3:
        return np.array([[[0.0], [1.0]], [[-1.0], [0.0]]])
    return -np.cross(np.eye(3)[:, None, :], np.eye(3)[None, :, :])


def _gram(C: Any, twists: Ints) -> Floats:
    """C_bᵀ C_b (b, w, w) of every body b."""
    if isinstance(C, np.ndarray):
        blocks = C[..., twists]
        return np.asarray(np.einsum("...mbi,...mbj->...bij", blocks, blocks))
    from scipy.sparse import csr_array

    G = csr_array(C.T @ C)
    i, j = np.broadcast_arrays(twists[:, :, None], twists[:, None, :])
    return np.asarray(G[i.ravel(), j.ravel()]).reshape(i.shape)


def _shift_matrix(K: Floats, unit: Floats, twists: Ints) -> Any:
    """The column operation C_ω ← C_ω + C_v K, K (b, d, w − d) given in scaled columns; sparse, dense for a stack."""
    d, n = K.shape[-2], unit.size
    i, j = np.broadcast_arrays(twists[:, :d, None], twists[:, None, d:])
    values = K * unit[i] / unit[j]
    if K.ndim > 3:
        S = np.zeros((len(K), n, n))
        S[:] = np.eye(n)
        S[:, i, j] += values
        return S
    from scipy.sparse import csr_array, eye_array

    return csr_array(eye_array(n)) + csr_array((values.ravel(), (i.ravel(), j.ravel())), shape=(n, n))
