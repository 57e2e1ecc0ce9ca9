"""The 22 × 21 constraint matrix of Wojtyra & Frączek (2013), written out from their Appendix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import ColumnTable, ConstraintMatrix, Group, GroupKind, RowTable

Array = NDArray[np.float64]
a = 0.05
OMEGA = np.array([[0.0, -1.0], [1.0, 0.0]])
phi = np.arctan(1 / 4)
bx, by = a * np.sin(phi), a * np.cos(phi)
cx = 4 * a - bx
cy = np.sqrt((5 * a) ** 2 - cx**2)
# Table 3: joint → (i, j, s_P in i, s_Q in j); D taken from the table, not from the text.
REVOLUTE = {
    "A": (7, 1, (7 * a, 0), (-8 * a, 0)),
    "B": (2, 1, (0, 0), (4 * a, 0)),
    "C": (3, 1, (0, 0), (-4 * a, 0)),
    "D": (4, 2, (cx / 2, -cy / 2), (-bx, -by)),
    "E": (5, 3, (-cx / 2, -cy / 2), (bx, -by)),
    "F": (6, 4, (0, cy - by), (-cx / 2, cy / 2)),
    "G": (6, 5, (0, cy - by), (cx / 2, cy / 2)),
}
# Table 1: edge → (body, s_K), all with n_K = (0, 1).
EDGES = {
    "W1": (2, (0, 0)),
    "W2": (3, (0, 0)),
    "W3": (1, (0, -4 * a)),
    "W4": (1, (0, 4 * a)),
    "W5": (7, (0, 0)),
}
UNIQUE = {"A", "D", "E", "F", "G", "H", "drive", "W5"}
FROBENIUS = {"B": 0.5831, "C": 0.5831, "W1": 0.4082, "W2": 0.4082, "W3": 0.8165, "W4": 0.8165}


def positions() -> Array:
    """q⁰ of Eq. 34 as (7, 3): x, y, φ of bodies 1 … 7."""
    dx, dy = cx / 2, cy / 2 - by
    rows = [
        (20 * a, 0),
        (24 * a, 0),
        (16 * a, 0),
        (20 * a + dx, dy),
        (20 * a - dx, dy),
        (20 * a, 0),
        (5 * a, 0),
    ]
    return np.array([(x, y, 0.0) for x, y in rows])


def block(body: int) -> slice:
    """Columns of body 1 … 7."""
    return slice(3 * body - 3, 3 * body)


def constraint_matrix() -> Array:
    """C of Eq. 33 in the configuration of Fig. 1 (all rotation matrices are the identity)."""
    q = positions()
    C = np.zeros((22, 21))
    for k, (i, j, P, Q) in enumerate(REVOLUTE.values()):
        C[2 * k : 2 * k + 2, block(i)] = np.column_stack([np.eye(2), OMEGA @ P])
        C[2 * k : 2 * k + 2, block(j)] = -np.column_stack([np.eye(2), OMEGA @ Q])
    s_P, reach = np.array([0.0, 10 * a]), q[0, :2] - q[5, :2]
    for row, axis in ((14, np.array([1.0, 0.0])), (16, np.array([0.0, 1.0]))):
        C[row, block(6)] = [*-axis, -axis @ OMEGA @ s_P]
        C[row, block(1)] = [*axis, -axis @ OMEGA @ (reach - s_P)]
    C[15, block(6)], C[15, block(1)] = [0, 0, 1], [0, 0, -1]
    n_K = np.array([0.0, 1.0])
    for k, (body, s_K) in enumerate(EDGES.values()):
        C[17 + k, block(body)] = [*n_K, n_K @ OMEGA @ s_K]
    return C


def labelled() -> ConstraintMatrix:
    """The same with labels, units and the graph."""
    groups = [Group(k, GroupKind.JOINT, "revolute", 2 * i, 2 * i + 2) for i, k in enumerate(REVOLUTE)]
    groups += [Group("H", GroupKind.JOINT, "translational", 14, 16), Group("drive", GroupKind.DRIVE, "slide", 16, 17)]
    groups += [Group(k, GroupKind.NONHOLONOMIC, "knife edge", 17 + i, 18 + i) for i, k in enumerate(EDGES)]
    graph = [(i - 1, j - 1) for i, j, _, _ in REVOLUTE.values()] + [(5, 0), (5, 0)]
    graph += [(body - 1, -1) for body, _ in EDGES.values()]
    columns = ColumnTable(tuple(f"body {i}" for i in range(1, 8)), np.arange(0, 22, 3), ("m/s", "m/s", "rad/s") * 7)
    labels = ("Fx", "Fy") * 7 + ("Fx", "Mz", "Fy") + ("Fn",) * 5
    table = RowTable(tuple(groups), labels, None, {}, tuple(graph))
    return ConstraintMatrix(constraint_matrix(), table, columns, "Wojtyra & Frączek 2013", 0.2)
