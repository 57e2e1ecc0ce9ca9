"""Connected components of a graph."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Ints

FEW_EDGES = 2000  # edges up to which joining them in Python takes less time than loading SciPy's graphs


def connected(count: int, first: Ints, second: Ints) -> Ints:
    """The component (count,) of each vertex, numbered from 0 in the order of the vertices; edges first[k] – second[k].

    >>> connected(4, np.array([0, 3]), np.array([2, 1])).tolist()
    [0, 1, 0, 1]
    """
    if len(first) > FEW_EDGES:
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        graph = coo_array((np.ones(len(first), np.int8), (first, second)), shape=(count, count))
        return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)
    root = list(range(count))
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        a, b = _root(root, a), _root(root, b)
        root[max(a, b)] = min(a, b)
    tops = np.array([_root(root, k) for k in range(count)], dtype=np.int64)
    return np.asarray(np.unique(tops, return_inverse=True)[1], dtype=np.int64)


def connected_first(first: int, count: int, u: Ints, v: Ints) -> Ints:
    """The components of the first vertices only, numbered from 0 without gaps; the others merely connect them.

    >>> connected_first(2, 3, np.array([0, 1]), np.array([2, 2])).tolist()
    [0, 0]
    """
    return np.asarray(np.unique(connected(count, u, v)[:first], return_inverse=True)[1], dtype=np.int64)


def _root(root: list[int], k: int) -> int:
    """The first vertex of the component of k; the path to it is halved, which keeps later paths short."""
    while root[k] != k:
        root[k] = k = root[root[k]]
    return k
