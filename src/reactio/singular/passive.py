"""Passive freedoms: motions of a body, or of a group of bodies, that move no other body of the mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats
from reactio.kinematics.body_state import body_state
from reactio.kinematics.scaled_matrix import in_metres
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.linear.precision import LOCATED
from reactio.singular.clusters import clusters_between_two_joints, connecting_groups, rigid_motions
from reactio.singular.second_order.null_spaces import NullSpaces, at_rest
from reactio.singular.words import listing
from reactio.system.equations import equations
from reactio.system.types import RowGroup, System


class PassiveKind(StrEnum):
    """How bodies with a passive freedom move."""

    SPIN = "spin about own axis"  # about a line that holds all joints which lead out
    SLIDE = "slide along own axis"  # without turning
    ALONE = "moves alone"  # in another way


PHRASE_OF_ONE = {
    PassiveKind.SPIN: "spins about its own axis",
    PassiveKind.SLIDE: "slides along its own axis",
    PassiveKind.ALONE: "moves alone",
}
PHRASE_OF_SEVERAL = {
    PassiveKind.SPIN: "spin together about the line through",
    PassiveKind.SLIDE: "slide together between",
    PassiveKind.ALONE: "move together between",
}


@dataclass(frozen=True, slots=True, eq=False)
class Passive:
    """A freedom of one body between others, or of several that move as one rigid body."""

    bodies: tuple[str, ...]
    joints: tuple[str, ...]  # that connect these bodies with the others
    kind: PassiveKind
    velocity: Floats  # (n,) [m/s, rad/s]

    @property
    def body(self) -> str:
        """``link1``, or ``link1 and link2``."""
        return listing(self.bodies)

    @property
    def words(self) -> str:
        """``link1 spins about its own axis``; ``link1 and link2 spin together about the line through A and B``."""
        if len(self.bodies) == 1:
            return f"{self.body} {PHRASE_OF_ONE[self.kind]}"
        return f"{self.body} {PHRASE_OF_SEVERAL[self.kind]} {listing(self.joints)}"


def passive_freedoms(at: NullSpaces) -> tuple[Passive, ...]:
    """The motions that C admits of one body while all others rest, or of a cluster of bodies moving as one.

        C_b v_b = 0 of one body b,   C K w = 0 of a cluster, K (n, 6) its motions as one rigid body

    A body that only one other carries, as a pendulum or a door, moves alone too; that is its purpose, not a passive
    freedom.  A cluster is connected to the rest of the mechanism by exactly two joints.
    """
    system = at.system
    C = in_metres(equations(system, at_rest(system, at.state)))
    singles = [(b,) for b in range(len(system.model.bodies))]
    freedoms: list[Passive] = []
    known = np.zeros((system.n, 0))
    for members in [*singles, *clusters_between_two_joints(system)]:
        connecting = connecting_groups(system, members)
        motions = _motions_alone(at, C, *members) if len(members) == 1 else _motions_as_one(at, C, members)
        for x in motions.T:
            part = x - known @ (known.T @ x)  # that is not a combination of motions found before
            if np.linalg.norm(part) < LOCATED:
                continue
            known = np.column_stack([known, part / np.linalg.norm(part)])
            v = at.velocities(x)
            kind = _kind(at, members, connecting, v)
            if _is_passive(system, members, connecting, kind):
                names = tuple(system.model.bodies[b].name for b in members)
                freedoms.append(Passive(names, tuple(g.name for g in connecting), kind, v))
    return tuple(freedoms)


def _motions_alone(at: NullSpaces, C: Floats, b: int) -> Floats:
    """Orthonormal motions (n, k) [metres] that C admits of one body while all others rest."""
    columns = slice(int(at.system.body_v[b]), int(at.system.body_v[b + 1]))
    part = _null(C[:, columns])
    X = np.zeros((at.system.n, part.shape[1]))
    X[columns] = part
    return X


def _motions_as_one(at: NullSpaces, C: Floats, members: tuple[int, ...]) -> Floats:
    """Orthonormal motions (n, k) [metres] that C admits of several bodies moving as one rigid body."""
    K = rigid_motions(at.system, at.state, members) / at.system.column_scale[:, None]
    U, s, _ = np.linalg.svd(K, full_matrices=False)
    basis = U[:, s > ZERO_PIVOT * s[0]]  # points on a line do not move where they turn about it
    return np.asarray(basis @ _null(C @ basis))


def _null(C: Floats) -> Floats:
    """An orthonormal basis of null(C)."""
    _, s, Vt = np.linalg.svd(C, full_matrices=True)
    rank = int((s > ZERO_PIVOT * s[0]).sum()) if s.size and s[0] > 0.0 else 0
    return np.asarray(Vt[rank:].T)


def _is_passive(system: System, members: tuple[int, ...], connecting: list[RowGroup], kind: PassiveKind) -> bool:
    """Is a motion of bodies a passive freedom, and not the purpose of a joint?

    It is where they connect two other bodies or more.  Where all joints lead to one other body, it is only where the
    bodies spin and every joint has further freedoms: a joint with that one rotation is a hinge, made for it.
    """
    others = {b for g in connecting for b in g.bodies if b not in members}
    no_hinge = len(connecting) > 1 and all(6 - (g.stop - g.start) > 1 for g in connecting)
    return len(others) > 1 or (kind is PassiveKind.SPIN and no_hinge)


def _kind(at: NullSpaces, members: tuple[int, ...], connecting: list[RowGroup], moved: Floats) -> PassiveKind:
    """A rotation about a line through all connecting joints, a translation, or another motion."""
    system = at.system
    states = [body_state(system, b, at.state.q, moved) for b in members]
    body = max(states, key=lambda state: len(state.angular_velocity))  # point masses have none
    v, w = body.velocity, body.angular_velocity
    if not np.any(np.abs(w) * system.length > ZERO_PIVOT):
        alike = all(np.linalg.norm(state.velocity - v) <= LOCATED * system.length for state in states)
        return PassiveKind.SLIDE if alike and len(w) else PassiveKind.ALONE
    if system.space == "planar":
        return PassiveKind.ALONE
    F = equations(system, at_rest(system, at.state)).work.F
    ends = [(g.frames, g.bodies.index(next(b for b in g.bodies if b in members))) for g in connecting]
    points = [F[frames[end], :3] for frames, end in ends if frames is not None]
    speeds = [float(np.linalg.norm(v + np.cross(w, point - body.position))) for point in points]
    on_axis = all(speed <= LOCATED * system.length for speed in speeds)
    return PassiveKind.SPIN if on_axis else PassiveKind.ALONE
