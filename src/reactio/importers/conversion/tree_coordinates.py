"""Coordinates of a spanning tree of joints: poses in which these joints are closed, and only loops may be open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.importers.mechanism import ImportedJoint, Mechanism
from reactio.importers.pose import Pose, PoseStack, exponentials
from reactio.kinematics.close import position_matrix, residual
from reactio.space.rotations import quaternion_from_axes
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
    """The coordinates of the joints of a tree, in which the poses of a system with the same parts are displaced.

    Arrays hold all joints (j,), all coordinates (k,), and all parts, ground first.
    """

    def __init__(self, tree: tuple[TreeJoint, ...], system: System) -> None:
        self.tree, self.system = tree, system
        place = {GROUND: 0} | {body.name: k for k, body in enumerate(system.model.bodies, 1)}
        self.parent, self.child = (
            np.array([place[getattr(joint, end)] for joint in tree], dtype=np.int64) for end in ("parent", "child")
        )
        self.reverse = np.array([joint.reverse for joint in tree], dtype=bool)  # (j,)
        self.frame_a = PoseStack.of([joint.frame_a for joint in tree])
        self.frame_b = PoseStack.of([joint.frame_b for joint in tree])
        kinds = ("slides", "rotations_a", "rotations_b")
        coordinates = [(j, i, kind) for j, joint in enumerate(tree) for kind in kinds for i in getattr(joint, kind)]
        self.owner = np.array([j for j, _, _ in coordinates], dtype=np.int64)  # (k,) the joint of each coordinate
        self.axis = np.array([i for _, i, _ in coordinates], dtype=np.int64)  # (k,) along or about which it moves
        self.slides, self.about_a, self.about_b = (
            np.array([kind == its_kind for _, _, its_kind in coordinates], dtype=bool) for kind in kinds
        )
        above = np.zeros((len(place), len(tree)), dtype=bool)  # the joints between ground and a part
        for j, (parent, child) in enumerate(zip(self.parent, self.child, strict=True)):
            above[child] = above[parent]
            above[child, j] = True
        self.moves = above[1:, self.owner]  # (bodies, k)
        inside = {joint.name for joint in tree}
        rows = [np.arange(group.start, group.stop) for group in system.groups if group.name not in inside]
        self.rows = np.concatenate([*rows, np.zeros(0, dtype=np.int64)])
        self.scale = np.where(self.slides, system.length, 1.0)  # (k,) [m, 1]

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return len(self.scale)

    def linearised(self, eqs: Equations) -> tuple[Floats, Floats]:
        """J (m, k) = C T and Φ (m,) of the rows outside the tree.

        T gives the velocities v = T ḋ of all bodies: ω = a and ṙ = a × (r − p) about an axis a at p, ṙ = a along it.
        """
        parts = part_poses(eqs)
        axis, point = self._axes(parts)
        turns = ~self.slides[:, None]
        swept = np.cross(axis, parts.r[1:, None] - point) * turns + axis * ~turns  # (bodies, k, 3)
        twist = np.concatenate([swept, np.broadcast_to(axis * turns, swept.shape)], axis=2) * self.moves[:, :, None]
        T = twist.transpose(0, 2, 1).reshape(self.system.n, -1) * self.scale / self.system.column_scale[:, None]
        J = np.asarray(position_matrix(eqs, np.ones(self.system.n)) @ T)
        return J[self.rows], residual(eqs)[self.rows]

    def displaced(self, eqs: Equations, d: Floats) -> Equations:
        """The equations at a displacement d (k,) [characteristic lengths, rad] from a pose."""
        a, b = self._frames(part_poses(eqs))
        between = self._moved(self._admissible(a.inverse.then(b)), self.scale * d)
        onward = self.frame_a.then(between).then(self.frame_b.inverse)
        back = onward.inverse
        r = np.where(self.reverse[:, None], back.r, onward.r)
        R = np.where(self.reverse[:, None, None], back.R, onward.R)
        parts = PoseStack(np.zeros((len(self.moves) + 1, 3)), np.tile(np.eye(3), (len(self.moves) + 1, 1, 1)))
        for j, (parent, child) in enumerate(zip(self.parent.tolist(), self.child.tolist(), strict=True)):
            parts.r[child] = parts.r[parent] + parts.R[parent] @ r[j]
            parts.R[child] = parts.R[parent] @ R[j]
        return with_body_poses(eqs, PoseStack(parts.r[1:], parts.R[1:]))

    def _admissible(self, between: PoseStack) -> PoseStack:
        """Poses of frames b in frames a that the joints admit, near given ones."""
        r, turn, R = np.zeros_like(between.r), np.zeros_like(between.r), between.R
        r[self.owner[self.slides], self.axis[self.slides]] = between.r[self.owner[self.slides], self.axis[self.slides]]
        rotations = np.bincount(self.owner[~self.slides], minlength=len(self.tree))
        hinge = rotations == 1
        turn[hinge, 2] = np.arctan2(R[hinge, 1, 0] - R[hinge, 0, 1], R[hinge, 0, 0] + R[hinge, 1, 1])
        two = rotations == 2  # about x of frame a, then about y of frame b
        turn[two, 0] = np.arctan2(R[two, 2, 1], R[two, 1, 1])
        first = exponentials(turn)
        about_y = first[two].transpose(0, 2, 1) @ R[two]
        second = np.zeros_like(turn)
        second[two, 1] = np.arctan2(about_y[:, 0, 2], about_y[:, 0, 0])
        return PoseStack(r, np.where((rotations == 3)[:, None, None], R, first @ exponentials(second)))

    def _moved(self, between: PoseStack, amount: Floats) -> PoseStack:
        """The poses of frames b in frames a after displacements (k,) of slides [m] and rotations [rad]."""
        slid, before, after = np.zeros((3, len(self.tree), 3))
        for table, of in ((slid, self.slides), (before, self.about_a), (after, self.about_b)):
            table[self.owner[of], self.axis[of]] = amount[of]
        return PoseStack(between.r + slid, exponentials(before) @ between.R @ exponentials(after))

    def keep_distances_along(self, direction: Floats, eqs: Equations, within: float) -> bool:
        """Do all joints turn about a direction (3,) and slide across it, to within an angle [rad]?"""
        along = np.abs(self._axes(part_poses(eqs))[0] @ direction)
        off = np.where(self.slides, along, np.sqrt(np.maximum(0.0, 1.0 - along * along)))
        return bool((off <= within).all())

    def random_displacement(self, length: float, random: np.random.Generator) -> Floats:
        """d (k,) of rotations by up to half a turn and slides by up to a length [m]."""
        largest = np.where(self.slides, length / self.system.length, np.pi)
        return np.asarray(largest * random.uniform(-1.0, 1.0, len(self.scale)))

    def _frames(self, parts: PoseStack) -> tuple[PoseStack, PoseStack]:
        """The poses of frames a and b in the world."""
        a, b = np.where(self.reverse, (self.child, self.parent), (self.parent, self.child))
        return parts.at(a).then(self.frame_a), parts.at(b).then(self.frame_b)

    def _axes(self, parts: PoseStack) -> tuple[Floats, Floats]:
        """Of every coordinate: the axis (k, 3) in the sense of the child, and a point (k, 3) on it."""
        a, b = (frames.at(self.owner) for frames in self._frames(parts))
        R = np.where(self.about_b[:, None, None], b.R, a.R)
        axis = R[np.arange(self.size), :, self.axis]
        return np.where(self.reverse[self.owner, None], -axis, axis), b.r


def part_poses(eqs: Equations) -> PoseStack:
    """The poses of ground and of all bodies, which are rigid and spatial."""
    starts = np.array(eqs.system.body_q[:-1])[:, None]
    q = eqs.state.q[starts + np.arange(7)]
    bodies = PoseStack.from_quaternions(q[:, :3], q[:, 3:])
    return PoseStack(np.vstack([np.zeros((1, 3)), bodies.r]), np.concatenate([np.eye(3)[None], bodies.R]))


def body_poses(eqs: Equations) -> dict[str, Pose]:
    """The poses of all bodies by name."""
    parts = part_poses(eqs)
    return {body.name: parts.one(k) for k, body in enumerate(eqs.system.model.bodies, 1)}


def with_body_poses(eqs: Equations, bodies: PoseStack) -> Equations:
    """The equations at rest in other poses of all bodies."""
    system, t, q = eqs.system, eqs.state.t, np.array(eqs.state.q)
    quaternions = [quaternion_from_axes(axes) for axes in bodies.R.transpose(0, 2, 1).tolist()]
    q[np.array(system.body_q[:-1])[:, None] + np.arange(7)] = np.hstack([bodies.r, np.reshape(quaternions, (-1, 4))])
    return equations(system, State(t, with_counted_turns(system, t, q), np.zeros(system.n)))
