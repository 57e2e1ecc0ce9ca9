"""The tree of fronts of a sparse QR factorisation, from the pattern of the matrix alone.

Blocks are numbered in elimination order, columns with them.  The triangular factor R has the pattern of the
Cholesky factor of CᵀC, so its elimination tree and its column counts come from the block graph.
Liu 1990, SIAM J. Matrix Anal. Appl. 11, 134–172.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from reactio.arrays import Floats, Ints
from reactio.kernels import kernel

ALWAYS_MERGED = 24  # columns; fronts this narrow always merge
NARROW = 48  # columns; up to here half of a merged front may be zeros, beyond a tenth
ROOT = -1


class EliminationTree(NamedTuple):
    """Fronts in postorder: each eliminates its own columns and passes rows on its border to its parent."""

    order: Ints  # (blocks,) block eliminated at each place
    start: Ints  # (fronts + 1,) first own column of each front, in elimination order
    border_ptr: Ints  # (fronts + 1,)
    border: Ints  # columns a front shares with its ancestors, ascending
    children: Ints  # (fronts,) number of children; they directly precede on the stack


class FrontRows(NamedTuple):
    """Rows of C in the order in which fronts take them, columns in elimination order."""

    of_front: Ints  # (fronts + 1,) first row of each front
    ptr: Ints
    column: Ints
    value: Floats
    lead: Ints  # first column of each row
    slot: Ints  # row of C


def front_tree(ptr: Ints, adj: Ints, order: Ints, width: Ints) -> EliminationTree:
    """Elimination tree, postorder, merged fronts and their borders.

    ptr, adj : block graph.  order : (blocks,) elimination order.  width : (blocks,) columns per block.
    """
    parent, count = elimination_tree(ptr, adj, order, width)
    post = postorder(parent, count)
    order, count = order[post], count[post]
    parent = relabelled(parent[post], post)
    column = running_sum(width[order])
    first = front_starts(parent, count, column)
    last = first[1:] - 1
    front_of = np.repeat(np.arange(last.size), np.diff(first))
    front_parent = np.where(parent[last] == ROOT, ROOT, front_of[parent[last]])
    border_ptr = running_sum(count[last])
    border = borders(ptr, adj, order, front_parent, first, column, border_ptr)
    children = np.bincount(front_parent[front_parent != ROOT], minlength=last.size)
    return EliminationTree(order, column[first], border_ptr, border, children)


def relabelled(parent: Ints, post: Ints) -> Ints:
    """Parents numbered by their place in ``post``."""
    place = np.empty_like(post)
    place[post] = np.arange(post.size)
    return np.where(parent == ROOT, ROOT, place[parent])


def running_sum(counts: Ints) -> Ints:
    """Offsets from counts: 0, c₀, c₀ + c₁, …"""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])


def sorted_rows(C: csr_array, tree: EliminationTree, block_ptr: Ints) -> FrontRows:
    """Rows of C sorted by their first column in elimination order; empty rows belong to no front."""
    n = C.shape[1]
    width = np.diff(block_ptr)[tree.order]
    shift = block_ptr[tree.order] - running_sum(width)[:-1]
    place = np.empty(n, np.int64)
    place[np.repeat(shift, width) + np.arange(n)] = np.arange(n)
    filled = np.flatnonzero(np.diff(C.indptr))
    lead = np.minimum.reduceat(place[C.indices], C.indptr[filled]) if filled.size else filled
    by_lead = np.argsort(lead, kind="stable")
    slot, lead = filled[by_lead], lead[by_lead]
    R = C[slot]
    of_front = np.searchsorted(lead, tree.start)
    return FrontRows(of_front, R.indptr.astype(np.int64), place[R.indices], R.data.astype(np.float64), lead, slot)


@kernel
def elimination_tree(ptr: Ints, adj: Ints, order: Ints, width: Ints) -> tuple[Ints, Ints]:
    """Parent of each place, and how many columns of R its block row has to the right of the block.

    parent(j) = min{i > j : R_ji ≠ 0}; block i meets the places on the paths up from its earlier neighbours.
    """
    size = order.size
    place = np.empty(size, np.int64)
    for i in range(size):
        place[order[i]] = i
    parent = np.full(size, ROOT)
    count = np.zeros(size, np.int64)
    seen = np.full(size, -1)
    for i in range(size):
        seen[i] = i
        v = order[i]
        for w in adj[ptr[v] : ptr[v + 1]]:
            j = place[w]
            while j < i and seen[j] != i:
                seen[j] = i
                count[j] += width[v]
                if parent[j] == ROOT:
                    parent[j] = i
                j = parent[j]
    return parent, count


@kernel
def postorder(parent: Ints, count: Ints) -> Ints:
    """Children before parents, the child with the widest border last: it can merge with its parent."""
    size = parent.size
    child = np.full(size + 1, -1)
    sibling = np.full(size, -1)
    widest = np.full(size + 1, -1)
    for j in range(size):
        if widest[parent[j]] < 0 or count[j] >= count[widest[parent[j]]]:
            widest[parent[j]] = j
    for last in (True, False):
        for j in range(size):
            if (widest[parent[j]] == j) == last:
                sibling[j] = child[parent[j]]
                child[parent[j]] = j
    post = np.empty(size, np.int64)
    path = np.empty(size + 1, np.int64)
    path[0] = ROOT
    depth, done = 0, 0
    while depth >= 0:
        j = path[depth]
        if child[j] >= 0:
            depth += 1
            path[depth] = child[j]
            child[j] = sibling[child[j]]
        else:
            depth -= 1
            if j >= 0:
                post[done] = j
                done += 1
    return post


@kernel
def front_starts(parent: Ints, count: Ints, column: Ints) -> Ints:
    """First place of each front; a front takes in the one before, if it is its child and few zeros arise."""
    size = parent.size
    first = np.empty(size + 1, np.int64)
    entries = np.empty(size, np.int64)  # of R, without merging
    fronts = 0
    for j in range(size):
        first[fronts] = j
        entries[fronts] = trapezoid(column[j + 1] - column[j], count[j])
        fronts += 1
        while fronts > 1 and first[fronts - 1] <= parent[first[fronts - 1] - 1] <= j:
            columns = column[j + 1] - column[first[fronts - 2]]
            merged = trapezoid(columns, count[j])
            kept = entries[fronts - 2] + entries[fronts - 1]
            share = 0.5 if columns <= NARROW else 0.1
            if columns > ALWAYS_MERGED and merged - kept > share * merged:
                break
            fronts -= 1
            entries[fronts - 1] = kept
    first[fronts] = size
    return first[: fronts + 1].copy()


@kernel
def trapezoid(columns: int, border: int) -> int:
    """Entries of R in a front: a triangle on its own columns and a rectangle on its border."""
    return columns * (columns + 1) // 2 + columns * border


@kernel
def sort(x: Ints) -> None:
    """Entries in ascending order, by a heap (Williams 1964, Comm. ACM 7, 347)."""
    for begin in range(x.size // 2 - 1, -1, -1):
        sift(x, begin, x.size)
    for end in range(x.size - 1, 0, -1):
        x[0], x[end] = x[end], x[0]
        sift(x, 0, end)


@kernel
def sift(x: Ints, place: int, end: int) -> None:
    """Let an entry sink among x[:end] until none below it is larger."""
    while 2 * place + 1 < end:
        below = 2 * place + 1
        if below + 1 < end and x[below + 1] > x[below]:
            below += 1
        if x[place] >= x[below]:
            return
        x[place], x[below] = x[below], x[place]
        place = below


@kernel
def borders(ptr: Ints, adj: Ints, order: Ints, front_parent: Ints, first: Ints, column: Ints, border_ptr: Ints) -> Ints:
    """Border of every front: later columns of its blocks' neighbours and of its children's borders."""
    fronts = front_parent.size
    place = np.empty(order.size, np.int64)
    for i in range(order.size):
        place[order[i]] = i
    child = np.full(fronts + 1, ROOT)
    sibling = np.full(fronts, ROOT)
    border = np.empty(border_ptr[fronts], np.int64)
    seen = np.full(column[order.size], -1)
    for f in range(fronts):
        end = column[first[f + 1]]
        size = border_ptr[f]
        for v in order[first[f] : first[f + 1]]:
            for w in adj[ptr[v] : ptr[v + 1]]:
                for c in range(max(column[place[w]], end), column[place[w] + 1]):
                    if seen[c] != f:
                        seen[c] = f
                        border[size] = c
                        size += 1
        below = child[f]
        while below != ROOT:
            for c in border[border_ptr[below] : border_ptr[below + 1]]:
                if c >= end and seen[c] != f:
                    seen[c] = f
                    border[size] = c
                    size += 1
            below = sibling[below]
        sort(border[border_ptr[f] : size])
        sibling[f] = child[front_parent[f]]
        child[front_parent[f]] = f
    return border
