"""Drives as one more variable: their path from an instant on, and the constraints along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.singular.scaled_matrix import in_metres, weights
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

TURNING = 1e-9  # of the characteristic length: drives this near to a turning point of theirs stand still
FOLLOWED = 1e-6  # part of their path that admissible velocities may miss


@dataclass(frozen=True, slots=True, eq=False)
class DrivePath:
    """What drives prescribe near an instant t₀ as a function of their arc length s: Φ(q, t₀) = s d + ½ s² κ.

    s [m] is the arc of all drives together; where they turn back, see ``path``.
    """

    d: Floats  # (m,) of unit length or zero, rows in metres
    kappa: Floats  # (m,) [1/m]
    rate: float  # ds/dt [m/s] at t₀

    def at(self, s: float) -> DrivePath:
        """The same way from a place further on."""
        return DrivePath(self.d + s * self.kappa, self.kappa, self.rate)


def path(system: System, state: State) -> DrivePath | None:
    """The path of the drives from the instant of a state on: Φ = s(q) − f(t); None where no drive moves.

        d = ḟ/|ḟ|,   κ = f̈/|ḟ|² at right angles to d,   ds/dt = |ḟ|

    Where drives turn back, ḟ = 0, the pose beside goes with their way, d = f̈/|f̈|, if velocities can follow it; else
    with time, s = √(|f̈| L) (t − t₀), d = 0 and κ = f̈/(|f̈| L), as at a dead centre that a drive just reaches.
    """
    rows, _ = weights(system)
    eqs = equations(system, State(state.t, state.q, np.zeros(system.n)))
    first, second = rows * eqs.nu, rows * eqs.Gamma
    speed, bend, length = float(np.linalg.norm(first)), float(np.linalg.norm(second)), system.length
    if speed**2 > TURNING * length * bend:
        d = first / speed
        return DrivePath(d, (second - d * (d @ second)) / speed**2, speed)
    if not bend:
        return None
    C, d = in_metres(eqs), second / bend
    followed = np.linalg.norm(C @ np.linalg.lstsq(C, d, rcond=ZERO_PIVOT)[0] - d) < FOLLOWED
    return (
        DrivePath(d, np.zeros(system.m), 0.0)
        if followed
        else DrivePath(0 * d, d / length, float(np.sqrt(bend * length)))
    )


def along_path(eqs: Equations, way: DrivePath | None, s: float = 0.0) -> tuple[Floats, Floats]:
    """[C, −d − s κ] (m, n + 1) and the residual Φ − s d − ½ s² κ (m,), in metres; C and Φ without a path."""
    rows, _ = weights(eqs.system)
    C, Phi = in_metres(eqs), rows * eqs.Phi
    if way is None:
        return C, Phi
    return np.hstack([C, -(way.d + s * way.kappa)[:, None]]), Phi - s * way.d - 0.5 * s * s * way.kappa
