"""Centrifugal loads of spinning structures: of the field S x, S = ωωᵀ − ω²I, for the six numbers of S.

Columns follow xx, yy, zz, xy, xz, yz.  Loads are minus mass times S x, the acceleration of the points of a body.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats

UNIT_STRETCHES = np.zeros((6, 3, 3))  # the matrices S with one of the six numbers 1 and the others 0
for _column, (_i, _j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
    UNIT_STRETCHES[_column, _i, _j] = UNIT_STRETCHES[_column, _j, _i] = 1.0
DENSE_ROTATIONS = 1500  # rotations of nodes up to which they are found by dense least squares, in a second
ROTATION_SHIFT = 1e-10  # part of its mean diagonal that keeps the sparse stiffness of rotations regular
NO_ROTATION_STIFFNESS = 1e-10  # part of the largest stiffness of rotations below which one is free


def stretch_field(nodes: Floats) -> Floats:
    """S x (3N, 6) of all nodes."""
    return np.asarray(np.einsum("cij,nj->nic", UNIT_STRETCHES, nodes).reshape(-1, 6))


def section_moments(E: Floats) -> Floats:
    """∫ρ y × S y (3, 6) of mass with second moments E = ∫ρ y yᵀ (3, 3) about its centre [kg m²]."""
    SE = UNIT_STRETCHES @ E
    return np.stack([SE[:, 2, 1] - SE[:, 1, 2], SE[:, 0, 2] - SE[:, 2, 0], SE[:, 1, 0] - SE[:, 0, 1]])


def second_moments(inertia: Floats) -> Floats:
    """E = ½ tr(J) I − J (3, 3) for moments of inertia J (3, 3) [kg m²]."""
    return np.asarray(np.trace(inertia) / 2 * np.eye(3) - inertia)


def rigid_load(M: Floats, at: Floats) -> Floats:
    """(6, 6) forces and moments on a node at ``at`` (3,) that carries rigid mass, M (6, 6) about the node."""
    mass = float(np.trace(M[:3, :3])) / 3
    s = np.array([M[5, 1] - M[4, 2], M[3, 2] - M[5, 0], M[4, 0] - M[3, 1]]) / 2  # ∫ρ y, from M_ωv = s×
    field = stretch_field(at[None])
    force = mass * field + stretch_field(s[None])
    moment = np.cross(s, field, axisb=0).T + section_moments(second_moments(M[3:, 3:]))
    return np.asarray(-np.vstack([force, moment]))


def nodal_field(K: Any, moves: Floats) -> Floats:
    """(6N, q) displacements and rotations of nodes that move by ``moves`` (N, 3, q): K_θθ θ = −K_θu u.

    Rotations are those of least strain energy.  Elements interpolate between nodes by displacements and rotations, so
    that a field with rotations of zero would be bent; a field that is linear in space bends no straight beam.
    """
    from scipy.sparse import csc_array, diags_array
    from scipy.sparse.linalg import splu

    count = len(moves)
    place = np.arange(6 * count).reshape(count, 6)
    u, theta = place[:, :3].ravel(), place[:, 3:].ravel()
    rows = csc_array(K).tocsr()[theta]
    stiff, right = rows[:, theta], -(rows[:, u] @ moves.reshape(3 * count, -1))
    if len(theta) <= DENSE_ROTATIONS:
        turns = np.linalg.lstsq(stiff.toarray(), right, rcond=NO_ROTATION_STIFFNESS)[0]
    else:
        shift = ROTATION_SHIFT * float(np.abs(stiff.diagonal()).mean())
        turns = splu(csc_array(stiff + shift * diags_array(np.ones(len(theta))))).solve(right)
    field = np.zeros((6 * count, right.shape[1]))
    field[u], field[theta] = moves.reshape(3 * count, -1), turns
    return field


def spin_loads(K: Any, M: Any, nodes: Floats, freedoms: int) -> Floats:
    """(n, 6) = −M S x, of nodes with 3 or 6 degrees of freedom."""
    moves = stretch_field(nodes)
    field = moves if freedoms == 3 else nodal_field(K, moves.reshape(len(nodes), 3, 6))
    return np.asarray(-(M @ field))
