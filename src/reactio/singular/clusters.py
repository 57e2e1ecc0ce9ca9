"""Groups of bodies that exactly two joints connect to the rest of a mechanism, and their motions as one rigid body."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import GroupKind
from reactio.kinematics.body_state import body_state
from reactio.system.types import RowGroup, State, System
from reactio.uniqueness.graph import biconnected


def leading_out(system: System, members: tuple[int, ...]) -> list[RowGroup]:
    """The joints and couplings, but not the drives, that connect some bodies with the others."""
    inside = set(members)
    connecting = (g for g in system.groups if g.kind not in (GroupKind.DRIVE, GroupKind.INTRINSIC))
    return [g for g in connecting if inside.intersection(g.bodies) and not inside.issuperset(g.bodies)]


def between(system: System) -> list[tuple[int, ...]]:
    """Every set of two bodies or more that exactly two joints connect to the rest of the mechanism, small ones first.

    Once the first of the two joints is removed, the second is in no loop.
    """
    ground = len(system.model.bodies)
    joints = [g for g in system.groups if g.kind not in (GroupKind.DRIVE, GroupKind.INTRINSIC) and len(g.bodies) > 1]
    edges = [(k, a, b) for k, g in enumerate(joints) for a, b in _ring([ground if b < 0 else b for b in g.bodies])]
    found: set[tuple[int, ...]] = set()
    for first in range(len(joints)):
        left = np.array([edge for edge in edges if edge[0] != first], dtype=np.int64).reshape(-1, 3)
        label = biconnected(ground + 1, left[:, 1].copy(), left[:, 2].copy())
        alone = np.bincount(label, minlength=1)[label] == 1 if len(label) else np.zeros(0, dtype=bool)
        for second in {int(k) for k in left[alone, 0] if k > first}:
            found |= _cut_out(ground, edges, {first, second})
    kept = (members for members in found if len(members) > 1 and len(leading_out(system, members)) == 2)
    return sorted(kept, key=lambda members: (len(members), members))


def _ring(nodes: list[int]) -> list[tuple[int, int]]:
    """Pairs of neighbours, closed to a ring for more than two."""
    return list(zip(nodes, [*nodes[1:], nodes[0]], strict=True))[: 1 if len(nodes) == 2 else None]


def _cut_out(ground: int, edges: list[tuple[int, int, int]], without: set[int]) -> set[tuple[int, ...]]:
    """The connected parts of the mechanism that do not contain ground, once some joints are removed."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = np.array([(a, b) for k, a, b in edges if k not in without], dtype=np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(ground + 1, ground + 1))
    label = connected_components(graph, directed=False)[1]
    return {tuple(np.flatnonzero(label == k).tolist()) for k in set(label.tolist()) - {label[ground]}}


def rigid_motions(system: System, state: State, members: tuple[int, ...]) -> Floats:
    """Velocities (n, 3 or 6) of some bodies moving as one: translations along the axes, rotations about their middle.

    Of bodies whose velocities are no twists: those that satisfy their intrinsic rows and have the given twist.
    """
    from reactio.system.equations import equations

    rest = np.zeros(system.n)
    places = {b: body_state(system, b, state.q, rest).position for b in members}
    middle = np.mean(list(places.values()), axis=0)
    C = equations(system, State(state.t, state.q, rest)).C.toarray()
    K = np.zeros((system.n, 3 if system.space == "planar" else 6))
    for b in members:
        own = slice(int(system.body_v[b]), int(system.body_v[b + 1]))
        inner = [C[g.start : g.stop, own] for g in system.groups if g.kind == GroupKind.INTRINSIC and b in g.bodies]
        held = np.vstack([_twists(system, state, b), *inner])
        wanted = np.vstack([_carried(places[b] - middle), *(np.zeros((len(part), K.shape[1])) for part in inner)])
        K[own] = np.linalg.lstsq(held, wanted, rcond=None)[0]
    return K


def _twists(system: System, state: State, b: int) -> Floats:
    """Velocity and angular velocity of a body by its own velocities (3 or 6, columns)."""
    own = np.arange(int(system.body_v[b]), int(system.body_v[b + 1]))
    columns = []
    for j in own:
        unit = np.zeros(system.n)
        unit[j] = 1.0
        one = body_state(system, b, state.q, unit)
        columns.append(np.concatenate([one.velocity, one.angular_velocity]))
    return np.array(columns).T


def _carried(r: Floats) -> Floats:
    """The twist at r of unit twists at the origin: v + ω × r, ω."""
    if len(r) == 2:
        return np.array([[1.0, 0.0, -r[1]], [0.0, 1.0, r[0]], [0.0, 0.0, 1.0]])
    x, y, z = r
    turned = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
    return np.block([[np.eye(3), turned], [np.zeros((3, 3)), np.eye(3)]])
