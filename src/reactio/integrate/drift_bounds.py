"""Bounds on the drift of constraints that a run guarantees, checked at every row and at its end.

    |Φ| ≤ max(limit, tol),    |C v − ν| ≤ max(1e-8, tol) (1 + |v|)    [characteristic lengths, rad; per second]

``limit`` is the residual that the projection accepts: 1e-8, or ten times the residual of the start where that is more.
Formulations that let constraints drift, as Baumgarte's does, state their bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.projection.drift import Drift
from reactio.integrate.projection.project import LARGEST_UNSOLVED_PART
from reactio.integrate.status import Status
from reactio.system.equations import equations
from reactio.system.types import State, System

REACHED_END = (Status.DONE, Status.EVENT, Status.RESTING)  # statuses of runs that reached the end that was asked for


class DriftBounds(NamedTuple):
    """The largest violations that a run may end with."""

    position: float  # |Φ| [characteristic lengths, rad]
    velocity: float  # |C v − ν| over 1 + |v| [characteristic lengths/s, rad/s]

    def holds(self, drift: Drift) -> bool:
        """Is a drift within the bounds?  NaN is not."""
        return drift.scaled_position <= self.position and drift.scaled_velocity <= self.velocity


def drift_bounds(tol: float, drift: float, limit: float, sprung: bool = False) -> DriftBounds:
    """The bounds of a run with a tolerance, the drift of its formulation (0 for projections) and its position limit.

    Springs in place of constraints open at a speed of their own: how far they open is bounded alone.
    """
    if drift > 0.0:
        return DriftBounds(max(drift, limit), np.inf if sprung else drift)
    return DriftBounds(max(limit, tol), max(LARGEST_UNSOLVED_PART, tol))


def bounds_of(options: IntegrationOptions, limit: float) -> DriftBounds:
    """The bounds of a run with its options and the limit of its projections."""
    return drift_bounds(options.tol, options.by.drift, limit, options.by.stiffness is not None)


def checked_status(status: Status, drift: Drift, promised: DriftBounds) -> Status:
    """The status of a run; DRIFTED instead of an end that was reached with a drift beyond its bounds."""
    return Status.DRIFTED if status in REACHED_END and not promised.holds(drift) else status


def worst_drift(system: System, t: Floats, q: Floats, v: Floats, promised: DriftBounds) -> str:
    """A sentence about the largest violation of the bounds: when, which constraint, by how much."""
    largest_ratio, words = 0.0, ""
    for state in map(State, t.tolist(), q, v):
        eqs = equations(system, state)
        speed = 1.0 + float(np.abs(state.v / system.column_scale).max(initial=0.0))
        for residual, allowed, per in (
            (eqs.Phi, promised.position * system.row_scale, ""),
            (eqs.C @ state.v - eqs.nu, promised.velocity * speed * system.row_scale, "/s"),
        ):
            ratio = np.abs(residual) / allowed
            row = int(np.argmax(np.where(np.isfinite(ratio), ratio, np.inf)))
            if not ratio[row] <= largest_ratio:
                group = next(g for g in system.groups if g.start <= row < g.stop)
                unit = group.units[row - group.start] + per
                largest_ratio = ratio[row] if np.isfinite(ratio[row]) else np.inf
                words = (
                    f"At t = {state.t:.6g} s {group.kind} '{group.name}' is off by "
                    f"{quantity(abs(residual[row]), unit, 3)}; {quantity(allowed[row], unit, 3)} is promised."
                )
    return f"{words} Do not use this state: try another method (radau5), tolerance or end time."
