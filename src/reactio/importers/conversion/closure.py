"""Assembly of imported mechanisms: poses that close every joint as accurately as the digits of the file allow."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import AssemblyError
from reactio.importers.conversion import closed_in_file
from reactio.importers.conversion.convert import draft_model
from reactio.importers.mechanism import ImportedJoint, Mechanism
from reactio.importers.pose import Pose, from_quaternion, rotation
from reactio.kinematics.close import descend, largest_residual, residual
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

# Gaps of joints as parts of the characteristic length: below the first they are rounding, below the second digits of a
# file; above it a loop is open.
CLOSED_MISFIT, LARGEST_MISFIT = 1e-12, 1e-5
# Part of the largest singular value below which steps have no component: where a file has 8 decimals, such components
# would move parts far without closing a gap.
LEAST_LOOP_SINGULAR_VALUE = 1e-5
FIRST_LOOP_DAMPING = 1e-3  # of a descent: poses of files may be far from closed ones, so that the first steps are short
RANDOM_TREE_POSES = 40  # random poses of the tree from which open loops are tried again
EQUAL_ENDS, EQUAL_MISFITS = 5, 0.01  # after so many starts with the same misfit, within this part of it, search ends


@dataclass(frozen=True, slots=True)
class ClosureGap:
    """The gap of a joint in the file and after assembly: the largest residual of its rows [m], angles times L."""

    name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """The assembled mechanism, the gaps of its joints, and the misfit as part of its size."""

    mechanism: Mechanism
    gaps: tuple[ClosureGap, ...]
    precision: float  # largest gap after assembly over the characteristic length
    length: float  # characteristic length [m]
    starts: int  # random starts that were needed


def closed(mechanism: Mechanism) -> Closure:
    """The mechanism with its parts moved so that all joints close; an error names the loops that stay open."""
    length = closed_in_file.characteristic_length(mechanism)
    if closed_in_file.all_joints_close(mechanism, CLOSED_MISFIT * length):
        return Closure(mechanism, (), 0.0, length, 0)
    system, given, best, starts = _assembled(mechanism)
    after = _gaps(mechanism, best)
    if max(after.values(), default=0.0) > LARGEST_MISFIT * system.length:
        raise AssemblyError(_refusal(mechanism, after, system.length))
    before = _gaps(mechanism, given)
    gaps = tuple(ClosureGap(name, before[name], size) for name, size in after.items())
    precision = max(after.values(), default=0.0) / system.length
    return Closure(_with_poses(mechanism, system, best.state.q), gaps, precision, system.length, starts)


class _LoopClosure(NamedTuple):
    """The search for a pose that closes all joints of a system."""

    system: System
    given: Equations  # in the pose of the file
    best: Equations  # in the pose with the smallest gaps
    starts: int  # random starts that were needed


def _assembled(mechanism: Mechanism) -> _LoopClosure:
    """The best pose that descents from the pose of the file, and then from random poses, lead to."""
    arm = _typical_length(mechanism)
    system = build(draft_model(mechanism, arm))
    given = equations(system)
    best = _closest(given)
    starts = equal = 0
    random = np.random.default_rng(0)
    while starts < RANDOM_TREE_POSES and equal < EQUAL_ENDS and largest_residual(best) > LARGEST_MISFIT:
        starts += 1
        moved = build(draft_model(_random_pose(mechanism, arm, random), arm))
        other = _closest(equations(system, State(0.0, moved.q0, np.zeros(system.n))))
        ratio = largest_residual(other) / largest_residual(best)
        equal += 1 - EQUAL_MISFITS < ratio < 1 + EQUAL_MISFITS
        if ratio < 1 - EQUAL_MISFITS:
            best, equal = other, 0
    return _LoopClosure(system, given, best, starts)


def _closest(eqs: Equations) -> Equations:
    """The pose with the smallest gaps that a descent from a pose leads to."""
    return descend(eqs, cut=LEAST_LOOP_SINGULAR_VALUE, damping=FIRST_LOOP_DAMPING).eqs


def _gaps(mechanism: Mechanism, eqs: Equations) -> dict[str, float]:
    """The largest residual [m] of each joint and coupling, those of the points of a closure together."""
    sizes, found = eqs.system.length * np.abs(residual(eqs)), dict[str, float]()
    owner = {f"{joint.name} {k}": joint.name for joint in mechanism.joints if joint.closes_loop for k in (1, 2)}
    for group in eqs.system.groups:
        name, size = owner.get(group.name, group.name), float(sizes[group.start : group.stop].max(initial=0.0))
        found[name] = max(found.get(name, 0.0), size)
    return found


def _typical_length(mechanism: Mechanism) -> float:
    """A typical length of the parts [m]: the median distance of joints from the origin of their part."""
    sizes = [float(np.linalg.norm(frame.r)) for joint in mechanism.joints for frame in (joint.frame_a, joint.frame_b)]
    return float(np.median([size for size in sizes if size > 0] or [1.0]))


def _with_poses(mechanism: Mechanism, system: System, q: Floats) -> Mechanism:
    parts = []
    for b, part in enumerate(mechanism.parts):
        own = q[system.body_q[b] : system.body_q[b + 1]]
        parts.append(replace(part, pose=from_quaternion(own[:3], own[3:7], part.name)))
    return replace(mechanism, parts=tuple(parts))


def _random_pose(mechanism: Mechanism, size: float, random: np.random.Generator) -> Mechanism:
    """The mechanism with the coordinates of a spanning tree of its joints changed at random."""
    neighbours: dict[str, list[tuple[str, Pose]]] = {}
    given = {part.name: part.pose for part in mechanism.parts} | {GROUND: Pose()}
    for joint in sorted(mechanism.joints, key=lambda one: one.closes_loop):
        between = _relative(given, joint) @ _random_motion(joint, size, random)
        step = joint.frame_a @ between @ joint.frame_b.inverse
        neighbours.setdefault(joint.a, []).append((joint.b, step))
        neighbours.setdefault(joint.b, []).append((joint.a, step.inverse))
    pose = {GROUND: Pose()}
    for root in (GROUND, *(part.name for part in mechanism.parts)):
        if root not in pose:
            pose[root] = given[root]
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there, step in neighbours.get(here, ()):
                if there not in pose:
                    pose[there] = pose[here] @ step
                    queue.append(there)
    return replace(mechanism, parts=tuple(replace(part, pose=pose[part.name]) for part in mechanism.parts))


def _relative(given: dict[str, Pose], joint: ImportedJoint) -> Pose:
    a = given[joint.a] @ joint.frame_a
    return a.inverse @ (given[joint.b] @ joint.frame_b)


def _random_motion(joint: ImportedJoint, size: float, random: np.random.Generator) -> Pose:
    motion = Pose()
    for freedom in joint_registry.SPATIAL_JOINTS.get(joint.type).free:
        if not freedom.axis:
            continue
        axis = np.eye(3)["xyz".index(freedom.axis)]
        amount = float(random.uniform(-1, 1))
        turn = Pose(np.zeros(3), rotation(axis, np.pi * amount))
        motion = motion @ (turn if freedom.rotates else Pose(size * amount * axis))
    return motion


def _refusal(mechanism: Mechanism, after: dict[str, float], length: float) -> str:
    """The error of loops that stay open: their gaps when all are closed together, and when each is closed alone."""
    loops = [joint.name for joint in mechanism.joints if joint.closes_loop]
    names = loops or [name for name, size in after.items() if size > LARGEST_MISFIT * length]
    listing = [f"'{name}' by {_length(after[name])}{_gap_alone(mechanism, name, names)}" for name in names[:12]]
    more = f"; and {len(names) - 12} more" if len(names) > 12 else ""
    return (
        f"'{mechanism.name}' cannot be assembled: at the best pose found loops stay open, {'; '.join(listing)}{more}. "
        "Check the frames of these joints in the file, or start from a pose that closes them."
    )


def _gap_alone(mechanism: Mechanism, name: str, names: Sequence[str]) -> str:
    """The gap of one loop with all other open loops left out, in words."""
    if len(names) < 2:
        return ""
    joints = tuple(joint for joint in mechanism.joints if joint.name == name or joint.name not in names)
    kept = {joint.name for joint in joints}
    couplings = tuple(r for r in mechanism.couplings if all(along.split(".")[0] in kept for along in r.along))
    alone = replace(mechanism, joints=joints, couplings=couplings)
    found = _assembled(alone)
    size = _gaps(alone, found.best)[name]
    return f" (alone {_length(size)})" if size > LARGEST_MISFIT * found.system.length else " (alone it closes)"


def _length(size: float) -> str:
    return f"{1e3 * size:.3g} mm"
