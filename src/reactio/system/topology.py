"""The graph of bodies and joints: loops, bridges, blocks, and the count of Grübler and Kutzbach."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Ints
from reactio.catalogue.places import GROUND
from reactio.constraint_matrix import GroupKind
from reactio.model.model import Model
from reactio.system.types import RowGroup, System, require_system
from reactio.topology.biconnected import biconnected
from reactio.topology.components import connected
from reactio.topology.edges import edges_of


@dataclass(frozen=True, slots=True)
class Topology:
    """The connectivity of a mechanism; drives do not count as connections."""

    bodies: int  # moving bodies
    connections: int  # joints, nonholonomic contacts and couplings
    parts: int  # connected components, that of ground included
    loops: int  # independent loops of joints: edges − nodes + parts; couplings close none
    bridges: tuple[str, ...]  # joints in no loop
    blocks: tuple[tuple[str, ...], ...]  # joints that share loops, largest block first
    gruebler: int  # Grübler–Kutzbach: n − m, every equation counted


def topology(system: System) -> Topology:
    """The topology of a system.

    >>> import reactio
    >>> topology(reactio.build(reactio.load("double-four-bar"))).loops
    2
    """
    require_system(system)
    groups = [g for g in system.groups if g.kind not in (GroupKind.DRIVE, GroupKind.INTRINSIC)]
    nodes = len(system.model.bodies) + 1
    owner, u, v = edges_of([g.bodies for g in groups], nodes - 1)
    component = biconnected(nodes, u, v)
    two = np.isin(owner, [k for k, g in enumerate(groups) if g.kind != GroupKind.COUPLING])
    parts = int(connected(nodes, u[two], v[two]).max()) + 1
    blocks = _blocks(groups, owner, component)
    return Topology(
        bodies=nodes - 1,
        connections=len(groups),
        parts=parts,
        loops=int(two.sum()) - nodes + parts,
        bridges=tuple(block[0] for block in blocks if len(block) == 1 and _is_bridge(block[0], system)),
        blocks=tuple(block for block in blocks if len(block) > 1 or not _is_bridge(block[0], system)),
        gruebler=system.n - system.m,
    )


def _is_bridge(name: str, system: System) -> bool:
    """A coupling of three or more bodies is a loop of its own."""
    return len(system.group(name).bodies) <= 2


def _blocks(groups: list[RowGroup], owner: Ints, component: Ints) -> list[tuple[str, ...]]:
    """Names of the groups of each biconnected component, the largest first."""
    members: dict[int, dict[str, None]] = {}
    for k, part in zip(owner.tolist(), component.tolist(), strict=True):
        members.setdefault(part, {})[groups[k].name] = None
    return sorted((tuple(names) for names in members.values()), key=len, reverse=True)


def loops(model: Model) -> tuple[tuple[str, ...], ...]:
    """Independent loops as sequences of joints: each joint outside a spanning tree closes one.

    The tree grows breadth first from ground, so that the loops are short.
    """
    ends = {j.name: (j.a.body, j.b.body) for j in model.joints}
    at: dict[str, list[str]] = {}
    for name, pair in ends.items():
        for body in pair:
            at.setdefault(body, []).append(name)
    trail: dict[str, tuple[str, ...]] = {}
    closing: dict[str, tuple[str, ...]] = {}
    for root in [GROUND, *(b.name for b in model.bodies)]:
        if root in trail:
            continue
        trail[root] = ()
        queue = deque([root])
        while queue:
            body = queue.popleft()
            for name in at.get(body, ()):
                a, b = ends[name]
                neighbour = b if a == body else a
                if neighbour not in trail:
                    trail[neighbour] = (*trail[body], name)
                    queue.append(neighbour)
                elif name not in closing and trail[neighbour][-1:] != (name,) and trail[body][-1:] != (name,):
                    closing[name] = _loop(trail[body], name, trail[neighbour])
    return tuple(closing.values())


def _loop(outward: tuple[str, ...], closing: str, back: tuple[str, ...]) -> tuple[str, ...]:
    """The path outward, the closing joint, and the path back, without the joints that both share."""
    shared = 0
    while shared < min(len(outward), len(back)) and outward[shared] == back[shared]:
        shared += 1
    return (*outward[shared:], closing, *reversed(back[shared:]))
