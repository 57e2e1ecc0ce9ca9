"""Drives as one more variable: the arc length of their path from an instant on, and the constraints along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.kinematics.scaled_matrix import in_metres
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.linear.precision import GEOMETRY, LOCATED
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

# [characteristic lengths] Distance from a turning point, speed²/acceleration, below which drives count as standing
# still: far above rounding, and far below any distance at which a pose differs from that of the turning point.
TURNING_POINT_DISTANCE = GEOMETRY


@dataclass(frozen=True, slots=True, eq=False)
class DrivePath:
    """The motion that drives prescribe near an instant t₀, by their arc length s: Φ(q, t₀) = s d + ½ s² κ.

    s [m] is the arc length in the space of all drives; where they turn back, see ``drive_path``.
    """

    d: Floats  # (m,) of unit length or zero, rows in metres
    kappa: Floats  # (m,) [1/m]
    rate: float  # ds/dt [m/s] at t₀

    def at(self, s: float) -> DrivePath:
        """The same path, its arc length counted from s on."""
        return DrivePath(self.d + s * self.kappa, self.kappa, self.rate)


def drive_path(system: System, state: State) -> DrivePath | None:
    """The path of the drives from the instant of a state on: Φ = s(q) − f(t); None where no drive moves.

        d = ḟ/|ḟ|,   κ = f̈/|ḟ|² at right angles to d,   ds/dt = |ḟ|

    Where drives turn back, ḟ = 0, the pose is a function of their displacement, d = f̈/|f̈|, if velocities can follow
    it.  Otherwise, as at a dead centre that a drive just reaches, it is a function of time: s = √(|f̈| L) (t − t₀),
    d = 0 and κ = f̈/(|f̈| L), with L the characteristic length.
    """
    rows = system.length / system.row_scale
    eqs = equations(system, State(state.t, state.q, np.zeros(system.n)))
    first, second = rows * eqs.nu, rows * eqs.Gamma
    speed, acceleration, length = float(np.linalg.norm(first)), float(np.linalg.norm(second)), system.length
    if speed**2 > TURNING_POINT_DISTANCE * length * acceleration:
        d = first / speed
        return DrivePath(d, (second - d * (d @ second)) / speed**2, speed)
    if not acceleration:
        return None
    C, d = in_metres(eqs), second / acceleration
    followed = np.linalg.norm(C @ np.linalg.lstsq(C, d, rcond=ZERO_PIVOT)[0] - d) < LOCATED
    return (
        DrivePath(d, np.zeros(system.m), 0.0)
        if followed
        else DrivePath(0 * d, d / length, float(np.sqrt(acceleration * length)))
    )


def along_path(eqs: Equations, path: DrivePath | None, s: float = 0.0) -> tuple[Floats, Floats]:
    """[C, −d − s κ] (m, n + 1) and the residual Φ − s d − ½ s² κ (m,), in metres; C and Φ without a path."""
    rows = eqs.system.length / eqs.system.row_scale
    C, Phi = in_metres(eqs), rows * eqs.Phi
    if path is None:
        return C, Phi
    return np.hstack([C, -(path.d + s * path.kappa)[:, None]]), Phi - s * path.d - 0.5 * s * s * path.kappa
