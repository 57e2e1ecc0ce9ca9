"""Roots of block diagonal mass matrices, and the directions in which they have no mass."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import NO_ARRAYS, kernel

# A pivot below this part of its diagonal entry is rounding: a body whose origin lies 10⁴ times its radius of gyration
# away from its centre of mass still keeps 1e-8.
MASSLESS_PART = 1e-13
KEPT_LAYOUTS = 4  # layouts of blocks that are kept: those of a model are asked for at every instant


def inverse_root(M: Any, ptr: Ints) -> Any | None:
    """L⁻ᵀ (n, n) of M = L Lᵀ, dense or CSR as M is, or None where M is not positive definite.

    M (n, n) with blocks ptr[b] … ptr[b + 1] on its diagonal and nothing outside them.
    """
    data = _flat(M, ptr)
    roots = _factors(data, ptr)
    if roots is None:
        return None
    out = np.empty_like(data)
    for places, _, inverse in roots:
        out[places] = inverse.transpose(0, 2, 1)
    if isinstance(M, np.ndarray):
        root = np.zeros_like(M)
        root[_places(_offsets(ptr))] = out
        return root
    from scipy.sparse import csr_array

    return csr_array((out, *_pattern(M, ptr)), shape=M.shape)


class BlockRoots(NamedTuple):
    """L of a block diagonal M = L Lᵀ; in x = Lᵀv kinetic energy is ½|x|²."""

    ptr: Ints  # (b + 1,) where blocks begin
    L: Floats  # all entries of the blocks, row by row and block after block
    inverse: Floats  # those of L⁻¹

    @classmethod
    def of(cls, M: Any, ptr: Ints) -> BlockRoots | None:
        """The roots of M (n, n), CSR, or None where M is not positive definite."""
        data = _flat(M, ptr)
        factors = _factors(data, ptr)
        if factors is None:
            return None
        roots = cls(ptr, np.empty_like(data), np.empty_like(data))
        for places, L, inverse in factors:
            roots.L[places], roots.inverse[places] = L, inverse
        return roots

    def scaled(self, v: Floats) -> Floats:
        """x = Lᵀ v (n,)."""
        return self._times(self.L, v, transposed=True)

    def velocities(self, x: Floats) -> Floats:
        """v = L⁻ᵀ x (n,)."""
        return self._times(self.inverse, x, transposed=True)

    def impulses(self, f: Floats) -> Floats:
        """The change L⁻¹ f (n,) of x with impulses f."""
        return self._times(self.inverse, f, transposed=False)

    def _times(self, data: Floats, v: Floats, transposed: bool) -> Floats:
        """Blocks, or transposed blocks, times a vector (n,)."""
        out = np.empty_like(v)
        for bodies, places in _stacks(_offsets(self.ptr)):
            columns, blocks = self.ptr[bodies][:, None] + np.arange(places.shape[1]), data[places]
            out[columns] = ((blocks.transpose(0, 2, 1) if transposed else blocks) @ v[columns][:, :, None])[:, :, 0]
        return out

    def rows(self, C: Floats, pattern: tuple[Ints, Ints], count: int) -> Floats:
        """Rows C L⁻ᵀ (count, n) on x, of rows on v with a pattern (indptr, columns); then rows of zeros."""
        A, width = np.zeros((count, int(self.ptr[-1]))), np.diff(self.ptr)
        start, block = np.cumsum(width**2) - width**2, np.repeat(np.arange(len(width)), width)
        rows_on_roots(*pattern, C, self.ptr, start, block, self.inverse, A)
        return A


@kernel(**NO_ARRAYS)
def rows_on_roots(
    indptr: Ints, columns: Ints, C: Floats, ptr: Ints, start: Ints, block: Ints, inverse: Floats, A: Floats
) -> None:
    """A += C L⁻ᵀ with the entries of L⁻¹, which begin at start (b,) for each block; block (n,): that of each column."""
    for i in range(indptr.shape[0] - 1):
        for e in range(indptr[i], indptr[i + 1]):
            j, b = columns[e], block[columns[e]]
            first, width = ptr[b], ptr[b + 1] - ptr[b]
            for k in range(j - first, width):
                A[i, first + k] += C[e] * inverse[start[b] + k * width + j - first]


def _factors(data: Floats, ptr: Ints) -> list[tuple[Ints, Floats, Floats]] | None:
    """Places in the flat data, L and L⁻¹ (b, w, w) of the blocks of each size; None where one has no root."""
    factors: list[tuple[Ints, Floats, Floats]] = []
    for _, places in _stacks(_offsets(ptr)):
        blocks = data[places]
        try:
            L = np.linalg.cholesky(blocks)
        except np.linalg.LinAlgError:
            return None
        if (np.einsum("bii->bi", L) ** 2 <= MASSLESS_PART * np.einsum("bii->bi", blocks)).any():
            return None
        factors.append((places, np.asarray(L), np.asarray(np.linalg.inv(L))))
    return factors


def massless(M: Any, ptr: Ints) -> Floats:
    """Z (n, k): a basis of null(M), block by block; k = 0 when M is positive definite."""
    data = _flat(M, ptr)
    bases = [np.zeros((M.shape[0], 0))]
    for bodies, places in _stacks(_offsets(ptr)):
        for b, block in zip(bodies, data[places], strict=True):
            size = np.sqrt(np.diagonal(block))
            size = np.where(size > 0.0, size, 1.0)
            # Unit diagonal first, so that kg and kg m² are not compared.
            values, vectors = np.linalg.eigh(block / np.outer(size, size))
            null = vectors[:, values <= 10 * MASSLESS_PART] / size[:, None]
            Z = np.zeros((M.shape[0], null.shape[1]))
            Z[ptr[b] : ptr[b + 1]] = null
            bases.append(Z)
    return np.hstack(bases)


def _offsets(ptr: Ints) -> bytes:
    """Where blocks begin, as a key of the layouts below."""
    return np.asarray(ptr, np.int64).tobytes()


@lru_cache(KEPT_LAYOUTS)
def _stacks(offsets: bytes) -> list[tuple[Ints, Ints]]:
    """Blocks of one size: their numbers, and the places (b, w, w) of their entries in the flat data."""
    ptr: Ints = np.frombuffer(offsets, np.int64)
    width = np.diff(ptr)
    at = np.cumsum(width**2) - width**2
    stacks = []
    for size in sorted(set(width.tolist()) - {0}):
        bodies = np.flatnonzero(width == size)
        stacks.append((bodies, at[bodies][:, None, None] + np.arange(size * size).reshape(size, size)))
    return stacks


def _flat(M: Any, ptr: Ints) -> Floats:
    """All entries of the blocks, row by row and block after block, zeros included."""
    if isinstance(M, np.ndarray):
        return np.asarray(M[_places(_offsets(ptr))])
    width = np.diff(ptr)
    if M.nnz == (width**2).sum():
        return np.asarray(M.data)
    row = np.repeat(np.arange(M.shape[0]), np.diff(M.indptr))
    b = np.searchsorted(ptr, row, side="right") - 1
    data = np.zeros((width**2).sum())
    np.add.at(data, (np.cumsum(width**2) - width**2)[b] + (row - ptr[b]) * width[b] + M.indices - ptr[b], M.data)
    return data


@lru_cache(KEPT_LAYOUTS)
def _places(offsets: bytes) -> tuple[Ints, Ints]:
    """Rows and columns of the entries of the blocks of a dense matrix, row by row and block after block."""
    ptr: Ints = np.frombuffer(offsets, np.int64)
    width = np.diff(ptr)
    per_row = np.repeat(width, width)
    first = np.repeat(np.repeat(ptr[:-1], width), per_row)
    begun = np.repeat(np.cumsum(per_row) - per_row, per_row)
    return np.repeat(np.arange(ptr[-1]), per_row), first + np.arange(len(first)) - begun


def _pattern(M: Any, ptr: Ints) -> tuple[Ints, Ints]:
    """Indices and offsets of a CSR matrix whose blocks are full."""
    width = np.diff(ptr)
    if M.nnz == (width**2).sum():
        return M.indices, M.indptr
    per_row = np.repeat(width, width)
    indptr = np.concatenate([[0], np.cumsum(per_row)])
    first = np.repeat(np.repeat(ptr[:-1], width), per_row)
    return first + np.arange(indptr[-1]) - np.repeat(indptr[:-1], per_row), indptr
