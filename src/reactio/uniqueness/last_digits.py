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

from reactio.linear.spans import Spans

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
SHORT_MANTISSA = 40  # bits of a double that was not rounded: 1/3, 0.1 and √2 have some 53, whole numbers few
LAST_BITS = np.int64((1 << (53 - SHORT_MANTISSA)) - 1)
WIDE_RANGE = 1e3  # of the sizes of entries: units of one kind, as a metre and a millimetre
MOST_CHANGES = 3e7  # of entries by elimination: some 0.3 s
PRIME = 2**31 - 19  # prime; products of two residues fit 64 bits, and powers of 2 repeat late, unlike modulo 2³¹ − 1


@dataclass(frozen=True, slots=True, eq=False)
class ModularNullSpace:
    """The rank of C (m, n), the rows of C and a basis N (m, p) of null(Cᵀ), all modulo P."""

    rank: int
    C: Ints
    N: Ints

    def vanishes(self, p: Array, rows: Ints) -> bool:
        """Is p λ = 0 for all self-stresses, p (len(rows),) on the multipliers of ``rows``?"""
        return not ((residues(p)[:, None] * self.N[rows] % PRIME).sum(axis=0) % PRIME).any()

    def determined(self, spans: Spans) -> tuple[Ints, Ints]:
        """The rank of the wrench of each group (g,), and how many of its components are determined."""
        of_rows, free = [], []
        for a, b in zip(spans.ptr[:-1], spans.ptr[1:], strict=True):
            of_rows.append(_rank(self.C[a:b]))
            # Independent rows: B_X has the rank of N_X.
            free.append(_rank(self.N[a:b] if of_rows[-1] == b - a else product(self.C[a:b].T, self.N[a:b])))
        ranks = np.array(of_rows, dtype=np.int64)
        return ranks, ranks - np.array(free, dtype=np.int64)


def is_plain(C: Any) -> bool:
    """Have all doubles so few bits that they were not rounded: whole numbers, halves, numbers in single precision?"""
    return not ((C if isinstance(C, np.ndarray) else C.data).view(np.int64) & LAST_BITS).any()


def spans_decades(C: Any) -> bool:
    """Are sizes of entries so far apart that scales may hide a share which the numbers decide?"""
    size = np.abs(C if isinstance(C, np.ndarray) else C.data)
    return bool(size.max() > WIDE_RANGE * size.min(where=size > 0.0, initial=np.inf))


def modular_null_space(C: Array) -> ModularNullSpace | None:
    """The exact rank and null space of a matrix of doubles, modulo P; None where its rows fill up and it takes long."""
    entries = residues(C)
    m, n = entries.shape
    rank, A = _eliminated(np.hstack([entries, np.eye(m, dtype=np.int64)]), n, MOST_CHANGES)
    if A is None:
        return None
    return ModularNullSpace(rank, entries, np.ascontiguousarray(A[rank:, n:].T))


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
    return _eliminated(A, A.shape[1], math.inf)[0]


def _eliminated(A: Ints, columns: int, most: float) -> tuple[int, Ints | None]:
    """The rank of the first columns, and A with its first rows in echelon form and zeros below them.

    None in place of A where more than ``most`` of its entries would have to be changed.
    """
    A, rank, changes = A.copy(), 0, 0
    for j in range(columns):
        rows = rank + np.flatnonzero(A[rank:, j])
        if not rows.size:
            continue
        A[[rank, rows[0]]] = A[[rows[0], rank]]
        rows[0] = rank
        at = np.flatnonzero(A[rank])
        changes += rows.size * at.size
        if changes > most:
            return rank, None
        pivot = A[rank, at] * pow(int(A[rank, j]), -1, PRIME) % PRIME
        places = np.ix_(rows[1:], at)
        A[places] = (A[places] - A[rows[1:], j, None] * pivot) % PRIME
        rank += 1
        if rank == len(A):
            break
    return rank, A
