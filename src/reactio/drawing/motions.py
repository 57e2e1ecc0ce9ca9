"""Admissible motions shown by displaced poses: the pose moved a short distance along the columns of T."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.frames import origins, placed
from reactio.errors import ReactioError, listed
from reactio.kinematics.assemble import closed_pose
from reactio.kinematics.body_state import elastic_coordinates
from reactio.linear.precision import LOCATED
from reactio.results.as_data import Result
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State
from reactio.uniqueness import Solvability
from reactio.uniqueness.explain import localised

LEAST_REAL_PART = 0.2  # of a displacement, which closing the joints leaves of a real motion; it undoes all of others
SHOWN_POSITIONS = 5  # of each motion, from one end of it to the other
REACH = 0.22  # largest displacement that is shown [characteristic lengths]


class TurningAxis(StrEnum):
    """The axis about which a single body turns, through its joints."""

    OWN = "own"  # its centre of mass is on it
    JOINTS = "joints"


@dataclass(frozen=True, slots=True, eq=False)
class AdmissibleMotion(Result):
    """One of a basis of the admissible motions."""

    KEYS = "bodies real words"

    bodies: tuple[str, ...]  # that move
    frames: Floats  # (steps, k, 12) from one side through the pose to the other
    real: bool  # every position closes all joints; else the motion is infinitesimal only
    axis: TurningAxis | None  # where a single body turns about the line through its joints
    bends: bool = False  # does a body bend in it?

    @property
    def words(self) -> str:
        """``rod spins about its own axis``, ``door turns about its joints``, ``crank, rocker move``."""
        if self.axis:
            about = "spins about its own axis" if self.axis is TurningAxis.OWN else "turns about its joints"
            return f"{self.bodies[0]} {about}"
        one, many = ("bends", "move and bend") if self.bends else ("moves", "move")
        return f"{listed(self.bodies, most=6)} {many if len(self.bodies) > 1 else one}"


def admissible_motions(eqs: Equations, answer: Solvability, most: int = 8) -> list[AdmissibleMotion]:
    """Positions along a localised basis of null(C): few bodies move in each.

    Each is q advanced by s T_k and then assembled: where that leads back to the start, T_k is only infinitesimal.
    """
    system = eqs.system
    if not answer.mobility:
        return []
    owner = np.searchsorted(system.body_v, np.arange(system.n), side="right") - 1
    scale = system.column_scale
    counts = [len(elastic_coordinates(system, b)) for b in range(len(system.model.bodies))]
    elastic = [k for count, end in zip(counts, system.body_v[1:], strict=True) for k in range(end - count, end)]
    motions = []
    for column in localised(answer.T / scale[:, None], owner).T[:most]:
        d = REACH / np.abs(column).max() * scale * column
        moving = np.unique(owner[np.abs(column) > LOCATED * np.abs(column).max()])
        shown = [_position(eqs, s * d) for s in np.linspace(-1.0, 1.0, SHOWN_POSITIONS)]
        names = tuple(system.model.bodies[int(b)].name for b in moving)
        frames = np.array([f for f, _ in shown])
        axis = _axis(eqs, int(moving[0]), column, frames) if len(names) == 1 else None
        bends = bool(np.abs(column[elastic]).max(initial=0.0) > LOCATED * np.abs(column).max())
        motions.append(AdmissibleMotion(names, frames, all(real for _, real in shown), axis, bends))
    return motions


def _axis(eqs: Equations, b: int, column: Floats, frames: Floats) -> TurningAxis | None:
    """The axis about which a single body turns; None where its joints move."""
    system = eqs.system
    moved = float(np.ptp(origins(frames[:, :-1]), axis=0).max(initial=0.0))
    if moved > LOCATED * system.length or len(frames[0]) < 2 or system.space == "planar":
        return None
    velocity = column[system.body_v[b] : system.body_v[b + 1]]
    travels = np.abs(velocity[np.array(system.column_units[system.body_v[b] : system.body_v[b + 1]]) == "m/s"])
    centre_moves = travels.max(initial=0.0) > LOCATED * np.abs(velocity).max()
    return TurningAxis.JOINTS if centre_moves else TurningAxis.OWN


def _position(eqs: Equations, d: Floats) -> tuple[Floats, bool]:
    """Frames (k, 12) after a displacement d (n,), and whether the joints close there."""
    system, state = eqs.system, eqs.state
    if not np.any(d):
        return placed(eqs), True
    q = advance(system, state.q, d)
    try:
        closed = closed_pose(system, state.t, q, restarts=0)
    except ReactioError:
        closed = state.q
    real = bool(np.abs(closed - state.q).max() >= LEAST_REAL_PART * np.abs(q - state.q).max())
    return placed(equations(system, State(state.t, closed if real else q, np.zeros(system.n)))), real
