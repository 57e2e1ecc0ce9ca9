"""Passive freedoms: motions of one body inside a mechanism that nothing else takes notice of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.pose import seen
from reactio.linear.pivoted import CUT
from reactio.singular.follow import is_tangent
from reactio.singular.metres import in_metres
from reactio.singular.spaces import Spaces, at_rest
from reactio.system.equations import equations
from reactio.system.types import System

SPIN, SLIDE, ALONE = "spin about own axis", "slide along own axis", "moves alone"
DOES = {SPIN: "spins about its own axis", SLIDE: "slides along its own axis", ALONE: "moves alone"}
ON_AXIS = 1e-6  # of the characteristic length


@dataclass(frozen=True, slots=True, eq=False)
class Passive:
    """A freedom of one body between others."""

    body: str
    kind: str
    velocity: Floats  # (n,)

    @property
    def words(self) -> str:
        """``link1 spins about its own axis``."""
        return f"{self.body} {DOES[self.kind]}"


def passive_freedoms(at: Spaces) -> tuple[Passive, ...]:
    """The motions in null(C) that move a single body which connects others: null(C_b) of its columns.

    A body that hangs on one other only, as a pendulum or a door, moves alone too; that is its purpose and no passive
    freedom.
    """
    system, pose = at.system, at_rest(at.system, at.state)
    C = in_metres(equations(system, pose))
    found = []
    for b, body in enumerate(system.model.bodies):
        if len(_neighbours(system, b)) < 2:
            continue
        own = slice(int(system.body_v[b]), int(system.body_v[b + 1]))
        for part in _null(C[:, own]).T:
            x = np.zeros(system.n)
            x[own] = part
            if is_tangent(at, x):
                v = at.velocities(x)
                found.append(Passive(body.name, _kind(at, b, v), v))
    return tuple(found)


def _null(C: Floats) -> Floats:
    _, s, Vt = np.linalg.svd(C, full_matrices=True)
    return np.asarray(Vt[int((s > CUT * max(float(s.max(initial=0.0)), 1e-300)).sum()) :].T)


def _neighbours(system: System, b: int) -> set[int]:
    """The bodies, −1 for ground, that joints and couplings tie a body to."""
    tied = (set(group.bodies) for group in system.groups if group.kind != "drive" and b in group.bodies)
    return {other for bodies in tied for other in bodies if other != b}


def _kind(at: Spaces, b: int, moved: Floats) -> str:
    """A rotation about a line that holds all joints of the body, a translation, or something else."""
    system = at.system
    body = seen(system, b, at.state.q, moved)
    v, w, size = body.velocity, body.angular_velocity, len(body.velocity)
    if not np.any(np.abs(w) * system.length > CUT):
        return SLIDE
    if size == 2:
        return ALONE
    F = equations(system, at_rest(system, at.state)).work.F
    r = body.position
    frames = [g.frames[g.bodies.index(b)] for g in system.groups if g.frames is not None and b in g.bodies]
    still = [np.linalg.norm(v + np.cross(w, F[k, :3] - r)) <= ON_AXIS * system.length for k in frames]
    return SPIN if all(still) else ALONE
