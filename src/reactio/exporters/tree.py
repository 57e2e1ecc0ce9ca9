"""A spanning tree of the joints, which simulators in joint coordinates need, and the joints that are cut."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from reactio.catalogue.places import GROUND
from reactio.exporters.placed_joints import PlacedJoint, placed_joints
from reactio.model.model import Model

# The order in which joints are kept in the tree: first those that no simulator can close a loop with.
TREE_ORDER = {"revolute": 1, "spherical": 2, "fixed": 3}
OTHER_JOINTS = 0
COUPLED_JOINTS = -1  # kept in the tree first of all: only coordinates of the tree can be coupled


@dataclass(frozen=True, slots=True, eq=False)
class TreeBranch:
    """A body, its parent in the tree and the joint between them; no joint where the body floats."""

    body: str
    parent: str
    joint: PlacedJoint | None


@dataclass(slots=True, eq=False)
class SpanningTree:
    """Bodies in an order in which parents come first, and the joints that close loops."""

    branches: list[TreeBranch] = field(default_factory=list)
    cut: list[PlacedJoint] = field(default_factory=list)


def spanning_tree(model: Model, in_tree: frozenset[str]) -> SpanningTree:
    """The tree grown from ground, joints in ``TREE_ORDER``; joints of other types than ``in_tree`` are always cut."""
    joints = list(placed_joints(model))
    joints_of: dict[str, list[int]] = {}
    for k, placed in enumerate(joints):
        for name in (placed.joint.a.body, placed.joint.b.body):
            joints_of.setdefault(name, []).append(k)
    coupled = {along.joint for coupling in model.couplings for along in coupling.along}
    order = [
        COUPLED_JOINTS if placed.joint.name in coupled else TREE_ORDER.get(placed.joint.type, OTHER_JOINTS)
        for placed in joints
    ]
    tree, reached, used = SpanningTree(), {GROUND}, set[int]()
    for root in (GROUND, *(body.name for body in model.bodies)):
        if root not in reached:
            tree.branches.append(TreeBranch(root, GROUND, None))
            reached.add(root)
        queue = [(order[k], k, root) for k in joints_of.get(root, ())]
        heapq.heapify(queue)
        while queue:
            _, k, here = heapq.heappop(queue)
            placed = joints[k]
            neighbour = placed.joint.b.body if placed.joint.a.body == here else placed.joint.a.body
            if neighbour in reached or placed.joint.type not in in_tree:
                continue
            reached.add(neighbour)
            used.add(k)
            tree.branches.append(TreeBranch(neighbour, here, placed))
            for next_joint in joints_of[neighbour]:
                heapq.heappush(queue, (order[next_joint], next_joint, neighbour))
    tree.cut = [placed for k, placed in enumerate(joints) if k not in used]
    return tree
