"""Where a redundancy comes from: the structure, special dimensions, or only this pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from reactio import joints as joint_registry
from reactio.bodies import BODIES
from reactio.constraint_matrix import restricted
from reactio.errors import ReactioError
from reactio.kinematics.assemble import assembly_record
from reactio.kinematics.body_state import posed
from reactio.linear.connected import connected
from reactio.model.placing import end_from_world
from reactio.model.specs import Joint, Model
from reactio.places import GROUND
from reactio.system.compile.build import build
from reactio.system.evaluate.equations import Equations, advance, equations
from reactio.system.types import RowGroup, State, System
from reactio.uniqueness import Solvability, Tolerances, solvability

JOINT_SHIFT = 0.2  # of the characteristic length: how far joints are moved to get rid of special dimensions
TRIES = 6  # random directions besides the basis; where motions branch most directions lead to none
ENOUGH = 3
# Joints closed to 1e-12 leave 1e-6 of a motion that only second order holds: singular values as small say nothing.
ASSEMBLED = Tolerances(zero=1e-5, decide=1e-4, sure=1e-3)
LINKED = 1e-9  # entries of a projector above this are no rounding
POSE_STEP = 0.05  # of the characteristic length: how far the mechanism is moved to leave a special pose


@dataclass(frozen=True, slots=True)
class Causes:
    """How many of the p redundancies are of each kind: structural + geometric + pose = p."""

    structural: int
    geometric: int
    pose: int

    def sentence(self, redundancy: int) -> str:
        """A sentence on a number of redundancies; where it is not theirs, as in exact arithmetic, no cause is named."""
        if redundancy == self.structural + self.geometric + self.pose:
            return f"Redundant: {redundancy}, {self}."
        return f"Redundant: {redundancy}; where they come from is not known, as rounded numbers do not show them."

    def __str__(self) -> str:
        words = (
            (self.structural, "by structure (whatever the dimensions)"),
            (self.geometric, "by special dimensions (gone when they change ever so little)"),
            (self.pose, "in this pose only (gone when the mechanism moves)"),
        )
        return ", ".join(f"{count} {word}" for count, word in words if count)


def causes(system: System, state: State, groups: Sequence[str] | None = None) -> Causes:
    """``RedundancyCauses`` at one state; with ``groups`` only their rows are looked at."""
    return RedundancyCauses(equations(system, state)).of(groups)


@dataclass(frozen=True, eq=False)
class RedundancyCauses:
    """Counts the redundancies that stay when joints are moved about, and when the mechanism moves on.

    *Structural*: left when every joint is moved to a random place, keeping the direction of its axes, so that parallel
    hinges stay parallel (the screw system of the loop) but no length is special.  *Pose*: gone after some small
    motion.  *Geometric*: the rest.  Müller 2009 calls the first generic.

    Joints that share load in no self-stress are looked at apart: one axle out of line would lock the mechanism, and
    hide that another needs its alignment too.  Drives are left aside: what they hold is free to move.

    The poses are found, and each set of rows in them is judged, once for all questions.
    """

    eqs: Equations
    _known: dict[tuple[int, tuple[str, ...], Tolerances | None], Solvability] = field(default_factory=dict)

    @cached_property
    def _here(self) -> Equations:
        """The mechanism without its drives."""
        free, at = undriven(self.eqs.system, self.eqs.state)
        return self.eqs if free is self.eqs.system else equations(free, at)

    @cached_property
    def _nearby(self) -> list[Equations]:
        return nearby(self._here)

    @cached_property
    def _relocated(self) -> Equations:
        return _relocated(self._here)

    def of(self, groups: Sequence[str] | None = None) -> Causes:
        """The causes of all redundancies, or of those among the rows of some groups alone."""
        if not self._here.system.m:
            return Causes(0, 0, self._redundancy(self.eqs, groups))
        index = self._here.system.group_index
        chosen = None if groups is None else [name for name in groups if name in index]
        parts = [self._counted(part) for part in self._sharing(chosen)]
        structural, geometric, pose = (sum(part[k] for part in parts) for k in range(3))
        # What drives repeat of each other or of joints, they repeat whatever the dimensions.
        driven = groups is None or len(chosen or ()) < len(groups)
        more = self._redundancy(self.eqs if driven else self._here, groups) - structural - geometric - pose
        return Causes(structural + more, geometric, pose)

    def _counted(self, groups: Sequence[str]) -> tuple[int, int, int]:
        """Structural, geometric and pose of some groups alone."""
        p = self._redundancy(self._here, groups)
        near = min([p, *(self._redundancy(eqs, groups, ASSEMBLED) for eqs in self._nearby)])
        structural = min(near, self._redundancy(self._relocated, groups))
        return structural, near - structural, p - near

    def _sharing(self, groups: Sequence[str] | None) -> list[list[str]]:
        """Sets of groups that share load in self-stresses: the projector N Nᵀ links no two of different sets."""
        chosen = _with_intrinsic(self._here, groups)
        if not chosen:
            return []
        N = self._judged(self._here, groups).N
        ends = np.cumsum([0, *(g.stop - g.start for g in chosen)])[:-1]
        P = np.abs(N @ N.T)
        linked = np.maximum.reduceat(np.maximum.reduceat(P, ends, axis=0), ends, axis=1) > LINKED
        labels = connected(len(linked), *np.nonzero(linked))
        bearing = [k for k in range(len(chosen)) if linked[k, k]]
        sets = dict.fromkeys(labels[bearing].tolist())
        return [[chosen[k].name for k in bearing if labels[k] == one] for one in sets]

    def _redundancy(self, eqs: Equations, groups: Sequence[str] | None, tol: Tolerances | None = None) -> int:
        """p of all rows, or of the rows of some groups alone."""
        return self._judged(eqs, groups, tol).redundancy

    def _judged(self, eqs: Equations, groups: Sequence[str] | None, tol: Tolerances | None = None) -> Solvability:
        """The verdicts on all rows, or on the rows of some groups alone."""
        chosen = _with_intrinsic(eqs, groups)
        if len(chosen) == len(eqs.system.groups) and tol is None:
            return eqs.solvability
        key = (id(eqs), tuple(group.name for group in chosen), tol)
        if key not in self._known:
            rows = np.concatenate([np.arange(g.start, g.stop) for g in chosen])
            self._known[key] = solvability(restricted(eqs.constraints, rows), tolerances=tol)
        return self._known[key]


def _with_intrinsic(eqs: Equations, groups: Sequence[str] | None) -> list[RowGroup]:
    """The named groups of rows, or all, and those of the bodies themselves."""
    return [g for g in eqs.system.groups if groups is None or g.name in groups or g.kind == "intrinsic"]


def undriven(system: System, state: State) -> tuple[System, State]:
    """The mechanism as it stands without its drives."""
    if not system.model.drives:
        return system, state
    free = build(replace(posed(system, state), drives=(), forces=(), events=(), stops=(), source=""))
    return free, State(state.t, free.q0, free.v0)


def nearby(eqs: Equations) -> list[Equations]:
    """The mechanism a little further along random admissible motions, as far as they are real.

    A direction that is only infinitesimal leads back to where it began and does not count.
    """
    system, state, T = eqs.system, eqs.state, eqs.solvability.T
    ways = np.hstack([T, T @ np.random.default_rng(1).standard_normal((T.shape[1], TRIES))]) if T.size else T
    if np.any(state.v):
        ways = np.hstack([(T @ (T.T @ state.v))[:, None], ways])
    found: list[Equations] = []
    for way in ways.T:
        size = np.abs(system.arc * way).max()
        if len(found) == ENOUGH or size == 0:
            continue
        d = POSE_STEP * system.length / size * way
        try:
            there = assembly_record(system, State(state.t, advance(system, state.q, d), np.zeros(system.n)))
        except ReactioError:
            continue  # this way is barred; another may be open
        gone = there.state.q - state.q
        if np.abs(gone).max() > 0.2 * POSE_STEP * min(1.0, system.length):
            found.append(equations(system, there.state))
    return found


def _relocated(eqs: Equations) -> Equations:
    """The mechanism as it stands with every joint moved to a random place near its own."""
    system, state = eqs.system, eqs.state
    model = posed(system, state)
    random = np.random.default_rng(2)
    changed = build(
        replace(model, joints=tuple(_moved(model, j, system.length, random) for j in model.joints), source="")
    )
    return equations(changed, State(state.t, changed.q0, changed.v0))


def _moved(model: Model, joint: Joint, length: float, random: np.random.Generator) -> Joint:
    """A joint whose two frames are shifted by the same vector of the world; lengths follow from the pose.

    A rod has no axes, its direction is one of its points: its ends are moved each by itself.  A point mass has no other
    points: there only the other end moves, which is as random.
    """
    shift = JOINT_SHIFT * length * random.standard_normal(len(joint.a.point))
    kind = joint_registry.BY_SPACE[model.space].get(joint.type)
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
