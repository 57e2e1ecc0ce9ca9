"""Which groups can share load at all: blocks of the graph of bodies (nodes) and groups (edges).

For rigid bodies on twists null(Cᵀ) is the direct sum over the biconnected components of that graph: the
wrenches that pass a cut body into one side must balance on their own.  Ground may be a cut node too.  Bodies
not given by a twist (natural coordinates, modes) keep all their groups in one block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Ints
from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import ReactioError
from reactio.topology.biconnected import biconnected
from reactio.topology.components import connected_first
from reactio.topology.edges import Edges, edges_of


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
    C, ptr = matrix.C, matrix.rows.ptr
    if isinstance(C, np.ndarray):
        rows, columns = np.nonzero(C)
    else:
        rows, columns = np.repeat(np.arange(C.shape[0]), np.diff(C.indptr)), C.indices
    groups = len(ptr) - 1
    group = np.repeat(np.arange(groups), np.diff(ptr))[rows]
    return connected_first(groups, groups + C.shape[1], group, groups + columns)


def _edges(matrix: ConstraintMatrix) -> Edges:
    """The edges of the groups, refused where the graph does not fit the matrix."""
    assert matrix.rows.edges is not None
    assert matrix.columns.body_ptr is not None
    ground = len(matrix.columns.body_ptr) - 1
    groups = matrix.rows.edges
    if len(groups) != len(matrix.rows.groups):
        raise ReactioError(f"The graph has {len(groups)} edges for {len(matrix.rows.groups)} groups.")
    if any(not -1 <= body < ground for bodies in groups for body in bodies):
        raise ReactioError(f"The graph names a body outside −1 … {ground - 1}.")
    return edges_of(groups, ground)


def _bodies_without_twist(matrix: ConstraintMatrix) -> NDArray[np.bool_]:
    """(bodies + 1,) the bodies whose columns are not a twist, at which blocks must stay together; ground is not."""
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
    parts, nodes = int(component.max()) + 1, joining.size
    at_u, at_v = joining[u], joining[v]
    i = np.concatenate([owner, component[at_u] + g, component[at_v] + g])
    j = np.concatenate([component + g, u[at_u] + g + parts, v[at_v] + g + parts])
    return connected_first(g, g + parts + nodes, i, j)
