"""Passive freedoms: motions of a body, or of a group of bodies, that move no other body of the mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats
from reactio.kinematics.body_state import body_state
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.singular.clusters import between, leading_out, rigid_motions
from reactio.singular.scaled_matrix import in_metres, weights
from reactio.singular.second_order.null_spaces import NullSpaces, at_rest
from reactio.singular.second_order.tangency import is_tangent
from reactio.singular.words import listing
from reactio.system.equations import equations
from reactio.system.types import RowGroup, System


class PassiveKind(StrEnum):
    """How bodies with a passive freedom move."""

    SPIN = "spin about own axis"  # about a line that holds all joints which lead out
    SLIDE = "slide along own axis"  # without turning
    ALONE = "moves alone"  # in another way


DOES = {
    PassiveKind.SPIN: "spins about its own axis",
    PassiveKind.SLIDE: "slides along its own axis",
    PassiveKind.ALONE: "moves alone",
}
TOGETHER = {
    PassiveKind.SPIN: "spin together about the line through",
    PassiveKind.SLIDE: "slide together between",
    PassiveKind.ALONE: "move together between",
}
ON_AXIS = 1e-6  # of the characteristic length
NEW = 1e-6  # part of a unit motion that must be no combination of others


@dataclass(frozen=True, slots=True, eq=False)
class Passive:
    """A freedom of one body between others, or of several that move as one."""

    bodies: tuple[str, ...]
    joints: tuple[str, ...]  # that lead out
    kind: PassiveKind
    velocity: Floats  # (n,)

    @property
    def body(self) -> str:
        """``link1``, or ``link1 and link2``."""
        return listing(self.bodies)

    @property
    def words(self) -> str:
        """``link1 spins about its own axis``; ``link1 and link2 spin together about the line through A and B``."""
        if len(self.bodies) == 1:
            return f"{self.body} {DOES[self.kind]}"
        return f"{self.body} {TOGETHER[self.kind]} {listing(self.joints)}"


def passive_freedoms(at: NullSpaces) -> tuple[Passive, ...]:
    """The motions in null(C) of a body that connects others, null(C_b) of its columns, and of several as one body.

    A body that hangs on one other only, as a pendulum or a door, moves alone too; that is its purpose and no passive
    freedom.  Several bodies move as one between the two joints that cut them out of the mechanism.
    """
    system = at.system
    C = in_metres(equations(system, at_rest(system, at.state)))
    singles = [(b,) for b in range(len(system.model.bodies))]
    found: list[Passive] = []
    known = np.zeros((system.n, 0))
    for members in [*singles, *between(system)]:
        out = leading_out(system, members)
        for x in (_own if len(members) == 1 else _common)(at, C, members).T:
            rest = x - known @ (known.T @ x)
            if np.linalg.norm(rest) < NEW:
                continue
            known = np.column_stack([known, rest / np.linalg.norm(rest)])
            v = at.velocities(x)
            kind = _kind(at, members, out, v)
            if _connects(system, members, out, kind) and is_tangent(at, x):
                names = tuple(system.model.bodies[b].name for b in members)
                found.append(Passive(names, tuple(g.name for g in out), kind, v))
    return tuple(found)


def _own(at: NullSpaces, C: Floats, members: tuple[int, ...]) -> Floats:
    """Motions (n, k) of one body alone."""
    (b,) = members
    own = slice(int(at.system.body_v[b]), int(at.system.body_v[b + 1]))
    part = _null(C[:, own])
    X = np.zeros((at.system.n, part.shape[1]))
    X[own] = part
    return X


def _common(at: NullSpaces, C: Floats, members: tuple[int, ...]) -> Floats:
    """Motions (n, k) of several bodies as one."""
    _, columns = weights(at.system)
    K = rigid_motions(at.system, at.state, members) / columns[:, None]
    X = K @ _null(C @ K)
    return np.asarray(X / np.linalg.norm(X, axis=0))


def _null(C: Floats) -> Floats:
    _, s, Vt = np.linalg.svd(C, full_matrices=True)
    return np.asarray(Vt[int((s > ZERO_PIVOT * max(float(s.max(initial=0.0)), 1e-300)).sum()) :].T)


def _connects(system: System, members: tuple[int, ...], out: list[RowGroup], kind: PassiveKind) -> bool:
    """Do bodies connect others, or rotate between joints on one other body, none of them the hinge of that rotation?"""
    others = {b for g in out for b in g.bodies if b not in members}
    loose = len(out) > 1 and all(6 - (g.stop - g.start) > 1 for g in out)
    return len(others) > 1 or (kind is PassiveKind.SPIN and loose)


def _kind(at: NullSpaces, members: tuple[int, ...], out: list[RowGroup], moved: Floats) -> PassiveKind:
    """A rotation about a line that holds all joints that lead out, a translation, or something else."""
    system = at.system
    body = body_state(system, members[0], at.state.q, moved)
    v, w, size = body.velocity, body.angular_velocity, len(body.velocity)
    if not np.any(np.abs(w) * system.length > ZERO_PIVOT):
        return PassiveKind.SLIDE
    if size == 2:
        return PassiveKind.ALONE
    F = equations(system, at_rest(system, at.state)).work.F
    r = body.position
    ends = [(g.frames, g.bodies.index(next(b for b in g.bodies if b in members))) for g in out]
    frames = [pair[k] for pair, k in ends if pair is not None]
    still = [np.linalg.norm(v + np.cross(w, F[k, :3] - r)) <= ON_AXIS * system.length for k in frames]
    return PassiveKind.SPIN if all(still) else PassiveKind.ALONE
