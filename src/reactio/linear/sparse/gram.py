"""S = A Aᵀ + μ of a sparse A: its pattern and elimination order once, its LDLᵀ factors at every call.

A is given by blocks: row i holds one segment of neighbouring entries for each block of columns it touches.  S couples
rows that share a block.  Rows with the same blocks are eliminated together, in the order of minimum degree.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import FROM_ZERO, kernel

SEGMENT_ROW, SEGMENT_ENTRY, SEGMENT_WIDTH, SEGMENT_BLOCK = range(4)  # columns of ``GramPlan.segment``
PAIR_ONE, PAIR_OTHER, PAIR_WIDTH = range(3)  # columns of ``GramPlan.pair``


class GramPlan(NamedTuple):
    """Everything about S that its pattern decides; rows of S and L are in the order of elimination."""

    segment: Ints  # (segments, 4) row of A, first entry in the data of A, number of entries, block
    order: Ints  # (m,) which row of A is eliminated k-th
    pair: Ints  # (pairs, 3) first entries of two segments, number of entries
    pair_ptr: Ints  # (entries of S + 1,) first pair of each
    S_ptr: Ints  # (m + 1,) strictly lower part of S by rows
    S_col: Ints
    L_ptr: Ints  # (m + 1,) strictly lower part of L by rows: columns, and the place of each entry by columns
    L_col: Ints
    L_slot: Ints
    L_first: Ints  # (m + 1,) the same part by columns
    L_row: Ints


class GramWork(NamedTuple):
    """Numbers of one factorisation."""

    S: Floats  # strictly lower part
    L: Floats  # strictly lower part, by columns
    pivot: Floats  # (m,) 1/D
    row: Floats  # (m,) a row under elimination; zero between calls
    y: Floats  # (m,) a right-hand side in the order of elimination


def gram_plan(indptr: Ints, indices: Ints, block_ptr: Ints) -> GramPlan:
    """The symbolic phase for A (m, n) in CSR form whose rows fill whole blocks of columns.

    block_ptr : (blocks + 1,) offsets of the column blocks.
    """
    m = len(indptr) - 1
    segment = _segments(indptr, indices, block_ptr)
    order = _elimination(m, segment)
    place = np.empty(m, dtype=np.int64)
    place[order] = np.arange(m)
    pair, pair_ptr, S_ptr, S_col = _pairs(segment, place, m)
    L_ptr, L_col, L_slot, L_first, L_row = _fill(S_ptr, S_col)
    return GramPlan(segment, order, pair, pair_ptr, S_ptr, S_col, L_ptr, L_col, L_slot, L_first, L_row)


def gram_work(plan: GramPlan) -> GramWork:
    """Arrays for one factorisation."""
    m = len(plan.order)
    return GramWork(np.zeros(len(plan.S_col)), np.zeros(len(plan.L_row)), np.ones(m), np.zeros(m), np.zeros(m))


def _segments(indptr: Ints, indices: Ints, block_ptr: Ints) -> Ints:
    """(row, first entry, entries, block) of every block a row touches."""
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    block = np.searchsorted(block_ptr, indices, side="right") - 1
    first = np.flatnonzero(np.diff(row, prepend=-1) | np.diff(block, prepend=-1))
    return np.ascontiguousarray(np.stack([row[first], first, np.diff(block_ptr)[block[first]], block[first]], axis=1))


def _elimination(m: int, segment: Ints) -> Ints:
    """Rows in the order of minimum degree of the graph of their blocks (Tinney & Walker 1967).

    Rows that touch the same blocks are one vertex.
    """
    blocks: list[list[int]] = [[] for _ in range(m)]
    for row, _, _, block in segment.tolist():
        blocks[row].append(block)
    vertex: dict[tuple[int, ...], list[int]] = {}
    for row, blocks_of_row in enumerate(blocks):
        vertex.setdefault(tuple(blocks_of_row), []).append(row)
    touching: dict[int, list[int]] = {}
    for k, own_blocks in enumerate(vertex):
        for block in own_blocks:
            touching.setdefault(block, []).append(k)
    near = [set().union(*(touching[b] for b in blocks_of_vertex)) - {k} for k, blocks_of_vertex in enumerate(vertex)]
    rows = list(vertex.values())
    return np.array([row for k in _minimum_degree(near) for row in rows[k]], dtype=np.int64)


def _minimum_degree(near: list[set[int]]) -> list[int]:
    """Vertices of a graph, each time one with fewest neighbours; its neighbours then become a clique."""
    heap = [(len(neighbours), k) for k, neighbours in enumerate(near)]
    heapq.heapify(heap)
    order: list[int] = []
    gone = [False] * len(near)
    while heap:
        degree, k = heapq.heappop(heap)
        if gone[k] or degree != len(near[k]):
            continue
        gone[k] = True
        order.append(k)
        for neighbour in near[k]:
            near[neighbour] |= near[k]
            near[neighbour] -= {k, neighbour}
            heapq.heappush(heap, (len(near[neighbour]), neighbour))
    return order


def _pairs(segment: Ints, place: Ints, m: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Which products of segments add to which entry of the strictly lower part of S, and its pattern by rows."""
    by_block = segment[np.argsort(segment[:, SEGMENT_BLOCK], kind="stable")]
    _, start, count = np.unique(by_block[:, SEGMENT_BLOCK], return_index=True, return_counts=True)
    size = np.repeat(count, count)
    upper = np.repeat(np.arange(len(by_block)), size)
    ahead = np.concatenate([[0], np.cumsum(size)[:-1]]) if len(size) else size
    two = np.arange(len(upper)) - np.repeat(ahead, size) + np.repeat(np.repeat(start, count), size)
    row, col = place[by_block[upper, SEGMENT_ROW]], place[by_block[two, SEGMENT_ROW]]
    lower = row > col
    upper, two, row, col = upper[lower], two[lower], row[lower], col[lower]
    entries, target = np.unique(row * max(m, 1) + col, return_inverse=True)
    first = by_block[:, SEGMENT_ENTRY]
    pair = np.stack([first[upper], first[two], by_block[upper, SEGMENT_WIDTH]], axis=1)
    pair = np.ascontiguousarray(pair[np.argsort(target.reshape(-1), kind="stable")])
    pair_ptr = np.concatenate([[0], np.cumsum(np.bincount(target.reshape(-1), minlength=len(entries)))])
    ptr = np.searchsorted(entries, np.arange(m + 1) * max(m, 1))
    pair_ptr, ptr, column = (part.astype(np.int64) for part in (pair_ptr, ptr, entries % max(m, 1)))
    return pair, pair_ptr, ptr, column


