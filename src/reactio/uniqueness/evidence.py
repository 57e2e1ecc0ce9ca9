"""What every verdict can be traced back to: null-space rows on demand, whatever method produced them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from reactio.linear.nullspace import Factor, left
from reactio.linear.rank import Tolerances, plausible_ranks
from reactio.linear.scaling import ScaledMatrix
from reactio.uniqueness.scores import amplification, readings_of

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_ROWS: Ints = np.zeros(0, dtype=np.int64)
WEIGHTS_KEPT = 16  # of different numbers of groups: along a motion all instants have the same


class Block(NamedTuple):
    """A part of the rows with its own null space Ñ (rows, p)."""

    rows: Ints
    N: Array


class Evidence(Protocol):
    """The null space of C̃ᵀ, in pieces."""

    @property
    def scaled(self) -> ScaledMatrix:
        """The equilibrated matrix and its scales."""

    @property
    def spread(self) -> float:
        """Factor by which ``scores`` may be off either way."""

    def rounding(self, rows: Ints) -> float:
        """What rounding can make of |p Ñ| where p Ñ = 0, for unit vectors p on the multipliers of ``rows``.

        0 where the error of the entries is not known.
        """

    def zero(self, rows: Ints) -> float:
        """Up to which |p Ñ| counts as zero: what rounding can make of it, at most the tolerance for zero."""

    def sure(self, rows: Ints) -> float:
        """The same under the plausible rank for which it is largest, at least the tolerance: larger scores are real."""

    def scores(self, rows: Ints, p: Array) -> list[Array]:
        """|p Ñ| of rows p (k, len(rows)) on the multipliers of ``rows``, under every plausible rank, best first."""

    def null_rows(self, rows: Ints) -> list[Array]:
        """Rows of Ñ (len(rows), q) up to an orthogonal factor on the right, under every plausible rank, best first."""

    def cross(self, rows: Ints, weight: Array, aside: Ints = NO_ROWS) -> Block:
        """The columns ``rows`` of the projector on diag(weight)⁻¹ Ñ, over the rows that can share load with them.

        Rows that are left ``aside`` follow from the others and say nothing about who shares with whom.
        """

    def blocks(self) -> list[Block]:
        """All parts with a null space."""

    def project(self, W: Array) -> Array:
        """Orthogonal projection of W (m, k) on null(C̃ᵀ)."""

    def projections(self, W: Array) -> list[Array]:
        """The same under every plausible rank, the best first."""


@dataclass(frozen=True, eq=False)
class DenseEvidence:
    """One orthogonal Q of the whole matrix: its last columns are Ñ."""

    scaled: ScaledMatrix
    factor: Factor
    tol: Tolerances
    rank: int | None = None  # where exact arithmetic has settled it

    @cached_property
    def _ranks(self) -> list[Ints]:
        """The plausible ranks, the best first."""
        return readings_of(plausible_ranks(self.factor.sigma, self.tol)) if self.rank is None else [np.array(self.rank)]

    @cached_property
    def _bases(self) -> list[Array]:
        """Ñ (m, p) under every plausible rank."""
        return [left(self.factor.Q, rank) for rank in self._ranks]

    @cached_property
    def _amplification(self) -> list[Array]:
        """(m,) by which errors of the entries are multiplied in each row of Ñ, squared, under every plausible rank."""
        return [amplification(self.factor, rank) for rank in self._ranks]

    @property
    def spread(self) -> float:
        """Scores are exact."""
        return 1.0

    def rounding(self, rows: Ints) -> float:
        """ε ‖C̃⁺‖ over the columns ``rows``."""
        if self.tol.rounding is None or not self.factor.sigma.size:
            return 0.0
        return self.tol.rounding * math.sqrt(self._amplification[0][rows].sum())

    def zero(self, rows: Ints) -> float:
        """The same, at most the tolerance for zero, which stands in for it where errors are not known."""
        known = self.tol.rounding is not None and self.factor.sigma.size
        return min(self.tol.zero, self.rounding(rows)) if known else self.tol.zero

    def sure(self, rows: Ints) -> float:
        """ε ‖C̃⁺‖ over the columns ``rows`` under the highest plausible rank, at least the tolerance for geometry."""
        if self.tol.rounding is None or not self.factor.sigma.size:
            return self.tol.sure
        return max(self.tol.sure, self.tol.rounding * math.sqrt(max(a[rows].sum() for a in self._amplification)))

    def scores(self, rows: Ints, p: Array) -> list[Array]:
        """|p Ñ| under every plausible rank."""
        return [np.linalg.norm(p @ N, axis=1) for N in self.null_rows(rows)]

    def null_rows(self, rows: Ints) -> list[Array]:
        """Rows of Ñ under every plausible rank."""
        return [N[rows] for N in self._bases]

    def cross(self, rows: Ints, weight: Array, aside: Ints = NO_ROWS) -> Block:
        """The columns ``rows`` of the projector K (KᵀK)⁻¹ Kᵀ: K is Ñ over the weights, without the rows left aside."""
        K = self._bases[0] / weight[:, None]
        K[aside] = 0.0
        return Block(np.arange(len(K)), K @ np.linalg.solve(K.T @ K, K[rows].T))

    def blocks(self) -> list[Block]:
        """The whole matrix as one part."""
        N = self._bases[0]
        return [Block(np.arange(len(N)), N)] if N.shape[1] else []

    def project(self, W: Array) -> Array:
        """Ñ Ñᵀ W."""
        return self.projections(W)[0]

    def projections(self, W: Array) -> list[Array]:
        """Ñ Ñᵀ W under every plausible rank."""
        return [N @ (N.T @ W) for N in self._bases]


def group_weights(ptr: Ints) -> Array:
    """Random numbers (m,) from 1 to 2, one for each group (offsets ptr) and the same ones every time.

    With N the null space, x and y rows of different groups, the entry (x, y) of W N (Nᵀ W² N)⁻¹ Nᵀ W is, times a
    determinant, Σ_S w_S² det N_{S+x} det N_{S+y} over all sets S of p − 1 rows: no symmetry makes it vanish for random
    weights W, and it is zero only if no minimal self-stress holds both x and y.
    """
    return np.repeat(_random_weights(len(ptr) - 1), np.diff(ptr))


@lru_cache(maxsize=WEIGHTS_KEPT)
def _random_weights(count: int) -> Array:
    return np.random.default_rng(19810).uniform(1.0, 2.0, count)


def dense_rows(C: Any, start: int, stop: int) -> Array:
    """Rows start to stop of a dense or CSR matrix as an array over the columns they touch."""
    if isinstance(C, np.ndarray):
        return np.asarray(C[start:stop])
    inside = slice(C.indptr[start], C.indptr[stop])
    columns, at = np.unique(C.indices[inside], return_inverse=True)
    out = np.zeros((stop - start, columns.size))
    out[np.repeat(np.arange(stop - start), np.diff(C.indptr[start : stop + 1])), at] = C.data[inside]
    return out
