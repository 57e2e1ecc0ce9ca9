"""Groups of bodies that exactly two joints connect to the rest of a mechanism, and their motions as one rigid body."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import GroupKind
from reactio.kinematics.body_state import body_state
from reactio.space.twists import twist_at
from reactio.system.types import RowGroup, State, System
from reactio.topology.biconnected import biconnected
from reactio.topology.components import connected
from reactio.topology.edges import edges_of


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
    owner, a, b = edges_of([g.bodies for g in joints], ground)
    separated: set[tuple[int, ...]] = set()
    for first in range(len(joints)):
        others = owner != first
        label = biconnected(ground + 1, a[others], b[others])
        is_bridge = np.bincount(label, minlength=1)[label] == 1
        for second in {int(k) for k in owner[others][is_bridge] if k > first}:
            kept = others & (owner != second)
            component = connected(ground + 1, a[kept], b[kept])
            labels = set(component.tolist()) - {int(component[ground])}
            separated |= {tuple(np.flatnonzero(component == k).tolist()) for k in labels}
    clusters = (members for members in separated if len(members) > 1 and len(connecting_groups(system, members)) == 2)
    return sorted(clusters, key=lambda members: (len(members), members))


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
        of_body = slice(int(system.body_v[b]), int(system.body_v[b + 1]))
        intrinsic = [
            C[g.start : g.stop, of_body] for g in system.groups if g.kind == GroupKind.INTRINSIC and b in g.bodies
        ]
        twist_matrix = _twist_matrix(system, state, b)
        rows = np.vstack([twist_matrix, *intrinsic])
        twists = twist_at(places[b] - middle)[: len(twist_matrix)]  # a point has no angular velocity
        wanted = np.vstack([twists, *(np.zeros((len(part), K.shape[1])) for part in intrinsic)])
        K[of_body] = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return K


def _twist_matrix(system: System, state: State, b: int) -> Floats:
    """The matrix (3 or 6, k; 2 or 3 of a point) from the k velocities of a body to velocity and angular velocity."""
    places = np.arange(int(system.body_v[b]), int(system.body_v[b + 1]))
    columns = []
    for j in places:
        unit = np.zeros(system.n)
        unit[j] = 1.0
        motion = body_state(system, b, state.q, unit)
        columns.append(np.concatenate([motion.velocity, motion.angular_velocity]))
    return np.array(columns).T
