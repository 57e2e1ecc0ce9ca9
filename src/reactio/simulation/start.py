"""Notes on the state at which a run begins."""

from __future__ import annotations

import numpy as np

from reactio.catalogue.units import quantity
from reactio.kinematics.assemble import AssemblyRecord
from reactio.linear.precision import SOLUTION
from reactio.system.types import State


def changed_velocities(given: State, record: AssemblyRecord) -> tuple[str, ...]:
    """A note where given velocities had to be changed, with the constraint that they violate most.

    Where none were given, a mechanism starts with those of its drives: that is not a change, and there is no note.
    """
    if not given.v.any():
        return ()
    if (
        record.velocity_change <= SOLUTION * max(1.0, float(np.abs(given.v).max(initial=0.0)))
        or record.violated is None
    ):
        return ()
    most = record.violated
    return (
        f"Initial velocities violate the constraints, most of all {most.constraint} by "
        f"{quantity(most.size, most.unit, 3)}; the nearest admissible ones in kinetic energy were taken, up to "
        f"{quantity(record.velocity_change, 'm/s', 3)} away.",
    )
