"""A spanning tree of the joints: what simulators of trees need, and the joints that are cut."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from reactio.exporters.world import Placed, placed
from reactio.model.model import Model
from reactio.places import GROUND

# Joints that no simulator can close a loop with are kept in the tree first; those that are easily cut come last.
COST = {
    "prismatic": 0,
    "cylindrical": 0,
    "universal": 0,
    "planar": 0,
    "screw": 0,
    "revolute": 1,
    "spherical": 2,
    "fixed": 3,
}
OTHERS = 4
COUNTED = -1  # joints that couplings count: only coordinates of the tree can be coupled


@dataclass(frozen=True, slots=True, eq=False)
class TreeBranch:
    """A body, its parent in the tree and the joint between them; no joint where the body floats."""

    body: str
    parent: str
    by: Placed | None


@dataclass(slots=True, eq=False)
class SpanningTree:
    """Bodies in an order in which parents come first, and the joints that close loops."""

    branches: list[TreeBranch] = field(default_factory=list)
    cut: list[Placed] = field(default_factory=list)


def spanning_tree(model: Model, in_tree: frozenset[str]) -> SpanningTree:
    """Grow from ground, cheapest joints first; joints of other types than ``in_tree`` are always cut."""
    joints = list(placed(model))
    beside: dict[str, list[int]] = {}
    for k, one in enumerate(joints):
        for name in (one.joint.a.body, one.joint.b.body):
            beside.setdefault(name, []).append(k)
    counted = {along.joint for coupling in model.couplings for along in coupling.along}
    costs = [COUNTED if one.joint.name in counted else COST.get(one.joint.type, OTHERS) for one in joints]
    tree, reached, used = SpanningTree(), {GROUND}, set[int]()
    for root in (GROUND, *(body.name for body in model.bodies)):
        if root not in reached:
            tree.branches.append(TreeBranch(root, GROUND, None))
            reached.add(root)
        queue = [(costs[k], k, root) for k in beside.get(root, ())]
        heapq.heapify(queue)
        while queue:
            _, k, here = heapq.heappop(queue)
            one = joints[k]
            there = one.joint.b.body if one.joint.a.body == here else one.joint.a.body
            if there in reached or one.joint.type not in in_tree:
                continue
            reached.add(there)
            used.add(k)
            tree.branches.append(TreeBranch(there, here, one))
            for other in beside[there]:
                heapq.heappush(queue, (costs[other], other, there))
    tree.cut = [one for k, one in enumerate(joints) if k not in used]
    return tree
