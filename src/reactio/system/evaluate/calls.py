"""Calls from one compilation unit into another: each is compiled once, for all systems.

The evaluation of a system goes through loops, one for each kind of body and one for each primitive.  Every such loop is
a unit of its own: a model compiles those of its own kinds and primitives, and a new kind compiles nothing but itself.
The evaluation as a whole, the integrators and the projections know them by where they lie in memory, which stands in
the plan of a system.
"""

# ``by_address`` is known to compiled kernels alone: they call the code at an address.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import os
from collections.abc import Callable
from enum import IntEnum

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel
from reactio.system.plan import Plan, Work


class Call(IntEnum):
    """Places in ``Plan.calls``."""

    PROCESS = 0  # the process in which the addresses hold
    POSITION_TERMS = 1
    VELOCITY_TERMS = 2


class LoopCall(IntEnum):
    """Places in ``Plan.loops``: loops for kinds of bodies, or for primitives (MEASURES, MEASURE_RATES).

    Of each, the address and the number of every kind or primitive that the model uses, and a zero behind the last.
    """

    POSES = 0
    MEASURES = 1
    MATRIX = 2
    VELOCITIES = 3
    MEASURE_RATES = 4
    BODY_LOADS = 5
    EFFORT_LOADS = 6
    FRAME_LOADS = 7
    ADVANCE = 8
    DISPLACEMENT_RATES = 9
    COORDINATE_RATES = 10


# Identifies this process: a plan may be sent to others, in which the addresses are not valid.
THIS_PROCESS = int.from_bytes(os.urandom(7), "big")

ADDRESS, NUMBER = range(2)  # columns of ``Plan.loops``

# Plain integers for the compiled kernels.
PROCESS, POSITION_TERMS, VELOCITY_TERMS = (int(call) for call in Call)
(
    POSES, MEASURES, MATRIX, VELOCITIES, MEASURE_RATES, BODY_LOADS, EFFORT_LOADS, FRAME_LOADS, ADVANCE,
    DISPLACEMENT_RATES, COORDINATE_RATES,
) = (int(loop) for loop in LoopCall)  # fmt: skip


def position_terms(plan: Plan, work: Work, t: float, q: Floats) -> None:
    """The terms of the equations that depend on time and positions alone: Φ, ν, C, M."""
    by_address(plan.calls[POSITION_TERMS], (plan, work, t, q))


def velocity_terms(plan: Plan, work: Work, t: float, q: Floats, v: Floats) -> None:
    """The terms that depend on velocities too, at the pose evaluated last: Γ, Q."""
    by_address(plan.calls[VELOCITY_TERMS], (plan, work, t, q, v))


@kernel(**NO_ARRAYS)
def call_at_positions(plan: Plan, work: Work, q: Floats, loop: int) -> None:
    """Call a loop of every kind of body, or of every primitive, that needs the positions."""
    units, k = plan.loops[loop], 0
    while units[k, ADDRESS] != 0:
        by_address(units[k, ADDRESS], (plan, work, q, units[k, NUMBER]))
        k += 1


@kernel(**NO_ARRAYS)
def call_at_velocities(plan: Plan, work: Work, q: Floats, v: Floats, loop: int) -> None:
    """Call a loop of every kind of body that needs the positions and velocities."""
    units, k = plan.loops[loop], 0
    while units[k, ADDRESS] != 0:
        by_address(units[k, ADDRESS], (plan, work, q, v, units[k, NUMBER]))
        k += 1


@kernel(**NO_ARRAYS)
def call_on_coordinates(plan: Plan, q: Floats, v: Floats, out: Floats, loop: int) -> None:
    """Call a loop of every kind of body that leads from q (or d) and v (or d) to coordinates or their rates."""
    units, k = plan.loops[loop], 0
    while units[k, ADDRESS] != 0:
        by_address(units[k, ADDRESS], (plan, q, v, out, units[k, NUMBER]))
        k += 1


def poses(plan: Plan, work: Work, q: Floats) -> None:
    """Orientations of bodies and poses of frames."""
    call_at_positions(plan, work, q, POSES)


def measure(plan: Plan, work: Work, q: Floats) -> None:
    """Measures: s and D."""
    call_at_positions(plan, work, q, MEASURES)


def matrices(plan: Plan, work: Work, q: Floats) -> None:
    """Entries of C, intrinsic rows and M."""
    call_at_positions(plan, work, q, MATRIX)


def velocities(plan: Plan, work: Work, q: Floats, v: Floats) -> None:
    """Velocities of frames."""
    call_at_velocities(plan, work, q, v, VELOCITIES)


def rates_of_measures(plan: Plan, work: Work, q: Floats) -> None:
    """Measures: ṡ, and s̈ at v̇ = 0."""
    call_at_positions(plan, work, q, MEASURE_RATES)


def body_loads(plan: Plan, work: Work, q: Floats, v: Floats) -> None:
    """Γ of intrinsic rows; gravity, gyroscopic and elastic forces of bodies."""
    call_at_velocities(plan, work, q, v, BODY_LOADS)


def effort_loads(plan: Plan, work: Work, q: Floats, effort: Floats, Q: Floats) -> None:
    """The part of efforts along measures in Q."""
    units, k = plan.loops[EFFORT_LOADS], 0
    while units[k, ADDRESS] != 0:
        by_address(units[k, ADDRESS], (plan, work, q, effort, Q, units[k, NUMBER]))
        k += 1


def frame_loads(plan: Plan, work: Work, q: Floats) -> None:
    """The part of forces and moments on frames in Q."""
    call_at_positions(plan, work, q, FRAME_LOADS)


def advance(plan: Plan, q: Floats, d: Floats, out: Floats) -> None:
    """q moved by d, of all bodies."""
    call_on_coordinates(plan, q, d, out, ADVANCE)


def displacement_rates(plan: Plan, d: Floats, v: Floats, out: Floats) -> None:
    """ḋ of all bodies from d and v."""
    call_on_coordinates(plan, d, v, out, DISPLACEMENT_RATES)


def coordinate_rates(plan: Plan, q: Floats, v: Floats, out: Floats) -> None:
    """q̇ of all bodies from v."""
    call_on_coordinates(plan, q, v, out, COORDINATE_RATES)


# The function that goes through each loop, and its name where kernels are linked to it.
CALLERS: dict[LoopCall, Callable[..., None]] = {
    LoopCall.POSES: poses,
    LoopCall.MEASURES: measure,
    LoopCall.MATRIX: matrices,
    LoopCall.VELOCITIES: velocities,
    LoopCall.MEASURE_RATES: rates_of_measures,
    LoopCall.BODY_LOADS: body_loads,
    LoopCall.EFFORT_LOADS: effort_loads,
    LoopCall.FRAME_LOADS: frame_loads,
    LoopCall.ADVANCE: advance,
    LoopCall.DISPLACEMENT_RATES: displacement_rates,
    LoopCall.COORDINATE_RATES: coordinate_rates,
}
