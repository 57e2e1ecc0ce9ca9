"""Assembly of imported mechanisms: poses that close every joint as accurately as the digits of the file allow."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.errors import AssemblyError, listed
from reactio.importers.conversion import closed_in_file
from reactio.importers.conversion.convert import draft_model
from reactio.importers.conversion.loops import LoopGroups, joints_of, loop_groups
from reactio.importers.conversion.tree_coordinates import TreeCoordinates, body_poses, spanning_tree, with_body_poses
from reactio.importers.mechanism import ImportedJoint, Mechanism
from reactio.importers.pose import Pose, PoseStack
from reactio.kernels import expected_work
from reactio.kinematics.close import PoseCoordinates, descend, largest_residual, residual
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations

# Gaps of joints as parts of the characteristic length: below the first they are rounding, below the second digits of a
# file; above it a loop is open.
CLOSED_MISFIT, LARGEST_MISFIT = 1e-12, 1e-5
# Part of the largest singular value below which steps have no component: where a file has 8 decimals, such components
# would move parts far without closing a gap.
LEAST_LOOP_SINGULAR_VALUE = 1e-5
FIRST_LOOP_DAMPING = 1e-3  # of a descent: poses of files may be far from closed ones, so that the first steps are short
POSES_OF_DESCENT = 50  # that a descent passes: several loops at once take 20 to 100
RANDOM_TREE_POSES = 40  # random poses of the tree from which open loops are tried again
LISTED_LOOPS = 12  # open loops that a refusal lists
CLOSES_ALONE = ""  # a loop may close well while others stay open
EQUAL_ENDS, EQUAL_MISFITS = 5, 0.01  # after so many starts with the same misfit, within this part of it, search ends
FEW_TREE_POSES = EQUAL_ENDS + 1  # random poses of a loop where another one stays open already
log = logging.getLogger("reactio")


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
    """The mechanism with its parts moved so that all joints close; an error names the loops that stay open.

    Where joints are open by more than digits of the file, each group of loops is closed on its own, in the coordinates
    of a tree of joints; what is left then is shared among all joints.
    """
    length = closed_in_file.characteristic_length(mechanism)
    if closed_in_file.all_joints_close(mechanism, CLOSED_MISFIT * length):
        return Closure(mechanism, (), 0.0, length, 0)
    system = build(draft_model(mechanism, _typical_length(mechanism)))
    given = equations(system)
    before, start, starts = _gaps(mechanism, given), given, 0
    if largest_residual(given) > LARGEST_MISFIT:
        near, starts = _with_closed_loops(mechanism, before, LARGEST_MISFIT * system.length)
        start = with_body_poses(given, PoseStack.of([part.pose for part in near.parts]))
    best = _closest(start)
    after = _gaps(mechanism, best)
    precision = max(after.values(), default=0.0) / system.length
    if precision > LARGEST_MISFIT:
        wide = {name: f"by {_length(size)}" for name, size in after.items() if size > LARGEST_MISFIT * system.length}
        raise AssemblyError(_refusal(mechanism, wide))
    poses = body_poses(best)
    parts = tuple(replace(part, pose=poses[part.name]) for part in mechanism.parts)
    gaps = tuple(ClosureGap(name, before[name], size) for name, size in after.items())
    return Closure(replace(mechanism, parts=parts), gaps, precision, system.length, starts)


def _with_closed_loops(mechanism: Mechanism, gaps: Mapping[str, float], within: float) -> tuple[Mechanism, int]:
    """The mechanism with its open loops closed, and the number of random starts; an error about those that stay open.

    ``gaps`` [m] are those of the file; those above ``within`` [m] are no digits.
    """
    loops = loop_groups(mechanism)
    given = {GROUND: Pose()} | {part.name: part.pose for part in mechanism.parts}
    local: dict[str, Pose] = {}  # of parts that move, in the axes of their root
    refused: dict[str, str] = {}
    starts = 0
    open_groups = [group for group in sorted(loops.groups, key=len) if _is_open(loops, group, gaps, within)]
    for group in open_groups:
        part = loops.part_of_mechanism(group)
        # Tree coordinates leave a gap in one joint; among all joints of the group each takes a part of it.
        closure, loops_open = _closed_group(part, within * len(part.joints), decided=bool(refused))
        starts += closure.starts
        if loops_open and not refused and group is not open_groups[-1]:
            name, gap = next(iter(loops_open.items()))
            log.info(f"{mechanism.name}: '{name}' stays open {gap}; other loops are tried …")
        refused |= loops_open
        for name, pose in body_poses(closure.best).items():
            local[name] = given[loops.root_of_part[name]].inverse @ pose
    if refused:
        raise AssemblyError(_refusal(mechanism, refused))
    return loops.with_local_poses(local), starts


def _is_open(loops: LoopGroups, group: Sequence[int], gaps: Mapping[str, float], within: float) -> bool:
    """Is a joint of the group, or a coupling between such joints, open by more than a length [m]?"""
    names = {joint.name for joint in loops.joints(group)}
    couplings = (c.name for c in loops.mechanism.couplings if joints_of(c.along) <= names)
    return any(gaps[name] > within for name in (*names, *couplings))


class _LoopClosure(NamedTuple):
    """The search for a pose that closes all joints of a mechanism."""

    mechanism: Mechanism  # with all joints outside the tree marked as those that close loops
    coordinates: TreeCoordinates
    best: Equations  # in the pose with the smallest gaps
    starts: int = 0  # random starts that were needed

    @property
    def gaps(self) -> dict[str, float]:
        """The largest residual [m] of each joint and coupling in the best pose."""
        return _gaps(self.mechanism, self.best)

    @property
    def chords(self) -> list[ImportedJoint]:
        """The joints outside the tree, each of which closes a loop."""
        return [joint for joint in self.mechanism.joints if joint.closes_loop]


def _closed_group(mechanism: Mechanism, within: float, *, decided: bool) -> tuple[_LoopClosure, dict[str, str]]:
    """The closed pose of a group of loops, and the loops that stay open by more than a length [m], in words.

    Random poses are tried for each loop alone before they are tried for all together: a loop that does not close alone
    does not close with others either, and one loop is quickly tried.  Where another group has ``decided`` that the file
    is refused, few poses are tried.
    """
    closure = _from_stored_pose(mechanism)
    if max(closure.gaps.values()) <= within:
        return closure, {}
    if len(closure.chords) > 1:
        alone = _each_loop_alone(closure, within, decided)
        if any(text != CLOSES_ALONE for text in alone.values()):
            return closure, alone
        if not decided:
            log.info(f"{mechanism.name}: each of {len(alone)} loops closes alone; a pose that closes all is sought …")
    closure = _from_random_poses(closure, FEW_TREE_POSES if decided else RANDOM_TREE_POSES)
    gaps = {name: size for name, size in closure.gaps.items() if size > within}
    chords = {joint.name: joint for joint in closure.chords}
    stay_open = {
        name: f"by {_length(size)}" + (_fixed_offset(chords[name], closure) if name in chords else "")
        for name, size in gaps.items()
        if name in chords or not chords.keys() & gaps.keys()
    }
    return closure, stay_open


def _from_stored_pose(mechanism: Mechanism) -> _LoopClosure:
    """The pose that a descent in tree coordinates leads to from the pose of the file."""
    tree = spanning_tree(mechanism)
    inside = {link.name for link in tree}
    joints = tuple(replace(joint, closes_loop=joint.name not in inside) for joint in mechanism.joints)
    mechanism = replace(mechanism, joints=joints)
    system = build(draft_model(mechanism, _typical_length(mechanism)))
    coordinates = TreeCoordinates(tree, system)
    given = coordinates.displaced(equations(system), np.zeros(coordinates.size))
    return _LoopClosure(mechanism, coordinates, _closest(given, coordinates))


def _from_random_poses(closure: _LoopClosure, most: int) -> _LoopClosure:
    """The best pose that descents from at most so many random poses lead to, if better than the one at hand."""
    coordinates, best, starts, equal = closure.coordinates, closure.best, 0, 0
    arm, random = _typical_length(closure.mechanism), np.random.default_rng(0)
    given = equations(coordinates.system)
    while starts < most and equal < EQUAL_ENDS and largest_residual(best) > LARGEST_MISFIT:
        starts += 1
        # As many starts as before may follow: a long search is compiled before it has taken twice as long.
        with expected_work(coordinates.system.m, 2 * starts * POSES_OF_DESCENT, coordinates.system.space):
            closest = _closest(coordinates.displaced(given, coordinates.random_displacement(arm, random)), coordinates)
        ratio = largest_residual(closest) / largest_residual(best)
        equal += 1 - EQUAL_MISFITS < ratio < 1 + EQUAL_MISFITS
        if ratio < 1 - EQUAL_MISFITS:
            best, equal = closest, 0
    return closure._replace(best=best, starts=starts)


def _each_loop_alone(closure: _LoopClosure, within: float, decided: bool) -> dict[str, str]:
    """How far each loop of a group stays open where the other loops are left out, in words; small loops first.

    The first loop that stays open decides that the file is refused: of the others a few poses are tried, so that the
    refusal comes soon.
    """
    names = {joint.name: None for joint in closure.chords}
    loops = {name: _loop_alone(closure.mechanism, name, names) for name in names}
    described: dict[str, str] = {}
    for name, loop in sorted(loops.items(), key=lambda item: len(item[1].joints)):
        decided = decided or any(described.values())
        alone = _from_random_poses(_from_stored_pose(loop), FEW_TREE_POSES if decided else RANDOM_TREE_POSES)
        size = max(alone.gaps.values())
        if size > within:
            if not decided:
                log.info(f"{loop.name}: '{name}' stays open by {_length(size)}, whatever the other loops do …")
            trials = f" (from {alone.starts + 1} poses)" if decided else ""
            described[name] = f"by {_length(size)} even alone{trials}{_fixed_offset(alone.chords[0], alone)}"
        else:
            described[name] = CLOSES_ALONE
    return described


def _closest(eqs: Equations, coordinates: PoseCoordinates | None = None) -> Equations:
    """The pose with the smallest gaps that a descent from a pose leads to."""
    return descend(eqs, coordinates, LEAST_LOOP_SINGULAR_VALUE, FIRST_LOOP_DAMPING).eqs


def _gaps(mechanism: Mechanism, eqs: Equations) -> dict[str, float]:
    """The largest residual [m] of each joint and coupling, those of the points of a closure together."""
    sizes, gaps = eqs.system.length * np.abs(residual(eqs)), dict[str, float]()
    owner = {f"{joint.name} {k}": joint.name for joint in mechanism.joints if joint.closes_loop for k in (1, 2)}
    for group in eqs.system.groups:
        name, size = owner.get(group.name, group.name), float(sizes[group.start : group.stop].max(initial=0.0))
        gaps[name] = max(gaps.get(name, 0.0), size)
    return gaps


def _typical_length(mechanism: Mechanism) -> float:
    """A typical length of the parts [m]: the median distance of joints from the origin of their part."""
    sizes = [float(np.linalg.norm(frame.r)) for joint in mechanism.joints for frame in (joint.frame_a, joint.frame_b)]
    return float(np.median([size for size in sizes if size > 0] or [1.0]))


def _fixed_offset(joint: ImportedJoint, closure: _LoopClosure) -> str:
    """A sentence where no joint moves along the gap, so that it is the same in every pose; else none."""
    poses = {GROUND: Pose()} | body_poses(closure.best)
    gap = (poses[joint.b] @ joint.frame_b).r - (poses[joint.a] @ joint.frame_a).r
    size = float(np.linalg.norm(gap))
    if not size > 0 or not closure.coordinates.keep_distances_along(gap / size, closure.best, LARGEST_MISFIT):
        return ""
    along = ", ".join(f"{x:.3g}" for x in np.round(gap / size, 9) + 0.0)  # axes, not their rounding
    return f" along ({along}), along which no joint of the loop moves: dimensions differ by {_length(size)}"


def _loop_alone(mechanism: Mechanism, name: str, names: Collection[str]) -> Mechanism:
    """One loop of a group, without the joints ``names`` that close the others."""
    joints = tuple(joint for joint in mechanism.joints if joint.name == name or joint.name not in names)
    kept = {joint.name for joint in joints}
    couplings = tuple(c for c in mechanism.couplings if joints_of(c.along) <= kept)
    loops = loop_groups(replace(mechanism, joints=joints, couplings=couplings))
    group = next(each for each in loops.groups if any(joint.name == name for joint in loops.joints(each)))
    return loops.part_of_mechanism(group)


def _refusal(mechanism: Mechanism, loops: Mapping[str, str]) -> str:
    """The error about loops that stay open."""
    wide = [f"'{name}' {gap}" for name, gap in loops.items() if gap != CLOSES_ALONE]
    listing = listed(wide, most=LISTED_LOOPS, between="; ")
    if closing := [f"'{name}'" for name, gap in loops.items() if gap == CLOSES_ALONE]:
        listing += f"; {listed(closing, most=3)} would close alone"
    return (
        f"'{mechanism.name}' cannot be assembled: at the best pose found loops stay open, {listing}. "
        f"{mechanism.about_gaps}Check the frames of these joints in the file, or start from a pose that closes them."
    )


def _length(size: float) -> str:
    return f"{1e3 * size:.3g} mm"
