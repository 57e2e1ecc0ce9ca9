"""What the last digits of a bare matrix say: its rank and null space with every double taken as the fraction it is.

All arithmetic is modulo a prime P.  A rank modulo P is never too large, and too small only if P divides a minor: with a
chance of some 10⁻⁹.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reactio.linear.spans import Spans

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
SHORT_MANTISSA = 40  # bits of a double that was not rounded: 1/3, 0.1 and √2 have some 53, whole numbers few
LAST_BITS = np.int64((1 << (53 - SHORT_MANTISSA)) - 1)
WIDE_RANGE = 1e3  # of the sizes of entries: units of one kind, as a metre and a millimetre
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
        own, free = [], []
        for a, b in zip(spans.ptr[:-1], spans.ptr[1:], strict=True):
            own.append(_eliminated(self.C[a:b], self.C.shape[1])[0])
            free.append(_eliminated(product(self.C[a:b].T, self.N[a:b]), self.N.shape[1])[0])
        ranks = np.array(own, dtype=np.int64)
        return ranks, ranks - np.array(free, dtype=np.int64)


def is_plain(C: Array) -> bool:
    """Have all doubles so few bits that they were not rounded: whole numbers, halves, numbers in single precision?"""
    return not (C.view(np.int64) & LAST_BITS).any()


def spans_decades(C: Array) -> bool:
    """Are sizes of entries so far apart that scales may hide a share which the numbers decide?"""
    size = np.abs(C)
    return bool(size.max() > WIDE_RANGE * size.min(where=size > 0.0, initial=np.inf))


def modular_null_space(C: Array) -> ModularNullSpace:
    """The exact rank and null space of a matrix of doubles, modulo P."""
    entries = residues(C)
    m, n = entries.shape
    rank, A = _eliminated(np.hstack([entries, np.eye(m, dtype=np.int64)]), n)
    return ModularNullSpace(rank, entries, np.ascontiguousarray(A[rank:, n:].T))


def residues(x: Array) -> Ints:
    """Doubles modulo P."""
    mantissa, exponent = np.frexp(x)
    whole = (mantissa * 2.0**53).astype(np.int64) % PRIME
    least = int(exponent.min(initial=0))
    powers = np.array([pow(2, e - 53, PRIME) for e in range(least, int(exponent.max(initial=0)) + 1)], dtype=np.int64)
    return np.asarray(whole * powers[exponent - least] % PRIME)


def product(A: Ints, B: Ints) -> Ints:
    """A B modulo P: products of residues fill 62 bits, so that each is reduced before it is added."""
    return np.asarray((A[:, :, None] * B[None] % PRIME).sum(axis=1) % PRIME)


def _eliminated(A: Ints, columns: int) -> tuple[int, Ints]:
    """The rank of the first columns, and A with its first rows in echelon form and zeros below them."""
    A, rank = A.copy(), 0
    for j in range(columns):
        below = np.flatnonzero(A[rank:, j])
        if not below.size:
            continue
        k = rank + int(below[0])
        if k != rank:
            A[[rank, k]] = A[[k, rank]]
        pivot = A[rank] * pow(int(A[rank, j]), -1, PRIME) % PRIME
        rows = rank + below[1:] if below[0] == 0 else rank + np.flatnonzero(A[rank:, j])[1:]
        A[rows] = (A[rows] - A[rows, j, None] * pivot) % PRIME
        rank += 1
        if rank == len(A):
            break
    return rank, A
