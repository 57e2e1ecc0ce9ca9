"""Self-stresses of a report: scaled to 1 N or 1 N m for sliders, and followed along a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints, distinct
from reactio.catalogue.places import ReactionAxes
from reactio.constraint_matrix import GroupKind
from reactio.joint_reactions.data import Reactions
from reactio.linear.column_space import column_space
from reactio.linear.precision import LOCATED
from reactio.reporting.data import StressHistory
from reactio.system.constraints import LABELS, joint_axes, wrench_map
from reactio.system.equations import Equations
from reactio.system.types import RowGroup, System
from reactio.uniqueness import SelfStress, Solvability
from reactio.uniqueness.explain import localised

MOST_STRESS_NUMBERS = 300_000  # of all self-stresses in time: some 1.6 MB as text
# Part of a self-stress left by its projection on the null space of the next instant, below which it has ended.
LEAST_CONTINUED_PART = 1e-3


class UnitStress(NamedTuple):
    """A self-stress scaled to a largest force of 1 N, or to a largest moment of 1 N m where it has no forces."""

    lam: Floats  # (m,)
    has_force: bool


def unit_stress(system: System, lam: Floats, force: bool | None = None) -> UnitStress:
    """A self-stress in its unit; ``force`` says whether that is 1 N, and is found out where it is left out."""
    forces = np.array([unit == "m" for group in system.groups for unit in group.units])
    size = np.abs(lam)
    if force is None:
        moment = size[~forces].max(initial=0.0) / system.length
        force = bool(size[forces].max(initial=0.0) > LOCATED * moment)
    largest = size[forces == force].max(initial=0.0)
    return UnitStress(lam / largest if largest else lam, force)


def self_stresses_within(eqs: Equations, answer: Solvability, U: Floats) -> tuple[SelfStress, ...]:
    """A localised basis of some self-stresses, the columns of U (m, k), as ``Solvability.self_stress`` is of all."""
    if not U.shape[1]:
        return ()
    scale = answer.in_given_order(answer.evidence.scaled.Dr)
    groups = eqs.system.groups
    owner = np.repeat(np.arange(len(groups)), [group.stop - group.start for group in groups])
    lams = scale[:, None] * localised(column_space(U / scale[:, None]), owner)
    return tuple(_self_stress(groups, owner, lam / lam[np.abs(lam).argmax()]) for lam in lams.T)


def _self_stress(groups: Sequence[RowGroup], owner: Ints, lam: Floats) -> SelfStress:
    rows = np.flatnonzero(lam)
    loaded = [groups[k] for k in distinct(owner[rows])]
    names = tuple(group.name for group in loaded if group.kind != GroupKind.INTRINSIC)
    return SelfStress(names, tuple(rows.tolist()), lam)


def stress_histories(stresses: Sequence[SelfStress], judged: Sequence[Reactions]) -> tuple[StressHistory, ...]:
    """Every self-stress along a run: at each instant the one nearest to that of the instant before.

    λ(t + h) is the projection of λ(t) on null(Cᵀ) at t + h.
    """
    if not stresses or not judged:
        return ()
    system, width = judged[0].eqs.system, len(LABELS[judged[0].eqs.system.space])
    groups = [[system.group(name) for name in stress.groups] for stress in stresses]
    if len(judged) * sum((width + 6) * len(of_stress) for of_stress in groups) > MOST_STRESS_NUMBERS:
        return ()
    bases = [_basis(reactions) for reactions in judged]
    return tuple(_history(stress, of_stress, judged, bases) for stress, of_stress in zip(stresses, groups, strict=True))


def _basis(reactions: Reactions) -> Floats:
    """(m, p) an orthonormal basis of the self-stresses along which nothing decides."""
    if reactions.is_by_stiffness and reactions.undecided is not None:
        return np.linalg.qr(reactions.undecided)[0]
    return np.asarray(reactions.answer.N)


def _history(
    stress: SelfStress, groups: list[RowGroup], judged: Sequence[Reactions], bases: Sequence[Floats]
) -> StressHistory:
    lam, tables = stress.lam, []
    force = unit_stress(judged[0].eqs.system, lam).has_force
    for reactions, Q in zip(judged, bases, strict=True):
        near = Q @ (Q.T @ lam)
        if np.linalg.norm(near) < LEAST_CONTINUED_PART * np.linalg.norm(lam):
            near = np.zeros_like(lam)
        else:
            lam = near / np.abs(near).max()
            near = unit_stress(reactions.eqs.system, lam, force).lam
        tables.append([_joint(reactions.eqs, group, near[group.start : group.stop]) for group in groups])
    width = len(LABELS[judged[0].eqs.system.space])
    numbers = np.array(tables)
    return StressHistory(stress.groups, numbers[:, :, :width], numbers[:, :, width:])


def _joint(eqs: Equations, group: RowGroup, lam: Floats) -> Floats:
    """Components in the axes of the system, then the wrench (6,) in world axes; of drives the effort, then zeros."""
    width = len(LABELS[eqs.system.space])
    if group.frames is None:
        return np.concatenate([[-lam[0]], np.zeros(width - 1 + 6)])
    wrench = wrench_map(eqs, group) @ lam
    shown_wrench = wrench if eqs.system.axes == ReactionAxes.WORLD else joint_axes(eqs, group) @ wrench
    return np.concatenate([shown_wrench, spatial_wrench(wrench)])


def spatial_wrench(wrench: Floats) -> Floats:
    """A wrench of the plane or of space as (Fx, Fy, Fz, Mx, My, Mz)."""
    if len(wrench) == 6:
        return wrench
    return np.array([wrench[0], wrench[1], 0.0, 0.0, 0.0, wrench[2]])
