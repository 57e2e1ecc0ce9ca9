"""Groups of bodies that exactly two joints connect to the rest of a mechanism, and their motions as one rigid body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import GroupKind
from reactio.kinematics.body_state import body_state
from reactio.space.twists import twist_at
from reactio.system.types import RowGroup, State, System
from reactio.uniqueness.graph import biconnected


class Edge(NamedTuple):
    """An edge of the graph of bodies: a joint between two of them."""

    joint: int
    a: int
    b: int


def connecting_groups(system: System, members: tuple[int, ...]) -> list[RowGroup]:
    """The joints and couplings, but not the drives, between some bodies and the rest of the mechanism."""
    inside = set(members)
    connecting = (g for g in system.groups if g.kind not in (GroupKind.DRIVE, GroupKind.INTRINSIC))
    return [g for g in connecting if inside.intersection(g.bodies) and not inside.issuperset(g.bodies)]


def clusters_between_two_joints(system: System) -> list[tuple[int, ...]]:
    """Every set of two bodies or more that exactly two joints connect to the rest of the mechanism, small ones first.

    Two such joints are found as pairs: with the first removed from the graph, the second is a bridge.
    """
    ground = len(system.model.bodies)
    joints = [g for g in system.groups if g.kind not in (GroupKind.DRIVE, GroupKind.INTRINSIC) and len(g.bodies) > 1]
    edges = [
        Edge(k, a, b)
        for k, g in enumerate(joints)
        for a, b in _neighbour_pairs([ground if b < 0 else b for b in g.bodies])
    ]
    found: set[tuple[int, ...]] = set()
    for first in range(len(joints)):
        joint, a, b = np.array([edge for edge in edges if edge.joint != first], dtype=np.int64).reshape(-1, 3).T
        label = biconnected(ground + 1, a.copy(), b.copy())
        is_bridge = np.bincount(label, minlength=1)[label] == 1 if len(label) else np.zeros(0, dtype=bool)
        for second in {int(k) for k in joint[is_bridge] if k > first}:
            found |= _components_without_ground(ground, edges, {first, second})
    clusters = (members for members in found if len(members) > 1 and len(connecting_groups(system, members)) == 2)
    return sorted(clusters, key=lambda members: (len(members), members))


def _neighbour_pairs(nodes: list[int]) -> list[tuple[int, int]]:
    """The pairs of bodies that a joint or coupling of two bodies or more connects: a ring where they are more."""
    if len(nodes) == 2:
        return [(nodes[0], nodes[1])]
    return list(zip(nodes, [*nodes[1:], nodes[0]], strict=True))


def _components_without_ground(ground: int, edges: list[Edge], without: set[int]) -> set[tuple[int, ...]]:
    """The connected components of the mechanism without some joints, except the one that contains ground."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = np.array([(one.a, one.b) for one in edges if one.joint not in without], dtype=np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(ground + 1, ground + 1))
    label = connected_components(graph, directed=False)[1]
    return {tuple(np.flatnonzero(label == k).tolist()) for k in set(label.tolist()) - {label[ground]}}


def rigid_motions(system: System, state: State, members: tuple[int, ...]) -> Floats:
    """Velocities (n, 3 or 6) of some bodies moving as one: translations along the axes, rotations about their middle.

    Where the velocities of a body are not its twist (natural coordinates), they are those that satisfy its intrinsic
    rows and give that twist.
    """
    from reactio.system.equations import equations

    rest = np.zeros(system.n)
    places = {b: body_state(system, b, state.q, rest).position for b in members}
    middle = np.mean(list(places.values()), axis=0)
    C = equations(system, State(state.t, state.q, rest)).C.toarray()
    K = np.zeros((system.n, system.sizes.twist))
    for b in members:
        own = slice(int(system.body_v[b]), int(system.body_v[b + 1]))
        intrinsic = [C[g.start : g.stop, own] for g in system.groups if g.kind == GroupKind.INTRINSIC and b in g.bodies]
        own_twist = _twist_matrix(system, state, b)
        rows = np.vstack([own_twist, *intrinsic])
        twists = twist_at(places[b] - middle)[: len(own_twist)]  # a point mass has no angular velocity
        wanted = np.vstack([twists, *(np.zeros((len(part), K.shape[1])) for part in intrinsic)])
        K[own] = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return K


def _twist_matrix(system: System, state: State, b: int) -> Floats:
    """The matrix (3 or 6, k) that maps the k velocities of a body to its velocity and angular velocity, if any."""
    own = np.arange(int(system.body_v[b]), int(system.body_v[b + 1]))
    columns = []
    for j in own:
        unit = np.zeros(system.n)
        unit[j] = 1.0
        one = body_state(system, b, state.q, unit)
        columns.append(np.concatenate([one.velocity, one.angular_velocity]))
    return np.array(columns).T
