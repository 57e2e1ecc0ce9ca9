"""Fill-reducing order of column blocks by nested dissection of their graph."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from reactio.arrays import Ints
from reactio.kernels import kernel

BALANCE_EXPONENT = 0.75  # of the size of the smaller side of a cut, by which the number of its vertices is divided
LEAF_BLOCKS = 8  # smaller parts of the graph are not split: they become one dense front


def block_graph(C: csr_array, block_ptr: Ints) -> tuple[Ints, Ints]:
    """Which blocks meet in a row: the pattern of BᵀB off its diagonal, B (m, blocks) that of C by blocks.

    C : (m, n) constraint matrix.  block_ptr : (blocks + 1,) offsets of column blocks.  Returns (ptr, adj).
    """
    blocks = block_ptr.size - 1
    block = np.repeat(np.arange(blocks), np.diff(block_ptr))
    ones = np.ones(C.nnz, dtype=np.float32)
    B = csr_array((ones, block[C.indices], C.indptr), shape=(C.shape[0], blocks))
    G = csr_array(B.T @ B)
    row = np.repeat(np.arange(blocks), np.diff(G.indptr))
    off = G.indices != row
    ptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(row[off], minlength=blocks))])
    return ptr, G.indices[off].astype(np.int64)


@kernel
def dissection(ptr: Ints, adj: Ints) -> Ints:
    """Elimination order by nested dissection: both sides first, the separator between them last.

    George 1973, SIAM J. Numer. Anal. 10, 345–363.
    """
    nodes = ptr.size - 1
    order = np.arange(nodes)
    part = np.zeros(nodes, np.int64)
    far = np.zeros((3, nodes), np.int64)
    queue = np.empty(nodes, np.int64)
    ends = np.empty(nodes + 1, np.int64)
    stack = np.empty((nodes + 1, 2), np.int64)  # intervals of the order that are to be split, without common places
    depth, parts = push(stack, 0, 0, nodes), 0
    while depth > 0:
        depth -= 1
        lo, hi = stack[depth, 0], stack[depth, 1]
        parts += 1
        for v in order[lo:hi]:
            part[v] = parts
        size = distances(order[lo], ptr, adj, part, far[0], queue)
        if size < hi - lo:
            begin = lo
            for c in range(separate(ptr, adj, part, far[0], queue, order[lo:hi], ends)):
                depth = push(stack, depth, begin, lo + ends[c])
                begin = lo + ends[c]
        else:
            corners(ptr, adj, part, far, queue[:size])
            below, above = split(ptr, adj, part, far, queue[:size], order[lo:hi])
            depth = push(stack, depth, lo, lo + below)
            depth = push(stack, depth, lo + below, lo + above)
    return order


@kernel
def push(stack: Ints, depth: int, lo: int, hi: int) -> int:
    """Remember an interval that is long enough to be split; the number of those remembered returns."""
    if hi - lo <= LEAF_BLOCKS:
        return depth
    stack[depth, 0], stack[depth, 1] = lo, hi
    return depth + 1


@kernel
def distances(root: int, ptr: Ints, adj: Ints, part: Ints, distance: Ints, queue: Ints) -> int:
    """Steps from ``root`` inside its part; ``queue`` lists the vertices reached, their number returns."""
    home = part[root]
    part[root] = -1
    queue[0] = root
    distance[root] = 0
    size = 1
    at = 0
    while at < size:
        v = queue[at]
        at += 1
        for w in adj[ptr[v] : ptr[v + 1]]:
            if part[w] == home:
                part[w] = -1
                distance[w] = distance[v] + 1
                queue[size] = w
                size += 1
    for v in queue[:size]:
        part[v] = home
    return size


@kernel
def separate(ptr: Ints, adj: Ints, part: Ints, distance: Ints, queue: Ints, order: Ints, ends: Ints) -> int:
    """Order a part component by component; where each ends stands in ``ends``, their number returns."""
    old = order.copy()
    home = part[old[0]]
    count, end = 0, 0
    for v in old:
        if part[v] == home:
            size = distances(v, ptr, adj, part, distance, queue)
            for i in range(size):
                part[queue[i]] = -1
                order[end + i] = queue[i]
            end += size
            ends[count] = end
            count += 1
    return count


@kernel
def corners(ptr: Ints, adj: Ints, part: Ints, far: Ints, queue: Ints) -> None:
    """Distances from three vertices far from each other: on a lattice, from three of its corners."""
    size = queue.size
    distances(queue[size - 1], ptr, adj, part, far[0], queue)
    distances(queue[size - 1], ptr, adj, part, far[1], queue)
    third, best = queue[0], -1
    for v in queue:
        if min(far[0, v], far[1, v]) > best:
            third, best = v, min(far[0, v], far[1, v])
    distances(third, ptr, adj, part, far[2], queue)


@kernel
def split(ptr: Ints, adj: Ints, part: Ints, far: Ints, nodes: Ints, order: Ints) -> tuple[int, int]:
    """Order a part: below the best cut, above it, separator; returns where the latter two begin.

    A cut is a level of the difference of the distances from two corners: on a lattice, a straight line.
    Where all vertices touch each other there is none, and nothing remains to be split.
    """
    best, pair, level = np.inf, 0, 0
    for candidate in range(3):
        cost, t = best_cut(ptr, adj, part, far[candidate], far[candidate - 1], nodes)
        if cost < best:
            best, pair, level = cost, candidate, t
    if best == np.inf:
        return 0, 0
    from_one, two = far[pair], far[pair - 1]
    below, above, separator = 0, 0, nodes.size
    upper = np.empty(nodes.size, np.int64)
    for v in nodes:
        if from_one[v] - two[v] > level:
            upper[above] = v
            above += 1
        elif reach(v, ptr, adj, part, from_one, two) > level:
            separator -= 1
            order[separator] = v
        else:
            order[below] = v
            below += 1
    for i in range(above):
        order[below + i] = upper[i]
    return below, separator


@kernel
def best_cut(ptr: Ints, adj: Ints, part: Ints, from_one: Ints, two: Ints, nodes: Ints) -> tuple[float, int]:
    """Cost and level of the cut with few vertices and two large sides.

    A vertex at level l with neighbours up to level h separates at the cuts l, …, h − 1.
    """
    span = 0
    for v in nodes:
        span = max(span, abs(from_one[v] - two[v]))
    count = np.zeros(2 * span + 2, np.int64)
    change = np.zeros(2 * span + 2, np.int64)
    for v in nodes:
        low, high = from_one[v] - two[v], reach(v, ptr, adj, part, from_one, two)
        count[low + span] += 1
        if high > low:
            change[low + span] += 1
            change[high + span] -= 1
    best, level, lower, separator = np.inf, 0, 0, 0
    for l in range(2 * span + 1):
        lower += count[l]
        separator += change[l]
        side = min(lower - separator, nodes.size - lower)
        if side > 0 and separator < best * side**BALANCE_EXPONENT:
            best, level = separator / side**BALANCE_EXPONENT, l - span
    return best, level


@kernel
def reach(v: int, ptr: Ints, adj: Ints, part: Ints, from_one: Ints, two: Ints) -> int:
    """Highest level among v and its neighbours in the same part."""
    high: int = from_one[v] - two[v]
    for w in adj[ptr[v] : ptr[v + 1]]:
        if part[w] == part[v]:
            high = max(high, from_one[w] - two[w])
    return high
