"""What the last digits of a bare matrix say: its rank and null space with every double taken as the fraction it is.

All arithmetic is modulo a prime P.  A rank modulo P is never too large, and too small only if P divides a minor: with a
chance of some 10⁻⁹.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.kernels import kernel
from reactio.linear.spans import Spans
from reactio.uniqueness.evidence import dense_rows

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
SHORT_MANTISSA = 40  # bits of a double that was not rounded: 1/3, 0.1 and √2 have some 53, whole numbers few
LAST_BITS = np.int64((1 << (53 - SHORT_MANTISSA)) - 1)
WIDE_RANGE = 1e3  # of the sizes of entries: units of one kind, as a metre and a millimetre
LARGEST_CORE = 1000  # rows or columns that are eliminated: 8 MB
MOST_CHANGES = 4e8  # of entries by elimination: some 4 s, as long as judging full matrices of that size takes
PRIME = 2**31 - 19  # prime; products of two residues fit 64 bits, and powers of 2 repeat late, unlike modulo 2³¹ − 1


@dataclass(frozen=True, slots=True, eq=False)
class ModularNullSpace:
    """The rank of C (m, n) and a basis of null(Cᵀ), modulo P.

    Rows that alone act on some velocity, once others like them are gone, have a part in no self-stress: N (k + 1, p)
    holds the k others and, last, the zeros of all these; ``place`` (m,) is the row of N for each row of C.
    """

    rank: int
    C: Any
    N: Ints
    place: Ints

    def vanishes(self, p: Array, rows: Ints) -> bool:
        """Is p λ = 0 for all self-stresses, p (len(rows),) on the multipliers of ``rows``?"""
        return not ((residues(p)[:, None] * self.N[self.place[rows]] % PRIME).sum(axis=0) % PRIME).any()

    def determined(self, spans: Spans) -> tuple[Ints, Ints]:
        """The rank of the wrench of each group (g,), and how many of its components are determined."""
        of_rows, free = [], []
        for a, b in zip(spans.ptr[:-1], spans.ptr[1:], strict=True):
            place = self.place[a:b]
            if (place == len(self.N) - 1).all():
                of_rows.append(b - a)
                free.append(0)
                continue
            C_X, N_X = residues(dense_rows(self.C, a, b)), self.N[place]
            of_rows.append(_rank(C_X))
            # Independent rows: B_X has the rank of N_X.
            free.append(_rank(N_X if of_rows[-1] == b - a else product(C_X.T, N_X)))
        ranks = np.array(of_rows, dtype=np.int64)
        return ranks, ranks - np.array(free, dtype=np.int64)


def is_plain(C: Any) -> bool:
    """Have all doubles so few bits that they were not rounded: whole numbers, halves, numbers in single precision?"""
    return not ((C if isinstance(C, np.ndarray) else C.data).view(np.int64) & LAST_BITS).any()


def spans_decades(C: Any) -> bool:
    """Are sizes of entries so far apart that scales may hide a share which the numbers decide?"""
    size = np.abs(C if isinstance(C, np.ndarray) else C.data)
    return bool(size.max() > WIDE_RANGE * size.min(where=size > 0.0, initial=np.inf))


def modular_null_space(C: Any) -> ModularNullSpace | None:
    """The exact rank and null space of a matrix of doubles, dense or sparse, modulo P; None where it takes too long.

    The rows that others act on with them, C_K, are eliminated as columns: null(Cᵀ) is that of C_Kᵀ, and zero elsewhere.
    """
    from scipy.sparse import csr_array

    rows = csr_array(C, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    columns = rows.tocsc()
    alone = rows_alone_on_a_column(*(a.astype(np.int64) for s in (rows, columns) for a in (s.indptr, s.indices)))
    kept = np.flatnonzero(~alone)
    core = rows[kept]
    if kept.size > LARGEST_CORE or np.unique(core.indices).size > LARGEST_CORE:
        return None
    A = residues(core[:, np.unique(core.indices)].toarray().T)  # rows of A: velocities; columns: rows of C
    pivots, echelon = _eliminated(A, MOST_CHANGES)
    if echelon is None:
        return None
    place = np.full(len(alone), kept.size)
    place[kept] = np.arange(kept.size)
    return ModularNullSpace(int(alone.sum()) + pivots.size, C, _null_vectors(pivots, echelon), place)


@kernel
def rows_alone_on_a_column(indptr: Ints, indices: Ints, column_ptr: Ints, members: Ints) -> NDArray[np.bool_]:
    """Rows (m,) of a sparse matrix that alone act on some column, among those that are left without such rows.

    ``indptr``, ``indices``: columns of each row; ``column_ptr``, ``members``: rows of each column.
    """
    m, n = indptr.size - 1, column_ptr.size - 1
    alone, count, waiting = np.zeros(m, np.bool_), np.empty(n, np.int64), np.empty(n, np.int64)
    last = 0
    for j in range(n):
        count[j] = column_ptr[j + 1] - column_ptr[j]
        if count[j] == 1:
            waiting[last] = j
            last += 1
    first = 0
    while first < last:
        j = waiting[first]
        first += 1
        if count[j] != 1:
            continue
        i = -1
        for k in range(column_ptr[j], column_ptr[j + 1]):
            if not alone[members[k]]:
                i = members[k]
        alone[i] = True
        for k in range(indptr[i], indptr[i + 1]):
            count[indices[k]] -= 1
            if count[indices[k]] == 1:
                waiting[last] = indices[k]
                last += 1
    return alone


def residues(x: Array) -> Ints:
    """Doubles modulo P."""
    mantissa, exponent = np.frexp(x)
    of_mantissa = (mantissa * 2.0**53).astype(np.int64) % PRIME
    least = int(exponent.min(initial=0))
    powers = np.array([pow(2, e - 53, PRIME) for e in range(least, int(exponent.max(initial=0)) + 1)], dtype=np.int64)
    return np.asarray(of_mantissa * powers[exponent - least] % PRIME)


def product(A: Ints, B: Ints) -> Ints:
    """A B modulo P: products of residues fill 62 bits, so that each is reduced before it is added."""
    return np.asarray((A[:, :, None] * B[None] % PRIME).sum(axis=1) % PRIME)


def _rank(A: Ints) -> int:
    """The rank of A modulo P."""
    return _eliminated(A, math.inf)[0].size


def _eliminated(A: Ints, most: float) -> tuple[Ints, Ints | None]:
    """The pivot columns of A modulo P, and its rows in echelon form, one for each pivot, which is 1.

    None in place of the rows where more than ``most`` entries would have to be changed.
    """
    pivots: list[int] = []
    A, changes = A.copy(), 0
    for j in range(A.shape[1]):
        rank = len(pivots)
        rows = rank + np.flatnonzero(A[rank:, j])
        if not rows.size:
            continue
        A[[rank, rows[0]]] = A[[rows[0], rank]]
        rows[0] = rank
        at = np.flatnonzero(A[rank])
        changes += rows.size * at.size
        if changes > most:
            return np.array(pivots, dtype=np.int64), None
        A[rank, at] = A[rank, at] * pow(int(A[rank, j]), -1, PRIME) % PRIME
        places = np.ix_(rows[1:], at)
        A[places] = (A[places] - A[rows[1:], j, None] * A[rank, at]) % PRIME
        pivots.append(j)
        if len(pivots) == len(A):
            break
    return np.array(pivots, dtype=np.int64), A[: len(pivots)]


def _null_vectors(pivots: Ints, echelon: Ints) -> Ints:
    """A basis of the null space of rows in echelon form, modulo P, by back substitution; a row of zeros at its end."""
    r, m = echelon.shape
    free = np.setdiff1d(np.arange(m), pivots)
    N = np.zeros((m + 1, free.size), dtype=np.int64)
    N[free, np.arange(free.size)] = 1
    for k in range(r - 1, -1, -1):
        at = pivots[k] + 1 + np.flatnonzero(echelon[k, pivots[k] + 1 :])
        N[pivots[k]] = -product(echelon[k : k + 1, at], N[at])[0] % PRIME
    return N