def _fill(S_ptr: Ints, S_col: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """The pattern of L: a column passes its rows on to the first of them (George & Liu 1981, Sect. 5.3)."""
    m = len(S_ptr) - 1
    below: list[set[int]] = [set() for _ in range(m)]
    for i in range(m):
        for j in S_col[S_ptr[i] : S_ptr[i + 1]].tolist():
            below[j].add(i)
    for rows in below:
        if rows:
            parent = min(rows)
            below[parent] |= rows - {parent}
    first = np.concatenate([[0], np.cumsum([len(rows) for rows in below])]).astype(np.int64)
    L_row = np.array([i for rows in below for i in sorted(rows)], dtype=np.int64)
    L_of = np.repeat(np.arange(m), np.diff(first))
    slot = np.lexsort((L_of, L_row)).astype(np.int64)
    ptr = np.searchsorted(L_row[slot], np.arange(m + 1)).astype(np.int64)
    return ptr, L_of[slot], slot, first, L_row


@kernel(**FROM_ZERO)
def factorise(plan: GramPlan, work: GramWork, A: Floats, diagonal: Floats, mu: float) -> None:
    """A Aᵀ + μ = L D Lᵀ, row after row.

    A : data of A.  diagonal : (m,) squares of its rows.  A pivot that rounding took below μ is μ.
    """
    for e in range(work.S.shape[0]):
        s = 0.0
        for p in range(plan.pair_ptr[e], plan.pair_ptr[e + 1]):
            a, b, width = plan.pair[p, PAIR_ONE], plan.pair[p, PAIR_OTHER], plan.pair[p, PAIR_WIDTH]
            threes = width - width % 3  # rigid bodies have three or six velocities
            for k in range(0, threes, 3):
                s = s + A[a + k] * A[b + k] + A[a + k + 1] * A[b + k + 1] + A[a + k + 2] * A[b + k + 2]
            for k in range(threes, width):
                s += A[a + k] * A[b + k]
        work.S[e] = s
    row, L = work.row, work.L
    for i in range(plan.order.shape[0]):
        for p in range(plan.S_ptr[i], plan.S_ptr[i + 1]):
            row[plan.S_col[p]] = work.S[p]
        d = diagonal[plan.order[i]] + mu
        for p in range(plan.L_ptr[i], plan.L_ptr[i + 1]):
            j, slot = plan.L_col[p], plan.L_slot[p]
            x = row[j]
            row[j] = 0.0
            for k in range(plan.L_first[j], slot):
                row[plan.L_row[k]] -= L[k] * x
            L[slot] = x * work.pivot[j]
            d -= x * L[slot]
        work.pivot[i] = 1.0 / max(d, mu)


@kernel(**FROM_ZERO)
def solve(plan: GramPlan, work: GramWork, b: Floats, out: Floats) -> None:
    """x of (A Aᵀ + μ) x = b."""
    y, L, m = work.y, work.L, plan.order.shape[0]
    for i in range(m):
        y[i] = b[plan.order[i]]
    for j in range(m):
        x = y[j]
        for k in range(plan.L_first[j], plan.L_first[j + 1]):
            y[plan.L_row[k]] -= L[k] * x
    for j in range(m - 1, -1, -1):
        x = y[j] * work.pivot[j]
        for k in range(plan.L_first[j], plan.L_first[j + 1]):
            x -= L[k] * y[plan.L_row[k]]
        y[j] = x
    for i in range(m):
        out[plan.order[i]] = y[i]
