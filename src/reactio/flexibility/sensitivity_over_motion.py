"""How much reactions depend on stiffnesses over a motion: at every instant ∂λ/∂ln k, and the largest of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.flexibility.sensitivity import Sensitivity, sensitivity
from reactio.kinematics.assemble import initial_state
from reactio.linear.precision import SOLUTION
from reactio.results.as_data import Result
from reactio.simulation.state_at import states_at
from reactio.system.types import System

SENSITIVITY_INSTANTS = 41  # of a motion, evenly spaced: smooth functions of the pose change little between them


@dataclass(frozen=True, eq=False)
class SensitivityOverMotion(Result):
    """∂F/∂ln k of largest magnitude over a motion, and its time, for every component and part."""

    SCHEMA = "reactio.sensitivity-over-motion/1"
    KEYS = "parts axes t by_stiffness=forces times"

    parts: tuple[str, ...]
    t: Floats  # (k,) instants that were looked at [s]
    forces: Mapping[str, Floats]  # joint → (6, parts) or (3, parts): slopes of largest magnitude, signed [N, N m]
    times: Mapping[str, Floats]  # joint → (6, parts) or (3, parts): when [s]
    axes: str  # joint or world


def sensitivity_over_motion(
    system: System, until: float, instants: int = SENSITIVITY_INSTANTS
) -> SensitivityOverMotion:
    """The largest slopes until a time [s], among those at ``instants``.

    >>> import reactio
    >>> door = reactio.build(reactio.load("door", hinges=2, bushings=1), vibration=False)
    >>> sensitivity_over_motion(door, 0.1, 3).parts
    ('hinge1', 'hinge2')
    """
    start = initial_state(system)
    if not until > start.t:
        raise ReactioError(f"The motion starts at t = {start.t:g} s: give a later end time.")
    t = np.linspace(start.t, until, instants)
    every = [sensitivity(system, state) for state in states_at(system, t, start)]
    if len({slopes.parts for slopes in every}) > 1:
        raise ReactioError("The parts that carry load change during this motion: ask for single instants (--at).")
    forces, times = {}, {}
    for name in every[0].forces:
        forces[name], times[name] = _largest(every, name, t)
    return SensitivityOverMotion(every[0].parts, t, forces, times, every[0].axes)


def _largest(every: list[Sensitivity], name: str, t: Floats) -> tuple[Floats, Floats]:
    """The slopes of a joint of largest magnitude over the instants, and their times."""
    slopes = np.array([sensitivity.forces[name] for sensitivity in every])
    size = np.abs(slopes)
    # The first of those that are equal but for rounding.
    row = (size >= (1 - SOLUTION) * size.max(axis=0)).argmax(axis=0)
    return np.take_along_axis(slopes, row[None], axis=0)[0], t[row]
