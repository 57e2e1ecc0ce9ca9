"""Families of mechanisms written directly as labelled matrices: planar revolutes between points of bodies."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import ColumnTable, ConstraintMatrix, Group, GroupKind, RowTable

Array = NDArray[np.float64]
Pin = tuple[int, int, tuple[float, float]]


def planar(centres: Array, pins: list[Pin], length: float = 1.0) -> ConstraintMatrix:
    """Pins (body i, body j or −1, point) of bodies at ``centres`` (b, 2): rows [I, Ω s_i | −I, −Ω s_j]."""
    from scipy.sparse import coo_array, csr_array

    i, j = (np.array([p[k] for p in pins]) for k in (0, 1))
    point = np.array([p[2] for p in pins], dtype=float)
    rows, columns, values = [], [], []
    for body, sign in ((i, 1.0), (j, -1.0)):
        at = np.flatnonzero(body >= 0)
        s = point[at] - centres[body[at]]
        one = np.full(at.size, sign)
        for row, column, value in ((0, 0, one), (0, 2, -sign * s[:, 1]), (1, 1, one), (1, 2, sign * s[:, 0])):
            rows.append(2 * at + row)
            columns.append(3 * body[at] + column)
            values.append(value)
    shape = (2 * len(pins), 3 * len(centres))
    C = csr_array(coo_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape))
    groups = tuple(Group(f"J{k}", GroupKind.JOINT, "revolute", 2 * k, 2 * k + 2) for k in range(len(pins)))
    table = RowTable(groups, edges=tuple((a, b) for a, b, _ in pins))
    bodies = tuple(f"body {k}" for k in range(len(centres)))
    units = ("m/s", "m/s", "rad/s") * len(centres)
    return ConstraintMatrix(C, table, ColumnTable(bodies, np.arange(0, shape[1] + 1, 3), units), "test", length)


def scissor(k: int, l: int) -> ConstraintMatrix:
    """A lattice of k × l crossed pairs of bars, corners pinned in chains, two corners on ground."""
    centres: list[tuple[float, float]] = []
    pins: list[Pin] = []
    ends: dict[tuple[int, int], list[int]] = {}
    for x in range(k):
        for y in range(l):
            first, centre = len(centres), (x + 0.5, y + 0.5)
            centres += [centre, centre]
            pins.append((first, first + 1, centre))
            for body, corners in ((first, ((0, 0), (1, 1))), (first + 1, ((0, 1), (1, 0)))):
                for a, b in corners:
                    ends.setdefault((x + a, y + b), []).append(body)
    for corner, bodies in ends.items():
        pins += [(a, b, corner) for a, b in itertools.pairwise(bodies)]
    pins += [(ends[c][0], -1, c) for c in ((0, 0), (0, 1))]
    return planar(np.array(centres), pins)


def cells(count: int) -> ConstraintMatrix:
    """Serial cells of three parallel cranks and a coupler, which carries the next cell as a cut body."""
    centres: list[tuple[float, float]] = []
    pins: list[Pin] = []
    base, height = -1, 0.0
    for _ in range(count):
        first = len(centres)
        centres += [(x, height + 0.5) for x in (0.0, 1.0, 2.0)] + [(1.0, height + 1.0)]
        for crank, x in enumerate((0.0, 1.0, 2.0)):
            pins.append((first + crank, base, (x, height)))
            pins.append((first + crank, first + 3, (x, height + 1.0)))
        base, height = first + 3, height + 1.0
    return planar(np.array(centres), pins)


def n_four_bar(loops: int, angle: float = 1.1) -> ConstraintMatrix:
    """Cranks on ground hinges at x = 0 … N, neighbours joined by couplers: parallelograms in one block."""
    c, s = np.cos(angle), np.sin(angle)
    cranks = [(x + c / 2, s / 2) for x in range(loops + 1)]
    couplers = [(x + 0.5 + c, s) for x in range(loops)]
    pins: list[Pin] = [(x, -1, (float(x), 0.0)) for x in range(loops + 1)]
    for x in range(loops):
        body = loops + 1 + x
        pins += [(x, body, (x + c, s)), (x + 1, body, (x + 1 + c, s))]
    return planar(np.array(cranks + couplers), pins)


def revolutes(centres: Array, joints: list[tuple[int, int, Array, Array]], length: float = 1.0) -> ConstraintMatrix:
    """Spatial revolutes (body i, body j or −1, point, axis): three rows of force, two of moment across the axis."""
    C = np.zeros((5 * len(joints), 6 * len(centres)))
    for k, (i, j, point, axis) in enumerate(joints):
        across = np.linalg.svd(axis[None])[2][1:]
        for body, sign in ((i, 1.0), (j, -1.0)):
            if body >= 0:
                lever = np.cross(point - centres[body], np.eye(3))  # row k: s × e_k
                C[5 * k : 5 * k + 3, 6 * body : 6 * body + 6] = sign * np.hstack([np.eye(3), lever])
                C[5 * k + 3 : 5 * k + 5, 6 * body + 3 : 6 * body + 6] = sign * across
    groups = tuple(Group("ABCDEFGH"[k], GroupKind.JOINT, "revolute", 5 * k, 5 * k + 5) for k in range(len(joints)))
    table = RowTable(groups, ("Fx", "Fy", "Fz", "M1", "M2") * len(joints), edges=tuple((i, j) for i, j, _, _ in joints))
    units = ("m/s",) * 3 + ("rad/s",) * 3
    columns = ColumnTable(tuple("123"), np.arange(0, 6 * len(centres) + 1, 6), units * len(centres))
    return ConstraintMatrix(C, table, columns, "test", length)


def four_bar_in_space(shift: Array | None = None) -> ConstraintMatrix:
    """Parallel axes z; ``shift`` (3, 3) moves the reference points of the bodies."""
    centres = np.array([[0, 0.5, 0.1], [1, 1, -0.2], [2, 1, 0.3]]) + (0.0 if shift is None else shift)
    points = np.array([[0, 0, 0], [0, 1, 0], [2, 1.5, 0], [2.5, 0, 0]], float)
    pairs = [(0, -1), (1, 0), (2, 1), (2, -1)]
    return revolutes(centres, [(i, j, p, np.array([0.0, 0.0, 1.0])) for (i, j), p in zip(pairs, points, strict=True)])


def random_planar(rng: np.random.Generator) -> ConstraintMatrix:
    """Bodies pinned at random, also twice and to ground, with doubled pins, knife edges and three-body gears."""
    bodies = int(rng.integers(2, 9))
    centres = rng.integers(-3, 4, (bodies, 2)).astype(float)
    pins: list[Pin] = []
    for b in range(bodies):
        for _ in range(int(rng.integers(1, 3))):
            other = int(rng.integers(-1, bodies))
            point = tuple(float(x) for x in rng.integers(-3, 4, 2))
            if other != b:
                pins += [(b, other, (point[0], point[1]))] * int(1 + (rng.random() < 0.15))
    matrix = planar(centres, pins or [(0, -1, (1.0, 0.0))])
    groups, edges = list(matrix.rows.groups), list(matrix.rows.edges or ())
    C = matrix.C.toarray()
    for _ in range(int(rng.integers(0, 3))):
        row = np.zeros((1, C.shape[1]))
        members = rng.permutation(bodies)[: min(3, bodies)].tolist()
        if rng.random() < 0.5 or len(members) < 3:
            members = [members[0], -1]
            row[0, 3 * members[0] : 3 * members[0] + 3] = rng.integers(1, 4, 3)
        else:
            row[0, [3 * b + 2 for b in members]] = (1.0, 2.0, -3.0)
        groups.append(Group(f"R{len(groups)}", GroupKind.COUPLING, "", len(C), len(C) + 1))
        edges.append(tuple(members))
        C = np.vstack([C, row])
    return ConstraintMatrix(C, RowTable(tuple(groups), edges=tuple(edges)), matrix.columns, "test", 1.0)
