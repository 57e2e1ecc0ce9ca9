"""Blocks laid out one after another, equal ones side by side, so that they can be judged in stacks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.kernels import kernel
from reactio.linear.spans import Spans

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_STACKED_ENTRIES = 4_000_000  # entries of one dense stack: keeps memory small while calls stay few


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Rows and groups sorted by block; blocks with equal group sizes follow each other as a run.

    C: CSR (m, n) with rows in this order; row[i], group[k]: their numbers outside, place[row[i]] = i;
    column: the column inside the block of each stored entry; width: columns of each block.
    """

    C: Any
    row: Ints
    place: Ints
    row_ptr: Ints
    group: Ints
    group_ptr: Ints
    size: Ints
    column: Ints
    width: Ints
    runs: tuple[tuple[int, int], ...]
    run_width: Ints

    @property
    def count(self) -> int:
        """Number of blocks."""
        return len(self.row_ptr) - 1

    def groups(self, b: int) -> Ints:
        """Groups of a block, in the order of its rows."""
        return self.group[self.group_ptr[b] : self.group_ptr[b + 1]]

    def rows(self, b: int) -> Ints:
        """Rows of a block."""
        return self.row[self.row_ptr[b] : self.row_ptr[b + 1]]

    def block_of(self, rows: Ints) -> Ints:
        """The blocks of given rows."""
        return np.searchsorted(self.row_ptr, self.place[rows], side="right") - 1

    def shape(self, b: int) -> tuple[int, int]:
        """Rows and columns of a block; in a run all have the width of the widest."""
        return int(self.row_ptr[b + 1] - self.row_ptr[b]), int(self.run_width[b])

    def local_spans(self, b: int) -> Spans:
        """The groups inside a block as spans of its rows."""
        return Spans(np.concatenate([[0], np.cumsum(self.size[self.group_ptr[b] : self.group_ptr[b + 1]])]))


def lay_out(C: Any, ptr: Ints, block: Ints) -> Layout:
    """Sort groups (offsets ptr) by their block (g,), and blocks by their group sizes."""
    sizes, blocks = np.diff(ptr), int(block.max()) + 1
    order = np.argsort(block, kind="stable")
    start = np.searchsorted(block[order], np.arange(blocks + 1))
    keys = [sizes[order[a:b]].tobytes() for a, b in itertools.pairwise(start)]
    ranked = sorted(range(blocks), key=lambda b: (len(keys[b]), keys[b]))
    group = np.concatenate([order[start[b] : start[b + 1]] for b in ranked])
    edges = [k for k in range(1, blocks) if keys[ranked[k]] != keys[ranked[k - 1]]]
    runs = tuple(zip([0, *edges], [*edges, blocks], strict=True))
    group_ptr = np.concatenate([[0], np.cumsum(np.diff(start)[ranked])])
    size = sizes[group]
    first = np.repeat(ptr[group] - (np.cumsum(size) - size), size)
    row = first + np.arange(size.sum())
    row_ptr = np.concatenate([[0], np.cumsum(size)])[group_ptr]
    sorted_C = C[row]
    column, width = local_columns(
        sorted_C.indptr.astype(np.int64), sorted_C.indices.astype(np.int64), row_ptr, C.shape[1]
    )
    run_width = np.concatenate([np.full(b - a, width[a:b].max()) for a, b in runs])
    return Layout(sorted_C, row, np.argsort(row), row_ptr, group, group_ptr, size, column, width, runs, run_width)


@kernel
def local_columns(indptr: Ints, indices: Ints, row_ptr: Ints, n: int) -> tuple[Ints, Ints]:
    """Number the columns inside each block in the order in which they appear."""
    blocks = row_ptr.size - 1
    mark, place = np.full(n, -1), np.empty(n, np.int64)
    column, width = np.empty(indices.size, np.int64), np.zeros(blocks, np.int64)
    for b in range(blocks):
        for k in range(indptr[row_ptr[b]], indptr[row_ptr[b + 1]]):
            j = indices[k]
            if mark[j] != b:
                mark[j] = b
                place[j] = width[b]
                width[b] += 1
            column[k] = place[j]
    return column, width


def stacks(layout: Layout, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The blocks first … last − 1 of one run in pieces a … b − 1 that fit into one dense stack each."""
    m, n = layout.shape(first)
    step = max(1, MOST_STACKED_ENTRIES // (m * max(m, n)))
    for a in range(first, last, step):
        yield a, min(a + step, last)


def dense_stack(layout: Layout, a: int, b: int) -> Array:
    """Blocks a … b − 1 of one run as a stack (b − a, m, n)."""
    m, n = layout.shape(a)
    C, rows = layout.C, slice(layout.row_ptr[a], layout.row_ptr[b])
    entries = slice(C.indptr[rows.start], C.indptr[rows.stop])
    row = np.repeat(np.arange(rows.stop - rows.start), np.diff(C.indptr[rows.start : rows.stop + 1]))
    out = np.zeros(((b - a) * m, n))
    out[row, layout.column[entries]] = C.data[entries]
    return out.reshape(b - a, m, n)
