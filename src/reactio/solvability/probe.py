"""One large block: sparse QR, then random vectors projected on its null space.

With λ = P w, P the projector on null(C̃ᵀ) and w normal, λ_X has the range of N_X: k > size + 1 probes show
rank(N_X).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import ReactioError
from reactio.linear.nullspace import by_svd
from reactio.linear.rank import Count, Tolerances
from reactio.linear.scaling import Scaled
from reactio.solvability.blocks import Layout, dense_stack
from reactio.solvability.evidence import NO_ROWS, Block, DenseEvidence
from reactio.solvability.scores import Verdicts, combine, group_scores

if TYPE_CHECKING:
    from reactio.linear.sparse_qr import SparseQR

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_PROBES = 32
WRITTEN_OUT = 2000  # side of a block whose null basis is made by a dense factor when asked for
MOST_ROWS = 64  # rows projected one by one to explain a verdict


class Probed(NamedTuple):
    """Factors of one block under the plausible ranks, the best first; weakest kept, largest dropped pivot."""

    factors: tuple[Any, ...]
    ranks: Count
    evidence: tuple[float, float]

    @property
    def redundant(self) -> bool:
        """Has the block a null space at all?"""
        return bool(self.factors[0].rank < self.factors[0].shape[0])


def probe(layout: Layout, b: int, matrix: ConstraintMatrix, tol: Tolerances) -> tuple[Probed, Verdicts]:
    """Rank and verdicts of block b."""
    C, block_ptr = _submatrix(layout, b, matrix)
    probed = _factors(C, block_ptr, tol)
    spans = layout.local_spans(b)
    size = int(spans.sizes.max())
    k = min(max(8, size + 2), MOST_PROBES)
    W = np.random.default_rng(20130305).standard_normal((C.shape[0], k)) / np.sqrt(k)
    readings = [
        group_scores(lambda rows: _compressed(C, rows), _project(qr, W), spans, tol, probes=k) for qr in probed.factors
    ]
    return probed, combine(readings, spans.sizes)


def _factors(C: Any, block_ptr: Ints | None, tol: Tolerances) -> Probed:
    """QR at the best threshold, and at both ends where a pivot lies in the grey zone."""
    from reactio.linear.sparse_qr import sparse_qr

    best = sparse_qr(C, block_ptr, tol.decide)
    low = sparse_qr(C, block_ptr, tol.sure) if best.smallest_kept < tol.sure else best
    high = sparse_qr(C, block_ptr, tol.zero) if best.largest_dropped > tol.zero else best
    found = list({id(q): q for q in (best, low, high)}.values())
    ranks = [np.array(r, dtype=np.int64) for r in sorted((low.rank, best.rank, high.rank))]
    return Probed(
        tuple(found),
        Count(np.array(best.rank), ranks[0], ranks[2]),
        (best.smallest_kept, best.largest_dropped),
    )


def _project(qr: SparseQR, W: Array) -> Array:
    from reactio.linear.sparse_qr import project

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

    scaled: Scaled
    layout: Layout
    probed: dict[int, Probed]
    tol: Tolerances
    _seen: dict[int, DenseEvidence] = field(default_factory=dict)

    def null_rows(self, rows: Ints) -> list[Array]:
        """Rows of a null basis, side by side for the blocks they lie in."""
        block = self.layout.block_of(rows)
        parts = [(block == b, self._rows_in(int(b), rows[block == b])) for b in np.unique(block)]
        out = []
        for i in range(max(len(found) for _, found in parts)):
            out.append(np.hstack([_placed(here, found[min(i, len(found) - 1)]) for here, found in parts]))
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
        found = []
        for b in range(self.layout.count):
            if b in self.probed and self.probed[b].redundant and max(self.layout.shape(b)) > WRITTEN_OUT:
                raise ReactioError(
                    f"A block of {self.layout.shape(b)[0]} rows is too large to write out its null space. Ask for "
                    "single groups (free, shares_with, components) or functionals, or project vectors on it with "
                    "answer.evidence.project(W)."
                )
            found += [Block(self.layout.rows(b), part.N) for part in self._dense(b).blocks()]
        return found

    def project(self, W: Array) -> Array:
        """Projection on null(C̃ᵀ), block by block; W (m, k) in internal rows."""
        out = np.zeros_like(W)
        for b in range(self.layout.count):
            rows = self.layout.rows(b)
            out[rows] = self._projected(b, W[rows], 1)[0]
        return out

    def projections(self, W: Array) -> list[Array]:
        """The same under every plausible rank; a block with fewer readings repeats its last."""
        parts = [self._projected(b, W[self.layout.rows(b)], None) for b in range(self.layout.count)]
        out = [np.zeros_like(W) for _ in range(max(map(len, parts)))]
        for b, found in enumerate(parts):
            for i, Z in enumerate(out):
                Z[self.layout.rows(b)] = found[min(i, len(found) - 1)]
        return out

    def _projected(self, b: int, W: Array, most: int | None) -> list[Array]:
        if b in self.probed:
            return [_project(qr, W) for qr in self.probed[b].factors[:most]]
        return self._dense(b).projections(W)[:most]

    def _local(self, b: int, rows: Ints) -> Ints:
        return np.asarray(self.layout.place[rows] - self.layout.row_ptr[b])

    def _dense(self, b: int) -> DenseEvidence:
        if b not in self._seen:
            C = dense_stack(self.layout, b, b + 1)[0]
            rows = self.layout.rows(b)
            local = Scaled(C, self.scaled.Dr[rows], np.ones(C.shape[1]))
            self._seen[b] = DenseEvidence(local, by_svd(C), self.tol)
        return self._seen[b]

    def _rows_in(self, b: int, rows: Ints) -> list[Array]:
        """Null rows in block b.

        In a large one those of the projector P = N Nᵀ, which have the same singular values.
        """
        local = self._local(b, rows)
        if b not in self.probed:
            return self._dense(b).null_rows(local)
        if local.size > MOST_ROWS:
            raise ReactioError(f"{local.size} rows of one large block are too many to explain at once; ask for fewer.")
        p = self.probed[b]
        E = _unit(p.factors[0].shape[0], local)
        return [_project(qr, E).T for qr in p.factors]


def _placed(here: NDArray[np.bool_], N: Array) -> Array:
    out = np.zeros((here.size, N.shape[1]))
    out[here] = N
    return out


def _unit(m: int, rows: Ints) -> Array:
    E = np.zeros((m, rows.size))
    E[rows, np.arange(rows.size)] = 1.0
    return E
