"""Biconnected components of a graph: edges that lie on a common cycle."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Ints
from reactio.kernels import expected_work, kernel

EDGES_PER_ROW = 20  # edges that cost as much to walk as the evaluation of one row of a mechanism


def biconnected(nodes: int, u: Ints, v: Ints) -> Ints:
    """The biconnected component (e,) of each edge (u, v) of a multigraph.  [Tarjan 1972]

    >>> biconnected(4, np.array([0, 1, 2, 2]), np.array([1, 2, 0, 3])).tolist()
    [1, 1, 1, 0]
    """
    ends = np.concatenate([u, v])
    order = np.argsort(ends, kind="stable").astype(np.int64)
    start = np.searchsorted(ends[order], np.arange(nodes + 1)).astype(np.int64)
    with expected_work(u.size / EDGES_PER_ROW, part="large", apart=True):
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
    clock, height, components = 0, 0, 0
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
                    component[pending[height]] = components
                    if pending[height] == entry[a]:
                        break
                components += 1
    return component
