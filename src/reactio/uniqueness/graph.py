"""Which groups can share load at all: blocks of the graph of bodies (nodes) and groups (edges).

For rigid bodies on twists null(Cᵀ) is the direct sum over the biconnected components of that graph: the
wrenches that pass a cut body into one side must balance on their own.  Ground may be a cut node too.  Bodies
not given by a twist (natural coordinates, modes) keep all their groups in one block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import ReactioError
from reactio.kernels import foreseen, kernel

Ints = NDArray[np.int64]

EDGES_PER_ROW = 20  # edges that cost as much to walk as the evaluation of one row of a mechanism


def group_blocks(matrix: ConstraintMatrix) -> Ints:
    """The block (g,) of every group, numbered from 0."""
    if matrix.rows.edges is None or matrix.columns.body_ptr is None:
        return _connected(matrix)
    owner, u, v = _edges(matrix)
    nodes = len(matrix.columns.body_ptr)  # ground is the last node
    component = biconnected(nodes, u, v)
    return _merge(len(matrix.rows.groups), owner, component, u, v, _bodies_without_twist(matrix))


def _connected(matrix: ConstraintMatrix) -> Ints:
    """Groups that share columns, directly or through others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    C, ptr = matrix.C, matrix.rows.ptr
    if isinstance(C, np.ndarray):
        rows, columns = np.nonzero(C)
    else:
        rows, columns = np.repeat(np.arange(C.shape[0]), np.diff(C.indptr)), C.indices
    g, n = len(ptr) - 1, C.shape[1]
    group = np.repeat(np.arange(g), np.diff(ptr))[rows]
    graph = coo_array((np.ones(rows.size, np.int8), (group, g + columns)), shape=(g + n, g + n))
    labels = connected_components(graph, directed=False)[1][:g]
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _edges(matrix: ConstraintMatrix) -> tuple[Ints, Ints, Ints]:
    """Edges (owner, u, v): a pair for two bodies, a closed ring for more, body–ground for one."""
    assert matrix.rows.edges is not None
    assert matrix.columns.body_ptr is not None
    ground = len(matrix.columns.body_ptr) - 1
    edges = matrix.rows.edges
    if len(edges) != len(matrix.rows.groups):
        raise ReactioError(f"The graph has {len(edges)} edges for {len(matrix.rows.groups)} groups.")
    bodies = np.array([len(e) for e in edges])  # of each group
    flat = np.array([b for e in edges for b in e], dtype=np.int64)
    if flat.size and (flat.min() < -1 or flat.max() >= ground):
        raise ReactioError(f"The graph names a body outside −1 … {ground - 1}.")
    flat = np.where(flat < 0, ground, flat)
    start = np.cumsum(bodies) - bodies
    made = np.where(bodies == 2, 1, bodies)  # edges of each group
    owner = np.repeat(np.arange(len(edges)), made)
    step = np.arange(owner.size) - np.repeat(np.cumsum(made) - made, made)
    u = flat[start[owner] + step]
    v = np.where(bodies[owner] == 1, ground, flat[start[owner] + (step + 1) % bodies[owner]])
    return owner, u, v


def _bodies_without_twist(matrix: ConstraintMatrix) -> NDArray[np.bool_]:
    """(bodies + 1,) the bodies whose columns are no twist, at which blocks must stay together; ground is none."""
    ptr = matrix.columns.body_ptr
    assert ptr is not None
    out = np.ones(len(ptr), bool)
    table = matrix.columns.twists
    if len(table):
        out[np.searchsorted(ptr, table[:, 0])] = False
    out[-1] = False
    return out


def _merge(g: int, owner: Ints, component: Ints, u: Ints, v: Ints, joining: NDArray[np.bool_]) -> Ints:
    """Blocks of groups: components, joined where one group has several edges or a body is ``joining``."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    parts, nodes = int(component.max()) + 1, joining.size
    at_u, at_v = joining[u], joining[v]
    i = np.concatenate([owner, component[at_u] + g, component[at_v] + g])
    j = np.concatenate([component + g, u[at_u] + g + parts, v[at_v] + g + parts])
    size = g + parts + nodes
    graph = coo_array((np.ones(i.size, np.int8), (i, j)), shape=(size, size))
    labels = connected_components(graph, directed=False)[1][:g]
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def biconnected(nodes: int, u: Ints, v: Ints) -> Ints:
    """The biconnected component (e,) of each edge (u, v) of a multigraph.  [Tarjan 1972]

    >>> biconnected(4, np.array([0, 1, 2, 2]), np.array([1, 2, 0, 3])).tolist()
    [1, 1, 1, 0]
    """
    ends = np.concatenate([u, v])
    order = np.argsort(ends, kind="stable").astype(np.int64)
    start = np.searchsorted(ends[order], np.arange(nodes + 1)).astype(np.int64)
    with foreseen(u.size / EDGES_PER_ROW, part="large", apart=True):
        return np.asarray(_tarjan(nodes, u.astype(np.int64), v.astype(np.int64), start, order % max(u.size, 1)))


@kernel
def _tarjan(nodes: int, u: Ints, v: Ints, start: Ints, edge: Ints) -> Ints:
    """Depth-first search; no edge is walked twice, so parallel edges close a cycle."""
    e = u.size
    component = np.full(e, -1)
    seen = np.full(nodes, -1)
    low = np.zeros(nodes, np.int64)
    at = start[:-1].copy()
    path, entry = np.empty(nodes, np.int64), np.full(nodes, -1)
    pending, walked = np.empty(e, np.int64), np.zeros(e, np.bool_)
    clock, height, found = 0, 0, 0
    for root in range(nodes):
        if seen[root] >= 0:
            continue
        depth = 0
        path[0], seen[root], low[root] = root, clock, clock
        clock += 1
        while depth >= 0:
            a = path[depth]
            if at[a] < start[a + 1]:
                k = edge[at[a]]
                at[a] += 1
                if walked[k]:
                    continue
                walked[k] = True
                pending[height] = k
                height += 1
                b = u[k] + v[k] - a
                if seen[b] < 0:
                    seen[b], low[b], entry[b] = clock, clock, k
                    clock += 1
                    depth += 1
                    path[depth] = b
                else:
                    low[a] = min(low[a], seen[b])
                continue
            depth -= 1
            if depth < 0:
                break
            parent = path[depth]
            low[parent] = min(low[parent], low[a])
            if low[a] >= seen[parent]:
                while True:
                    height -= 1
                    component[pending[height]] = found
                    if pending[height] == entry[a]:
                        break
                found += 1
    return component
