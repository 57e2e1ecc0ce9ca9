"""Evaluation → ConstraintMatrix: C with the names of joints, bodies and reaction components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.constraint_matrix import Components, ConstraintMatrix, GroupKind
from reactio.errors import ReactioError
from reactio.joints import TENSION
from reactio.linear.precision import SOLUTION
from reactio.model.model import Model
from reactio.system.evaluate.evaluation import Evaluation
from reactio.system.geometry.accuracy import known_accuracy, rounding
from reactio.system.reaction_axes import reaction_axes
from reactio.system.types import EFFORT, RowGroup, System

LABELS = {"planar": ("Fx", "Fy", "Mz"), "spatial": ("Fx", "Fy", "Fz", "Mx", "My", "Mz")}
COMPONENT_UNITS = {"planar": ("N", "N", "N m"), "spatial": ("N",) * 3 + ("N m",) * 3}
# A component of a joint's wrench that is smaller than this part of the largest is not a component of the joint: rows
# are unit vectors up to rounding, lengths enter through the characteristic length.
NEGLIGIBLE_PART = SOLUTION
# Size of a row over that of the terms it is the sum of, above which their cancellation does not matter: thresholds of
# the rank allow for sizes that are wrong by far more than the digits which are lost here.
MINOR_CANCELLATION = 1e-3


def refuse_shared_points(model: Model) -> None:
    """Refuse a model whose bodies share the points of their joints: it has no equations from which reactions follow."""
    if model.share_points:
        raise ReactioError(
            f"'{model.name}' shares the points of its joints: a point that belongs to both bodies needs no "
            f"equation, and without an equation there is no reaction. Reactions need the joint-augmented form, "
            f"which keeps the rows of each joint: natural coordinates without shared points (leave out share_points)."
        )


def constraint_matrix(eqs: Evaluation) -> ConstraintMatrix:
    """The labelled C of a system at a state."""
    system = eqs.system
    refuse_shared_points(system.model)
    rows, columns = system.tables
    origin = f"{system.model.name}, {_coordinates(system)} coordinates, t = {eqs.state.t:g} s"
    named = rows.with_components(JointComponents(eqs))
    known = known_accuracy(system)
    error = rounding(eqs) if known is None else None
    matrix = ConstraintMatrix(
        eqs.matrix, named, columns, origin, system.length, cancelled=cancelled(eqs), rounding=error
    )
    if known is None:
        return matrix
    from reactio.system.geometry.rank_distance import tolerances

    return replace(matrix, tolerances=tolerances(eqs, matrix, known))


def cancelled(eqs: Evaluation) -> Floats:
    """(m,) size of each row of C over that of the terms it is the sum of; 1 where few digits cancel."""
    part = eqs.work.uncancelled
    return np.where(part < MINOR_CANCELLATION, part, 1.0)


def _coordinates(system: System) -> str:
    """Natural, absolute, or both."""
    kinds = {body.kind == "natural" for body in system.model.bodies}
    return {(True,): "natural", (False, True): "absolute and natural"}.get(tuple(sorted(kinds)), "absolute")


class JointComponents(Mapping[str, Components]):
    """The named reaction components of every group, computed on first use."""

    def __init__(self, eqs: Evaluation) -> None:
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


def effort_scale(system: System, units: Sequence[str]) -> Floats:
    """(k,) the sizes to which efforts in N or N m compare: 1 N, or its moment on the characteristic length [N m]."""
    return np.where(np.array(units) == "N m", system.length, 1.0)


def components(eqs: Evaluation, group: RowGroup) -> Components:
    """The components of a joint's wrench in the axes of the system, P λ; of a drive or coupling its one effort."""
    system = eqs.system
    if group.kind == GroupKind.INTRINSIC:
        size = group.stop - group.start
        return Components(group.labels, ("N m",) * size, -np.eye(size))
    if group.frames is None:
        label, unit = EFFORT[group.units[0]]
        return Components((label,), (unit,), -np.eye(1))
    labels, units, A = wrench_components(eqs, group)
    return Components(labels, units, A @ wrench_map(eqs, group), system.axes)


def wrench_components(eqs: Evaluation, group: RowGroup) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Labels, units and A (c, 3 or 6) of the components A w of a joint, for its wrench w in world axes.

    A rod, cable or strut has one in its own axes: N, the tension; teeth have Ft and Fr.
    """
    system, W = eqs.system, wrench_map(eqs, group)
    A = np.eye(len(W)) if system.axes == ReactionAxes.WORLD else joint_axes(eqs, group)
    if line_labels := group.line_labels if system.axes != ReactionAxes.WORLD else ():
        return line_labels, ("N",) * len(line_labels), (-A if line_labels == (TENSION,) else A)[: len(line_labels)]
    size = np.abs(A @ W).max(axis=1)
    weighed = size / effort_scale(system, COMPONENT_UNITS[system.space])
    present = np.flatnonzero(weighed > NEGLIGIBLE_PART * weighed.max())
    labels, units = LABELS[system.space], COMPONENT_UNITS[system.space]
    return tuple(labels[i] for i in present), tuple(units[i] for i in present), A[present]


def wrench_map(eqs: Evaluation, group: RowGroup) -> Floats:
    """W with wrench = W λ_X: force and moment on body b at the origin of frame B, world axes.

    W = −D_Bᵀ, (3, size) in the plane and (6, size) in space: the transposed rows themselves, so the reaction on a body
    is −Cᵀλ whatever the joint.
    """
    return -eqs.D_B[group.start : group.stop].T


def joint_axes(eqs: Evaluation, group: RowGroup) -> Floats:
    """The rotation (3, 3) or (6, 6) of a wrench (force, moment) from world axes to those of a joint's reaction."""
    return wrench_rotation(reaction_axes(eqs, group))


def wrench_rotation(axes: Floats) -> Floats:
    """The rotation (3, 3) or (6, 6) of a wrench (force, moment) by axes (2, 2) or (3, 3), a row each."""
    size = len(axes)
    rotation = np.eye(3 if size == 2 else 6)
    rotation[:size, :size] = axes
    if size == 3:
        rotation[3:, 3:] = axes
    return rotation
