"""Causes of redundancy: the structure of the mechanism, special dimensions, or this pose alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from reactio import joints as joint_registry
from reactio.bodies import BODIES
from reactio.catalogue.places import GROUND
from reactio.constraint_matrix import GroupKind, restricted
from reactio.errors import ReactioError
from reactio.kinematics.assemble import closed_pose
from reactio.kinematics.body_state import model_at
from reactio.linear.precision import SOLUTION
from reactio.model.model import Model
from reactio.model.placing import end_from_world
from reactio.model.specs import Joint
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import RowGroup, State, System, require_system
from reactio.topology.components import connected
from reactio.uniqueness import Solvability, Tolerances, solvability

JOINT_SHIFT = 0.2  # [characteristic lengths] by which joints are moved at random, so that no dimension is special
RANDOM_MOTIONS = 6  # directions besides a basis of motions; where branches meet, few directions are real motions
ENOUGH_POSES = 3  # that close: a redundancy of this pose alone is gone in almost all of them
# Joints closed to 1e-12 leave 1e-6 of a motion that second order excludes: smaller singular values are not decided.
ASSEMBLED_TOLERANCES = Tolerances(zero=1e-5, decide=1e-4, sure=1e-3)
POSE_STEP = 0.05  # [characteristic lengths] by which the mechanism is moved out of a special pose
LEAST_POSE_CHANGE = 0.2  # part of the step that assembly must leave of it: of an infinitesimal motion it leaves little


@dataclass(frozen=True, slots=True)
class Causes:
    """The numbers of redundancies of each kind: structural + geometric + pose = p."""

    structural: int
    geometric: int
    pose: int

    @property
    def total(self) -> int:
        """p, the redundancies of all kinds."""
        return self.structural + self.geometric + self.pose

    def plus(self, other: Causes) -> Causes:
        """The sums of the numbers of each kind."""
        return Causes(self.structural + other.structural, self.geometric + other.geometric, self.pose + other.pose)

    def sentence(self, redundancy: int) -> str:
        """A sentence on a number of redundancies; where it is not theirs, as in exact arithmetic, no cause is named."""
        text = redundant_equations(redundancy)
        if redundancy != self.total:
            return f"{text} of unknown cause: the rounded numbers do not reveal it."
        return f"{text}: {self}."

    def __str__(self) -> str:
        words = (
            (self.structural, "from the structure (for any dimensions)"),
            (self.geometric, "from special dimensions (a small change removes {})"),
            (self.pose, "in this pose only (any motion removes {})"),
        )
        removed = [(_counted(n, self.total), word.format("it" if n == 1 else "them")) for n, word in words if n]
        return ", ".join(f"{count} {word}".strip() for count, word in removed)


def _counted(count: int, total: int) -> str:
    """The number of some of a total, in words where they are all of it."""
    return {1: "", 2: "both"}.get(count, "all") if count == total else str(count)


def redundant_equations(count: int) -> str:
    """``1 redundant equation``, ``3 redundant equations``."""
    return f"{count} redundant equation{'' if count == 1 else 's'}"


def causes(system: System, state: State, groups: Sequence[str] | None = None) -> Causes:
    """The causes at one state, of all redundancies or of those among the rows of some groups.

    >>> import reactio
    >>> system = reactio.build(reactio.load("bennett"))
    >>> print(causes(system, reactio.assemble(system)))
    2 from the structure (for any dimensions), 1 from special dimensions (a small change removes it)
    """
    require_system(system)
    return RedundancyCauses(equations(system, state)).of(groups)


@dataclass(frozen=True, eq=False)
class RedundancyCauses:
    """The causes of redundancies, counted by moving joints at random and by moving the mechanism.

    *Structural*: they remain when every joint is moved at random without a change of its axes, so that parallel
    hinges stay parallel (the screw system of the loop) but no length is special.  *Pose*: they vanish in some small
    motion.  *Geometric*: the rest.  Müller 2009 calls the first generic.

    Sets of joints that share no load are examined one by one: a hinge out of line in one set would lock the mechanism,
    and hide that another set needs its alignment too.  Drives are left out: their coordinates are free.

    Poses are computed once, and so are the verdicts on each set of rows in them.
    """

    eqs: Equations
    _known: dict[tuple[Equations, tuple[str, ...], Tolerances | None], Solvability] = field(default_factory=dict)

    @cached_property
    def _here(self) -> Equations:
        """The mechanism without its drives."""
        free, at = undriven(self.eqs.system, self.eqs.state)
        return self.eqs if free is self.eqs.system else equations(free, at)

    @cached_property
    def _poses_nearby(self) -> list[Equations]:
        return poses_nearby(self._here)

    @cached_property
    def _with_moved_joints(self) -> Equations:
        return _with_moved_joints(self._here)

    def of(self, groups: Sequence[str] | None = None) -> Causes:
        """The causes of all redundancies, or of those among the rows of some groups alone."""
        if not self._here.system.m:
            return Causes(0, 0, self._redundancy(self.eqs, groups))
        index = self._here.system.group_index
        chosen = None if groups is None else [name for name in groups if name in index]
        causes = Causes(0, 0, 0)
        for part in self._sharing(chosen):
            causes = causes.plus(self._of_part(part))
        # Redundancies of drives with each other or with joints do not depend on dimensions.
        driven = groups is None or len(chosen or ()) < len(groups)
        of_drives = self._redundancy(self.eqs if driven else self._here, groups) - causes.total
        return causes.plus(Causes(of_drives, 0, 0))

    def _of_part(self, groups: Sequence[str]) -> Causes:
        """The causes of the redundancies of some groups that share load with each other only."""
        p = self._redundancy(self._here, groups)
        near = min([p, *(self._redundancy(eqs, groups, ASSEMBLED_TOLERANCES) for eqs in self._poses_nearby)])
        structural = min(near, self._redundancy(self._with_moved_joints, groups))
        return Causes(structural, near - structural, p - near)

    def _sharing(self, groups: Sequence[str] | None) -> list[list[str]]:
        """Sets of groups that share load: the projector N Nᵀ has no entries between different sets."""
        chosen = _with_intrinsic(self._here, groups)
        if not chosen:
            return []
        N = self._judged(self._here, groups).N
        ends = np.cumsum([0, *(g.stop - g.start for g in chosen)])[:-1]
        P = np.abs(N @ N.T)
        linked = np.maximum.reduceat(np.maximum.reduceat(P, ends, axis=0), ends, axis=1) > SOLUTION
        labels = connected(len(linked), *np.nonzero(linked))
        bearing = [k for k in range(len(chosen)) if linked[k, k]]
        sets = dict.fromkeys(labels[bearing].tolist())
        return [[chosen[k].name for k in bearing if labels[k] == label] for label in sets]

    def _redundancy(self, eqs: Equations, groups: Sequence[str] | None, tol: Tolerances | None = None) -> int:
        """p of all rows, or of the rows of some groups alone."""
        return self._judged(eqs, groups, tol).redundancy

    def _judged(self, eqs: Equations, groups: Sequence[str] | None, tol: Tolerances | None = None) -> Solvability:
        """The verdicts on all rows, or on the rows of some groups alone."""
        chosen = _with_intrinsic(eqs, groups)
        if len(chosen) == len(eqs.system.groups) and tol is None:
            return eqs.solvability
        key = (eqs, tuple(group.name for group in chosen), tol)
        if key not in self._known:
            rows = np.concatenate([np.arange(g.start, g.stop) for g in chosen])
            self._known[key] = solvability(restricted(eqs.constraints, rows), tolerances=tol)
        return self._known[key]


def _with_intrinsic(eqs: Equations, groups: Sequence[str] | None) -> list[RowGroup]:
    """The named groups of rows, or all, and those of the bodies themselves."""
    return [g for g in eqs.system.groups if groups is None or g.name in groups or g.kind == GroupKind.INTRINSIC]


def undriven(system: System, state: State) -> tuple[System, State]:
    """The mechanism in the same pose without its drives."""
    if not system.model.drives:
        return system, state
    free = build(replace(model_at(system, state), drives=(), forces=(), events=(), stops=(), source=""))
    return free, State(state.t, free.q0, free.v0)


def poses_nearby(eqs: Equations) -> list[Equations]:
    """The mechanism displaced along random admissible motions, those that are real.

    Assembly after a displacement that is only infinitesimal leads back to the pose; such a direction does not count.
    """
    system, state, T = eqs.system, eqs.state, eqs.solvability.T
    motions = T
    if T.size:
        motions = np.hstack([T, T @ np.random.default_rng(1).standard_normal((T.shape[1], RANDOM_MOTIONS))])
    if np.any(state.v):
        motions = np.hstack([(T @ (T.T @ state.v))[:, None], motions])
    nearby: list[Equations] = []
    for motion in motions.T:
        size = np.abs(motion / system.column_scale).max()
        if len(nearby) == ENOUGH_POSES or size == 0:
            continue
        d = POSE_STEP / size * motion
        try:
            q = closed_pose(system, state.t, advance(system, state.q, d), restarts=0)
        except ReactioError:
            continue  # no pose closes in this direction
        if np.abs(q - state.q).max() > LEAST_POSE_CHANGE * POSE_STEP * min(1.0, system.length):
            nearby.append(equations(system, State(state.t, q, np.zeros(system.n))))
    return nearby


def _with_moved_joints(eqs: Equations) -> Equations:
    """The mechanism in the same pose with every joint moved at random by a small distance."""
    system, state = eqs.system, eqs.state
    model = model_at(system, state)
    random = np.random.default_rng(2)
    changed = build(
        replace(model, joints=tuple(_moved(model, j, system.length, random) for j in model.joints), source="")
    )
    return equations(changed, State(state.t, changed.q0, changed.v0))


def _moved(model: Model, joint: Joint, length: float, random: np.random.Generator) -> Joint:
    """A joint with both frames displaced by the same vector; lengths of joints follow from the pose.

    A rod has no axes, and its direction follows from its ends: these are moved independently.  A point mass has no
    other points: only the other end moves.
    """
    shift = JOINT_SHIFT * length * random.standard_normal(len(joint.a.point))
    kind = joint_registry.JOINTS_BY_SPACE[model.space].get(joint.type)
    rod = not any(measure.primitive.turns for row in kind.rows for _, measure in row.combination.terms)
    ends = []
    for end in (joint.a, joint.b):
        body = model.body(end.body)
        if not BODIES.get(body.kind).turns:
            ends.append(end)
            continue
        zero = tuple(0.0 for _ in shift)
        pose = replace(body, position=zero) if end.body != GROUND else end.body
        local = end_from_world(pose, tuple(shift.tolist()), end.orientation).point
        ends.append(replace(end, point=tuple(p + d for p, d in zip(end.point, local, strict=True))))
        shift = JOINT_SHIFT * length * random.standard_normal(len(shift)) if rod else shift
    return replace(joint, a=ends[0], b=ends[1])
