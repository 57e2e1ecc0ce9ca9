"""Groups of loops that close independently of each other: blocks of the graph of joints, joined by couplings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.importers.mechanism import ImportedJoint, Mechanism
from reactio.importers.pose import Pose
from reactio.topology.biconnected import biconnected
from reactio.topology.components import connected


@dataclass(frozen=True, slots=True, eq=False)
class LoopGroups:
    """The groups of joints that close on their own, and where each part hangs.

    A block is a set of joints on common loops, or one joint outside all loops.  Blocks have a single part in common,
    the root of the one farther from ground: they can move as if that part were ground.
    """

    mechanism: Mechanism
    groups: tuple[tuple[int, ...], ...]  # joints, by their number
    root_of_joint: tuple[str, ...]  # the root of the block of each joint
    root_of_part: dict[str, str]  # the root of the block that holds a part, parts near ground first

    def joints(self, group: Sequence[int]) -> list[ImportedJoint]:
        """The joints of a group."""
        return [self.mechanism.joints[k] for k in group]

    def part_of_mechanism(self, group: Sequence[int]) -> Mechanism:
        """The joints of a group with their parts and couplings; the roots of blocks are ground, in the given pose."""
        given = _poses(self.mechanism)
        joints = []
        for k in group:
            joint, root = self.mechanism.joints[k], self.root_of_joint[k]
            if joint.a == root:
                joint = replace(joint, a=GROUND, frame_a=given[root] @ joint.frame_a)
            if joint.b == root:
                joint = replace(joint, b=GROUND, frame_b=given[root] @ joint.frame_b)
            joints.append(joint)
        names, held = {joint.name for joint in joints}, {name for joint in joints for name in (joint.a, joint.b)}
        return replace(
            self.mechanism,
            parts=tuple(part for part in self.mechanism.parts if part.name in held),
            joints=tuple(joints),
            couplings=tuple(c for c in self.mechanism.couplings if joints_of(c.along) <= names),
        )

    def with_local_poses(self, local: dict[str, Pose]) -> Mechanism:
        """The mechanism with parts in new poses in the axes of their roots; the other parts move with these."""
        given = _poses(self.mechanism)
        pose = dict(given)
        for name, root in self.root_of_part.items():
            pose[name] = pose[root] @ (local[name] if name in local else given[root].inverse @ given[name])
        return replace(
            self.mechanism, parts=tuple(replace(part, pose=pose[part.name]) for part in self.mechanism.parts)
        )


def loop_groups(mechanism: Mechanism) -> LoopGroups:
    """The groups of loops of a mechanism."""
    index = {GROUND: 0} | {part.name: k for k, part in enumerate(mechanism.parts, 1)}
    u, v = (np.array([index[getattr(j, end)] for j in mechanism.joints], dtype=np.int64) for end in "ab")
    block = biconnected(len(index), u, v).tolist()
    members: dict[int, list[int]] = {}
    at: dict[str, dict[int, None]] = {name: {} for name in index}
    for k, (joint, number) in enumerate(zip(mechanism.joints, block, strict=True)):
        members.setdefault(number, []).append(k)
        at[joint.a][number] = at[joint.b][number] = None
    root_of_part: dict[str, str] = {}
    root_of_block: dict[int, str] = {}
    for start in index:
        pending = [start] if start not in root_of_part else []
        for current in pending:  # grows while it is walked
            for number in (each for each in at[current] if each not in root_of_block):
                root_of_block[number] = current
                ends = {end: None for k in members[number] for end in (mechanism.joints[k].a, mechanism.joints[k].b)}
                pending += [end for end in ends if end != current]
                root_of_part |= {end: current for end in ends if end != current}
    groups: dict[int, list[int]] = {}
    for k, number in enumerate(_joined(mechanism, block)):
        groups.setdefault(number, []).append(k)
    return LoopGroups(
        mechanism,
        tuple(tuple(each) for each in groups.values()),
        tuple(root_of_block[number] for number in block),
        root_of_part,
    )


def joints_of(along: Sequence[str]) -> set[str]:
    """The joints of coordinates ``joint.coordinate``."""
    return {text.partition(".")[0] for text in along}


def _joined(mechanism: Mechanism, block: list[int]) -> list[int]:
    """The group of each joint: its block, with those that couplings join to it."""
    number = {joint.name: k for joint, k in zip(mechanism.joints, block, strict=True)}
    pairs = [sorted(number[name] for name in joints_of(c.along)) for c in mechanism.couplings]
    first = np.array([numbers[0] for numbers in pairs for _ in numbers], dtype=np.int64)
    second = np.array([each for numbers in pairs for each in numbers], dtype=np.int64)
    group = connected(max(block, default=-1) + 1, first, second)
    return [int(group[k]) for k in block]


def _poses(mechanism: Mechanism) -> dict[str, Pose]:
    return {GROUND: Pose()} | {part.name: part.pose for part in mechanism.parts}
