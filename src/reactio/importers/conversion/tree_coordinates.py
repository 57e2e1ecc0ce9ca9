"""Coordinates of a spanning tree of joints: poses in which these joints are closed, and only loops may be open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.importers.mechanism import ImportedJoint, Mechanism
from reactio.importers.pose import Pose, from_quaternion, rotation
from reactio.kinematics.close import position_matrix, residual
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import with_counted_turns
from reactio.system.types import State, System

# Axes of the rotations of a joint with coordinates in a tree → those about axes of frame a, and of frame b.
TREE_ROTATIONS: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "": ((), ()),
    "z": ((), (2,)),
    "xy": ((0,), (1,)),
    "xyz": ((), (0, 1, 2)),
}


@dataclass(frozen=True, slots=True, eq=False)
class TreeJoint:
    """A joint of the tree, from a part near the root to one farther away.

    Frame b has the pose (r, R) in frame a.  Slides change r along the axes of frame a; rotations change R about those
    of both frames: R → exp(d_a) R exp(d_b).
    """

    name: str
    parent: str
    child: str
    frame_a: Pose
    frame_b: Pose
    slides: tuple[int, ...]  # axes of frame a along which frame b slides
    rotations_a: tuple[int, ...]  # axes of frame a about which it turns
    rotations_b: tuple[int, ...]  # axes of frame b about which it turns
    reverse: bool = False  # is frame b on the parent?

    @property
    def size(self) -> int:
        """The number of its coordinates."""
        return len(self.slides) + len(self.rotations_a) + len(self.rotations_b)

    def moved(self, between: Pose, d: Floats) -> Pose:
        """The pose of frame b in frame a after a displacement d, of slides [m] and then of rotations [rad]."""
        first, second = len(self.slides), len(self.slides) + len(self.rotations_a)
        r = np.array(between.r)
        r[list(self.slides)] += d[:first]
        before, after = _exponential(self.rotations_a, d[first:second]), _exponential(self.rotations_b, d[second:])
        return Pose(r, before @ between.R @ after)

    def admissible(self, between: Pose) -> Pose:
        """A pose near a given one that the joint admits."""
        r = np.array([x if i in self.slides else 0.0 for i, x in enumerate(between.r)])
        R = between.R
        if self.rotations_a:
            turn = rotation((1, 0, 0), float(np.arctan2(R[2, 1], R[1, 1])))
            about_y = turn.T @ R
            return Pose(r, turn @ rotation((0, 1, 0), float(np.arctan2(about_y[0, 2], about_y[0, 0]))))
        if len(self.rotations_b) == 1:
            return Pose(r, rotation((0, 0, 1), float(np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1]))))
        return Pose(r, R if self.rotations_b else np.eye(3))

    def between(self, poses: Mapping[str, Pose]) -> Pose:
        """The pose of frame b in frame a, from those of the parts."""
        a, b = self.frames(poses)
        return a.inverse @ b

    def frames(self, poses: Mapping[str, Pose]) -> tuple[Pose, Pose]:
        """The poses of frames a and b in the world."""
        a, b = (self.child, self.parent) if self.reverse else (self.parent, self.child)
        return poses[a] @ self.frame_a, poses[b] @ self.frame_b

    def child_pose(self, parent: Pose, between: Pose) -> Pose:
        """The pose of the part farther away, from that of the other one."""
        if self.reverse:
            return parent @ self.frame_b @ between.inverse @ self.frame_a.inverse
        return parent @ self.frame_a @ between @ self.frame_b.inverse


def _exponential(axes: tuple[int, ...], d: Floats) -> Floats:
    turn = np.zeros(3)
    turn[list(axes)] = d
    angle = float(np.linalg.norm(turn))
    return rotation(turn / angle, angle) if angle > 0 else np.eye(3)


def spanning_tree(mechanism: Mechanism) -> tuple[TreeJoint, ...]:
    """A tree of joints from ground to all parts, parents first.

    Joints that close loops in the file stay outside where others reach all parts.  A part that only joints without
    coordinates here reach gets six coordinates.
    """
    neighbours: dict[str, list[TreeJoint]] = {}
    component = {name: name for name in (GROUND, *(part.name for part in mechanism.parts))}
    links = [_link(joint) for joint in sorted(mechanism.joints, key=lambda each: each.closes_loop)]
    free = [TreeJoint("", GROUND, part.name, Pose(), Pose(), (0, 1, 2), (), (0, 1, 2)) for part in mechanism.parts]
    for link in (*(each for each in links if each is not None), *free):
        a, b = (_component(component, name) for name in (link.parent, link.child))
        if a != b:
            component[b] = a
            neighbours.setdefault(link.parent, []).append(link)
            neighbours.setdefault(link.child, []).append(link)
    tree, pending, reached = list[TreeJoint](), [GROUND], {GROUND}
    for current in pending:  # grows while it is walked
        for link in neighbours.get(current, ()):
            neighbour = link.child if link.parent == current else link.parent
            if neighbour not in reached:
                reached.add(neighbour)
                pending.append(neighbour)
                tree.append(
                    link
                    if link.parent == current
                    else replace(link, parent=link.child, child=link.parent, reverse=True)
                )
    return tuple(tree)


def _component(component: dict[str, str], name: str) -> str:
    while component[name] != name:
        component[name] = name = component[component[name]]
    return name


def _link(joint: ImportedJoint) -> TreeJoint | None:
    """The joint with its coordinates from part a to part b; None where it has others than slides and rotations."""
    kind = joint_registry.SPATIAL_JOINTS.get(joint.type)
    turns = TREE_ROTATIONS.get("".join(each.axis for each in kind.free if each.rotates))
    if kind.parameters or turns is None or not all(each.axis for each in kind.free):
        return None
    slides = tuple("xyz".index(each.axis) for each in kind.free if not each.rotates)
    return TreeJoint(joint.name, joint.a, joint.b, joint.frame_a, joint.frame_b, slides, *turns)


class TreeCoordinates:
    """The coordinates of the joints of a tree, in which the poses of a system with the same parts are displaced."""

    def __init__(self, tree: tuple[TreeJoint, ...], system: System) -> None:
        self.tree, self.system = tree, system
        self.names = [body.name for body in system.model.bodies]
        self.starts = np.cumsum([0, *(joint.size for joint in tree)])
        above = {GROUND: np.zeros(len(tree), dtype=bool)}  # the joints between ground and a part
        for k, joint in enumerate(tree):
            above[joint.child] = above[joint.parent].copy()
            above[joint.child][k] = True
        owner = np.repeat(np.arange(len(tree)), np.diff(self.starts))
        self.moves = np.array([above[name][owner] for name in self.names]).reshape(len(self.names), -1)  # (bodies, k)
        inside = {joint.name for joint in tree}
        rows = [np.arange(group.start, group.stop) for group in system.groups if group.name not in inside]
        self.rows = np.concatenate([*rows, np.zeros(0, dtype=np.int64)])
        slides = [k < len(joint.slides) for joint in tree for k in range(joint.size)]
        self.slides = np.array(slides, dtype=bool)  # (k,)
        self.scale = np.where(self.slides, system.length, 1.0)  # (k,) [m, 1]

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return len(self.scale)

    def linearised(self, eqs: Equations) -> tuple[Floats, Floats]:
        """J (m, k) = C T and Φ (m,) of the rows outside the tree.

        T gives the velocities v = T ḋ of all bodies: ω = a and ṙ = a × (r − p) about an axis a at p, ṙ = a along it.
        """
        poses = self._poses(eqs)
        axis, point, turns = (np.array(each).reshape(-1, 3) for each in zip(*self._axes(poses), strict=True))
        r = np.array([poses[name].r for name in self.names])
        swept = np.cross(axis, r[:, None] - point) * turns + axis * (1 - turns)  # (bodies, k, 3)
        twist = np.concatenate([swept, np.broadcast_to(axis * turns, swept.shape)], axis=2) * self.moves[:, :, None]
        T = twist.transpose(0, 2, 1).reshape(self.system.n, -1) * self.scale / self.system.column_scale[:, None]
        J = np.asarray(position_matrix(eqs, np.ones(self.system.n)) @ T)
        return J[self.rows], residual(eqs)[self.rows]

    def displaced(self, eqs: Equations, d: Floats) -> Equations:
        """The equations at a displacement d (k,) [characteristic lengths, rad] from a pose."""
        poses, amount = self._poses(eqs), self.scale * d
        between = [
            joint.moved(joint.admissible(joint.between(poses)), amount[start:stop])
            for joint, start, stop in zip(self.tree, self.starts, self.starts[1:], strict=False)
        ]
        moved = {GROUND: Pose()}
        for joint, pose in zip(self.tree, between, strict=True):
            moved[joint.child] = joint.child_pose(moved[joint.parent], pose)
        return with_body_poses(eqs, moved)

    def keep_distances_along(self, direction: Floats, eqs: Equations, within: float) -> bool:
        """Do all joints turn about a direction (3,) and slide across it, to within an angle [rad]?"""
        for axis, _, turns in self._axes(self._poses(eqs)):
            along = abs(float(axis @ direction))
            if (np.sqrt(max(0.0, 1.0 - along * along)) if turns[0] else along) > within:
                return False
        return True

    def random_displacement(self, length: float, random: np.random.Generator) -> Floats:
        """d (k,) of rotations by up to half a turn and slides by up to a length [m]."""
        largest = np.where(self.slides, length / self.system.length, np.pi)
        return np.asarray(largest * random.uniform(-1.0, 1.0, len(self.scale)))

    def _poses(self, eqs: Equations) -> dict[str, Pose]:
        return {GROUND: Pose()} | body_poses(eqs)

    def _axes(self, poses: Mapping[str, Pose]) -> list[tuple[Floats, Floats, Floats]]:
        """Of every coordinate: the axis (3,) in the sense of the child, a point (3,) on it, and 1 for a rotation."""
        axes = []
        for joint in self.tree:
            a, b = joint.frames(poses)
            sense = -1.0 if joint.reverse else 1.0
            axes += [(sense * a.R[:, i], b.r, np.zeros(3)) for i in joint.slides]
            axes += [(sense * a.R[:, i], b.r, np.ones(3)) for i in joint.rotations_a]
            axes += [(sense * b.R[:, i], b.r, np.ones(3)) for i in joint.rotations_b]
        return axes


def body_poses(eqs: Equations) -> dict[str, Pose]:
    """The poses of all bodies, which are rigid and spatial."""
    poses, q = {}, eqs.state.q
    for body, start in zip(eqs.system.model.bodies, eqs.system.body_q, strict=False):
        poses[body.name] = from_quaternion(q[start : start + 3], q[start + 3 : start + 7], body.name)
    return poses


def with_body_poses(eqs: Equations, poses: Mapping[str, Pose]) -> Equations:
    """The equations at rest in other poses of all bodies."""
    system, t, q = eqs.system, eqs.state.t, np.array(eqs.state.q)
    for body, start in zip(system.model.bodies, system.body_q, strict=False):
        q[start : start + 7] = (*poses[body.name].r, *poses[body.name].quaternion)
    return equations(system, State(t, with_counted_turns(system, t, q), np.zeros(system.n)))
