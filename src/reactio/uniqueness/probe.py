"""One large block: sparse QR, then random vectors projected on its null space.

With λ = P w, P the projector on null(C̃ᵀ) and w normal, λ_X has the range of N_X: k > size + 1 probes show
rank(N_X).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import distinct
from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import ReactioError
from reactio.linear.nullspace import by_svd, left
from reactio.linear.rank import Count, Tolerances, plausible_ranks
from reactio.linear.scaling import ScaledMatrix
from reactio.uniqueness.blocks import Layout, dense_stack, stacks
from reactio.uniqueness.evidence import NO_ROWS, Block, DenseEvidence
from reactio.uniqueness.near_misses import near_misses_of_block
from reactio.uniqueness.scores import Verdicts, combine, group_scores, readings_of

if TYPE_CHECKING:
    from reactio.linear.sparse.sparse_qr import SparseQR

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
FEWEST_BLOCK_PROBES = 8  # random vectors for the verdicts of a block: two more than a joint has rows
MOST_BLOCK_PROBES = 32  # the same for large groups; those that all of them load are called ambiguous
LARGEST_WRITTEN_BASIS = 2000  # side of a block whose null basis is made by a dense factor when asked for
MOST_PROBED_ROWS = 64  # rows projected one by one to explain a verdict
COMPONENT_PROBES = 8  # random vectors whose projections serve the components of all groups
# |pᵀλ| over the probes is the score times a χ of 8 degrees: below 0.1 with probability 3e-11, above 10 with 1e-17.
SCORE_SPREAD = 10.0


class Probed(NamedTuple):
    """Sparse factors of one large block."""

    factors: tuple[SparseQR, ...]  # under the plausible ranks, the best first
    ranks: Count
    smallest_kept: float  # pivot of the best
    largest_dropped: float

    @property
    def redundant(self) -> bool:
        """Has the block a null space at all?"""
        return bool(self.factors[0].rank < self.factors[0].shape[0])

    def rounding(self, reading: int, sizes: Ints, tol: Tolerances) -> Array:
        """The share that rounding can give to groups of so many rows (g,) that have none, under a plausible rank.

        The pivots of R bound σ_r from above only: the length of a vector stands for what they leave out.
        """
        if tol.rounding is None:
            return np.full(sizes.shape, tol.zero)
        amplified = np.sqrt(float(self.factors[0].shape[0])) / min(self.factors[reading].smallest_kept, 1.0)
        return np.asarray(tol.rounding * amplified * np.sqrt(sizes))

    def zero(self, sizes: Ints, tol: Tolerances) -> Array:
        """The same under the best rank, at most the tolerance for zero."""
        return np.asarray(np.minimum(tol.zero, self.rounding(0, sizes, tol)))

    def sure(self, sizes: Ints, tol: Tolerances) -> Array:
        """The same under the rank for which it is largest, at least the tolerance for geometry."""
        largest = np.max([self.rounding(k, sizes, tol) for k in range(len(self.factors))], axis=0)
        return np.asarray(np.maximum(tol.sure, largest))


def probe(layout: Layout, b: int, matrix: ConstraintMatrix, tol: Tolerances) -> tuple[Probed, Verdicts]:
    """Rank and verdicts of block b."""
    C, block_ptr = _submatrix(layout, b, matrix)
    probed = _factors(C, block_ptr, tol)
    spans = layout.local_spans(b)
    size = int(spans.sizes.max())
    k = min(max(FEWEST_BLOCK_PROBES, size + 2), MOST_BLOCK_PROBES)
    W = np.random.default_rng(20130305).standard_normal((C.shape[0], k)) / np.sqrt(k)
    readings = [
        group_scores(
            lambda rows: _compressed(C, rows), _project(qr, W), spans, tol, probed.rounding(i, spans.sizes, tol), k
        )
        for i, qr in enumerate(probed.factors)
    ]
    verdicts = combine(readings, spans.sizes)
    if tol.rounding is None or not probed.redundant:
        return probed, verdicts
    best = probed.factors[0]
    doubt = near_misses_of_block(
        C,
        np.array([probed.smallest_kept]),
        best.rank < min(C.shape),
        spans,
        probed.zero(spans.sizes, tol),
        tol.rounding,
        tol.rank_rounding is not None,
        lambda V: _project(best, V),
    )
    return probed, verdicts.doubting(doubt, np.array(C.shape[0] - best.rank))


def _factors(C: Any, block_ptr: Ints | None, tol: Tolerances) -> Probed:
    """QR at the best threshold, and at both ends where a pivot lies in the grey zone."""
    from reactio.linear.sparse.sparse_qr import sparse_qr

    best = sparse_qr(C, block_ptr, tol.decide)
    low = sparse_qr(C, block_ptr, tol.sure) if best.smallest_kept < tol.sure else best
    high = sparse_qr(C, block_ptr, tol.zero) if best.largest_dropped > tol.zero else best
    ranks = [np.array(r, dtype=np.int64) for r in sorted((low.rank, best.rank, high.rank))]
    counts = Count(np.array(best.rank), ranks[0], ranks[2])
    return Probed(tuple(dict.fromkeys((best, low, high))), counts, best.smallest_kept, best.largest_dropped)


def _project(qr: SparseQR, W: Array) -> Array:
    """The projection of W (rows, k) on the null space of the transposed block."""
    from reactio.linear.sparse.sparse_qr import project

    return np.ascontiguousarray(project(qr, W))


def _submatrix(layout: Layout, b: int, matrix: ConstraintMatrix) -> tuple[Any, Ints | None]:
    """Block b as CSR over its own columns, sorted as in the whole, and the offsets of its bodies."""
    from scipy.sparse import csr_array

    part = layout.C[layout.row_ptr[b] : layout.row_ptr[b + 1]]
    columns, at = np.unique(part.indices, return_inverse=True)
    C = csr_array((part.data, at, part.indptr), shape=(part.shape[0], columns.size))
    if matrix.columns.body_ptr is None:
        return C, None
    body = np.searchsorted(matrix.columns.body_ptr, columns, side="right") - 1
    first = np.flatnonzero(np.diff(body, prepend=-1))
    return C, np.append(first, columns.size).astype(np.int64)


def _compressed(C: Any, rows: Ints) -> Array:
    """Groups of k rows as a stack (g, k, columns they touch)."""
    g, k = rows.shape
    part = C[rows.ravel()]
    group = np.repeat(np.repeat(np.arange(g), k), np.diff(part.indptr))
    key, at = np.unique(group * C.shape[1] + part.indices, return_inverse=True)
    owner = key // C.shape[1]
    place = np.arange(key.size) - np.searchsorted(owner, np.arange(g))[owner]
    out = np.zeros((g * k, int(place.max()) + 1))
    out[np.repeat(np.arange(g * k), np.diff(part.indptr)), place[at]] = part.data
    return out.reshape(g, k, -1)


@dataclass(frozen=True, slots=True, eq=False)
class LargeEvidence:
    """Null spaces block by block: small blocks are factored again when asked, large ones keep their QR."""

    scaled: ScaledMatrix
    layout: Layout
    probed: dict[int, Probed]
    tol: Tolerances
    _seen: dict[int, DenseEvidence] = field(default_factory=dict)
    _probes: list[Array] = field(default_factory=list)

    @property
    def spread(self) -> float:
        """Scores are estimated from a few random vectors."""
        return SCORE_SPREAD

    def rounding(self, rows: Ints) -> float:
        """The largest of the blocks that the rows lie in."""
        block = self.layout.block_of(rows)
        return max(self._rounding_in(int(b), rows[block == b]) for b in distinct(block))

    def _rounding_in(self, b: int, rows: Ints) -> float:
        """What rounding can make of |p Ñ| for rows of block b."""
        if b not in self.probed:
            return self._dense(b).rounding(self._local(b, rows))
        if self.tol.rounding is None:
            return 0.0
        return float(self.probed[b].rounding(0, np.array(rows.size), self.tol))

    def zero(self, rows: Ints) -> float:
        """The largest of the blocks that the rows lie in."""
        block = self.layout.block_of(rows)
        return max(self._zero_in(int(b), rows[block == b]) for b in distinct(block))

    def _zero_in(self, b: int, rows: Ints) -> float:
        """Up to which |p Ñ| counts as zero for rows of block b."""
        if b in self.probed:
            return float(self.probed[b].zero(np.array(rows.size), self.tol))
        return self._dense(b).zero(self._local(b, rows))

    def sure(self, rows: Ints) -> float:
        """The largest of the blocks that the rows lie in."""
        block = self.layout.block_of(rows)
        return max(self._sure_in(int(b), rows[block == b]) for b in distinct(block))

    def _sure_in(self, b: int, rows: Ints) -> float:
        """The share of rows of block b above which rounding makes none."""
        if b in self.probed:
            return float(self.probed[b].sure(np.array(rows.size), self.tol))
        return self._dense(b).sure(self._local(b, rows))

    def scores(self, rows: Ints, p: Array) -> list[Array]:
        """|pᵀλ| for λ = Ñ Ñᵀ w, w normal (m, COMPONENT_PROBES): the same λ serve all groups."""
        if not self._probes:
            W = np.random.default_rng(19031905).standard_normal((len(self.scaled.Dr), COMPONENT_PROBES))
            self._probes.extend(self.projections(W))
        return [np.linalg.norm(p @ Z[rows], axis=1) for Z in self._probes]

    def null_rows(self, rows: Ints) -> list[Array]:
        """Rows of a null basis, side by side for the blocks they lie in."""
        block = self.layout.block_of(rows)
        parts = [(block == b, self._rows_in(int(b), rows[block == b])) for b in distinct(block)]
        out = []
        for i in range(max(len(bases) for _, bases in parts)):
            out.append(np.hstack([_placed(here, bases[min(i, len(bases) - 1)]) for here, bases in parts]))
        return out

    def cross(self, rows: Ints, weight: Array, aside: Ints = NO_ROWS) -> Block:
        """The columns ``rows`` of the projector, over the block they lie in.

        Large blocks leave no rows aside, and have their random weights in the scales they were factored with.
        """
        b = int(self.layout.block_of(rows)[0])
        inside, local = self.layout.rows(b), self._local(b, rows)
        if b in self.probed:
            A = _project(self.probed[b].factors[0], _unit(inside.size, local))
        else:
            A = self._dense(b).cross(local, weight[inside], self._local(b, aside[self.layout.block_of(aside) == b])).N
        order = np.argsort(inside)
        return Block(inside[order], A[order])

    def blocks(self) -> list[Block]:
        """All blocks with a null space; refused where a basis would not fit."""
        blocks = []
        for b in range(self.layout.count):
            if b in self.probed and self.probed[b].redundant and max(self.layout.shape(b)) > LARGEST_WRITTEN_BASIS:
                raise ReactioError(
                    f"A block of {self.layout.shape(b)[0]} rows is too large to write out its null space. Ask for "
                    "single groups (free, shares_with, components) or functionals, or project vectors on it with "
                    "answer.evidence.project(W)."
                )
            blocks += [Block(self.layout.rows(b), part.N) for part in self._dense(b).blocks()]
        return blocks

    def project(self, W: Array) -> Array:
        """Projection on null(C̃ᵀ), block by block; W (m, k) in internal rows."""
        return self.projections(W)[0]

    def projections(self, W: Array) -> list[Array]:
        """The same under every plausible rank; a block with fewer readings repeats its last."""
        parts: list[tuple[Ints, list[Array]]] = []
        for first, last in self.layout.runs:
            if first in self.probed:
                for b in range(first, last):
                    rows = self.layout.rows(b)
                    parts.append((rows, [_project(qr, W[rows]) for qr in self.probed[b].factors]))
            else:
                parts += [self._stacked(a, b, W) for a, b in stacks(self.layout, first, last)]
        out = [np.zeros_like(W) for _ in range(max(len(readings) for _, readings in parts))]
        for rows, readings in parts:
            for i, Z in enumerate(out):
                Z[rows] = readings[min(i, len(readings) - 1)]
        return out

    def _stacked(self, a: int, b: int, W: Array) -> tuple[Ints, list[Array]]:
        """Rows of the equal blocks a … b − 1, and the projections of their parts of W, best reading first."""
        rows = self.layout.row[self.layout.row_ptr[a] : self.layout.row_ptr[b]]
        factor = by_svd(dense_stack(self.layout, a, b))
        part = W[rows].reshape(b - a, -1, W.shape[1])
        bases = [left(factor.Q, ranks) for ranks in readings_of(plausible_ranks(factor.sigma, self.tol))]
        return rows, [(N @ (N.transpose(0, 2, 1) @ part)).reshape(len(rows), -1) for N in bases]

    def _local(self, b: int, rows: Ints) -> Ints:
        """The numbers of rows inside block b."""
        return np.asarray(self.layout.place[rows] - self.layout.row_ptr[b])

    def _dense(self, b: int) -> DenseEvidence:
        """The evidence of a small block, factored once."""
        if b not in self._seen:
            C = dense_stack(self.layout, b, b + 1)[0]
            rows = self.layout.rows(b)
            local = ScaledMatrix(C, self.scaled.Dr[rows], np.ones(C.shape[1]))
            self._seen[b] = DenseEvidence(local, by_svd(C), self.tol)
        return self._seen[b]

    def _rows_in(self, b: int, rows: Ints) -> list[Array]:
        """Null rows in block b.

        In a large one those of the projector P = N Nᵀ, which have the same singular values.
        """
        local = self._local(b, rows)
        if b not in self.probed:
            return self._dense(b).null_rows(local)
        if local.size > MOST_PROBED_ROWS:
            raise ReactioError(f"{local.size} rows of one large block are too many to explain at once; ask for fewer.")
        p = self.probed[b]
        E = _unit(p.factors[0].shape[0], local)
        return [_project(qr, E).T for qr in p.factors]


def _placed(rows: NDArray[np.bool_], N: Array) -> Array:
    """The rows of N where ``rows`` is true, and zeros elsewhere."""
    out = np.zeros((rows.size, N.shape[1]))
    out[rows] = N
    return out


def _unit(m: int, rows: Ints) -> Array:
    """Unit vectors (m, k) along some rows."""
    E = np.zeros((m, rows.size))
    E[rows, np.arange(rows.size)] = 1.0
    return E
