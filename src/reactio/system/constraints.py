"""Equations → ConstraintMatrix: C with the names of joints, bodies and reaction components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import ColumnTable, Components, ConstraintMatrix, Group, GroupKind, RowTable
from reactio.errors import ReactioError
from reactio.model.specs import Model
from reactio.places import ReactionAxes
from reactio.system.evaluate.equations import Equations
from reactio.system.types import RowGroup, System

LABELS = {"planar": ("Fx", "Fy", "Mz"), "spatial": ("Fx", "Fy", "Fz", "Mx", "My", "Mz")}
UNITS = {"planar": ("N", "N", "N m"), "spatial": ("N",) * 3 + ("N m",) * 3}
EFFORT = {"m": ("F", "N"), "rad": ("M", "N m"), "m²": ("F/length", "N/m")}  # by the unit of a row
# A component of a joint's wrench that is smaller than this part of the largest is no component of the joint: rows are
# unit vectors up to rounding, lengths enter through the characteristic length.
NEGLIGIBLE_PART = 1e-9
HARDLY = 1e-3  # part of its terms left in a row from which on its size is its own; sizes are known to a factor ten


def refuse_shared_points(model: Model) -> None:
    """Refuse a model whose bodies share the points of their joints: it has no equations from which reactions follow."""
    if model.share_points:
        raise ReactioError(
            f"'{model.name}' shares the points of its joints: where a point belongs to both bodies no equation "
            "is left, and with the equation the reaction is gone. Reactions need the joint-augmented form, which keeps "
            "the rows of each joint: natural coordinates without shared points (leave out share_points)."
        )


def constraint_matrix(eqs: Equations) -> ConstraintMatrix:
    """The labelled C of a system at a state."""
    system = eqs.system
    refuse_shared_points(system.model)
    rows, columns = system.tables
    origin = f"{system.model.name}, {_coordinates(system)} coordinates, t = {eqs.state.t:g} s"
    named = rows.with_components(JointComponents(eqs))
    matrix = ConstraintMatrix(eqs.matrix, named, columns, origin, system.length, cancelled=cancelled(eqs))
    from reactio.system.geometry.accuracy import rounding, tolerances

    if system.accuracy is None:
        return replace(matrix, rounding=rounding(eqs))
    return replace(matrix, tolerances=tolerances(eqs, matrix, system.accuracy))


def cancelled(eqs: Equations) -> Floats:
    """What is left (m,) of the terms that each row of C is the sum of, 1 where hardly anything cancels."""
    left = eqs.work.left
    return np.where(left < HARDLY, left, 1.0)


def tables(system: System) -> tuple[RowTable, ColumnTable]:
    """What the rows and columns of C mean, at any state."""
    rows = RowTable(
        groups=tuple(Group(g.name, g.kind, g.type, g.start, g.stop) for g in system.groups),
        labels=tuple(label for g in system.groups for label in g.labels),
        units=tuple(EFFORT[unit][1] for g in system.groups for unit in g.units),
        edges=tuple(g.bodies for g in system.groups),
        unilateral=tuple(g.start + k for g in system.groups for k, pushes in enumerate(g.pushes) if pushes),
    )
    columns = ColumnTable(
        bodies=tuple(b.name for b in system.model.bodies), body_ptr=system.body_v, units=system.column_units
    )
    return rows, columns


def _coordinates(system: System) -> str:
    """Natural, absolute, or both."""
    kinds = {body.kind == "natural" for body in system.model.bodies}
    return {(True,): "natural", (False, True): "absolute and natural"}.get(tuple(sorted(kinds)), "absolute")


class JointComponents(Mapping[str, Components]):
    """The named reaction components of every group, computed on first use."""

    def __init__(self, eqs: Equations) -> None:
        self._eqs = eqs
        self._found: dict[str, Components] = {}

    def __getitem__(self, name: str) -> Components:
        if name not in self._found:
            self._found[name] = components(self._eqs, self._eqs.system.group(name))
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._eqs.system.group_index)

    def __len__(self) -> int:
        return len(self._eqs.system.groups)


def components(eqs: Equations, group: RowGroup) -> Components:
    """The components of a joint's wrench in the axes of the system, P λ; of a drive or coupling its one effort."""
    system = eqs.system
    if group.kind == GroupKind.INTRINSIC:
        size = group.stop - group.start
        return Components(group.labels, ("N m",) * size, -np.eye(size))
    if group.frames is None:
        label, unit = EFFORT[group.units[0]]
        return Components((label,), (unit,), -np.eye(1))
    W = wrench_map(eqs, group)
    P = W if system.axes == ReactionAxes.WORLD else joint_axes(eqs, group) @ W
    size = np.abs(P).max(axis=1)
    moments = np.array([unit == "N m" for unit in UNITS[system.space]])
    weighed = size / np.where(moments, system.length, 1.0)
    present = np.flatnonzero(weighed > NEGLIGIBLE_PART * weighed.max())
    return Components(
        tuple(LABELS[system.space][i] for i in present),
        tuple(UNITS[system.space][i] for i in present),
        P[present],
        system.axes,
    )


def wrench_map(eqs: Equations, group: RowGroup) -> Floats:
    """W with wrench = W λ_X: force and moment on body b at the origin of frame B, world axes.

    W = −D_Bᵀ, (3, size) in the plane and (6, size) in space: the transposed rows themselves, so the reaction on a body
    is −Cᵀλ whatever the joint.
    """
    rows, D = eqs.system.plan.rows, eqs.work.D
    half = D.shape[1] // 2
    W = np.zeros((half, group.stop - group.start))
    for k, i in enumerate(range(group.start, group.stop)):
        terms = slice(rows.of[i], rows.of[i + 1])
        W[:, k] = -(rows.factor[terms] @ D[rows.measure[terms], half:])
    return W


def joint_axes(eqs: Equations, group: RowGroup) -> Floats:
    """The turn from world axes to those of frame A of a joint, for a wrench: (3, 3) or (6, 6)."""
    assert group.frames is not None
    F = eqs.work.F[group.frames[0]]
    if eqs.system.space == "planar":
        turn = np.eye(3)
        turn[0, :2] = F[2:4]
        turn[1, :2] = -F[3], F[2]
        return turn
    turn = np.zeros((6, 6))
    turn[:3, :3] = turn[3:, 3:] = F[3:12].reshape(3, 3)
    return turn
