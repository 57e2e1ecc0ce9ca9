"""Calls from one compilation unit into another: each is compiled once, whatever a system is made of.

The evaluation of a system goes through loops, one for each kind of body and one for each primitive.  Every such loop is
a unit of its own: a model compiles those of its own kinds and primitives, and a new kind compiles nothing but itself.
The evaluation as a whole, the integrators and the projections know them by where they lie in memory, which stands in
the plan of a system.
"""

# ``by_address`` and ``by_address_int`` are known to compiled kernels alone: they call what lies at an address.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import os
from collections.abc import Callable
from enum import IntEnum

from reactio.arrays import Floats
from reactio.system.plan import Plan, Work


class Call(IntEnum):
    """What lies where in ``Plan.calls``."""

    PROCESS = 0  # the process in which the addresses hold
    POSED = 1
    MOVING = 2
    PROJECT = 3


class LoopCall(IntEnum):
    """What lies where in ``Plan.loops``: loops for kinds of bodies, or for primitives (MEASURES, MEASURE_RATES).

    Of each, the address and the number of every kind or primitive that the model uses, and a zero behind the last.
    """

    POSES = 0
    MEASURES = 1
    MATRIX = 2
    VELOCITIES = 3
    MEASURE_RATES = 4
    BODY_LOADS = 5
    PUSHES = 6
    FRAME_LOADS = 7
    ADVANCE = 8
    FLOW = 9
    RATES = 10


# Identifies this process: a plan may be sent to others, in which the addresses are not valid.
HERE = int.from_bytes(os.urandom(7), "big")

ADDRESS, NUMBER = range(2)  # columns of ``Plan.loops``

# Plain integers for the compiled kernels.
PROCESS, POSED, MOVING, PROJECT = (int(call) for call in Call)
POSES, MEASURES, MATRIX, VELOCITIES, MEASURE_RATES, BODY_LOADS, PUSHES, FRAME_LOADS, ADVANCE, FLOW, RATES = (
    int(loop) for loop in LoopCall
)


def posed(plan: Plan, work: Work, t: float, q: Floats) -> None:
    """All that a pose decides: Φ, ν, C, M."""
    by_address(plan.calls[POSED], (plan, work, t, q))


def moving(plan: Plan, work: Work, t: float, q: Floats, v: Floats) -> None:
    """What velocities decide besides: Γ, Q."""
    by_address(plan.calls[MOVING], (plan, work, t, q, v))


def poses(plan: Plan, work: Work, q: Floats) -> None:
    """Orientations of bodies and places of frames."""
    k = 0
    while plan.loops[POSES, k, ADDRESS] != 0:
        by_address(plan.loops[POSES, k, ADDRESS], (plan, work, q, plan.loops[POSES, k, NUMBER]))
        k += 1


def measure(plan: Plan, work: Work, q: Floats) -> None:
    """Measures: s and D."""
    k = 0
    while plan.loops[MEASURES, k, ADDRESS] != 0:
        by_address(plan.loops[MEASURES, k, ADDRESS], (plan, work, q, plan.loops[MEASURES, k, NUMBER]))
        k += 1


def matrices(plan: Plan, work: Work, q: Floats) -> None:
    """Entries of C, intrinsic rows and M."""
    k = 0
    while plan.loops[MATRIX, k, ADDRESS] != 0:
        by_address(plan.loops[MATRIX, k, ADDRESS], (plan, work, q, plan.loops[MATRIX, k, NUMBER]))
        k += 1


def velocities(plan: Plan, work: Work, q: Floats, v: Floats) -> None:
    """Velocities of frames."""
    k = 0
    while plan.loops[VELOCITIES, k, ADDRESS] != 0:
        by_address(plan.loops[VELOCITIES, k, ADDRESS], (plan, work, q, v, plan.loops[VELOCITIES, k, NUMBER]))
        k += 1


def rates_of_measures(plan: Plan, work: Work, q: Floats) -> None:
    """Measures: ṡ, and s̈ at v̇ = 0."""
    k = 0
    while plan.loops[MEASURE_RATES, k, ADDRESS] != 0:
        by_address(plan.loops[MEASURE_RATES, k, ADDRESS], (plan, work, q, plan.loops[MEASURE_RATES, k, NUMBER]))
        k += 1


def body_loads(plan: Plan, work: Work, q: Floats, v: Floats) -> None:
    """Γ of intrinsic rows; gravity, gyroscopic and elastic forces of bodies."""
    k = 0
    while plan.loops[BODY_LOADS, k, ADDRESS] != 0:
        by_address(plan.loops[BODY_LOADS, k, ADDRESS], (plan, work, q, v, plan.loops[BODY_LOADS, k, NUMBER]))
        k += 1


def push(plan: Plan, work: Work, q: Floats, effort: Floats, Q: Floats) -> None:
    """What efforts along measures add to Q."""
    k = 0
    while plan.loops[PUSHES, k, ADDRESS] != 0:
        by_address(plan.loops[PUSHES, k, ADDRESS], (plan, work, q, effort, Q, plan.loops[PUSHES, k, NUMBER]))
        k += 1


def frame_loads(plan: Plan, work: Work, t: float, q: Floats) -> None:
    """What forces and moments on frames add to Q."""
    k = 0
    while plan.loops[FRAME_LOADS, k, ADDRESS] != 0:
        by_address(plan.loops[FRAME_LOADS, k, ADDRESS], (plan, work, t, q, plan.loops[FRAME_LOADS, k, NUMBER]))
        k += 1


def advance(plan: Plan, q: Floats, d: Floats, out: Floats) -> None:
    """q moved by d, of all bodies."""
    k = 0
    while plan.loops[ADVANCE, k, ADDRESS] != 0:
        by_address(plan.loops[ADVANCE, k, ADDRESS], (plan, q, d, out, plan.loops[ADVANCE, k, NUMBER]))
        k += 1


def flow(plan: Plan, d: Floats, v: Floats, out: Floats) -> None:
    """ḋ of all bodies from d and v."""
    k = 0
    while plan.loops[FLOW, k, ADDRESS] != 0:
        by_address(plan.loops[FLOW, k, ADDRESS], (plan, d, v, out, plan.loops[FLOW, k, NUMBER]))
        k += 1


def rates(plan: Plan, q: Floats, v: Floats, out: Floats) -> None:
    """q̇ of all bodies from v."""
    k = 0
    while plan.loops[RATES, k, ADDRESS] != 0:
        by_address(plan.loops[RATES, k, ADDRESS], (plan, q, v, out, plan.loops[RATES, k, NUMBER]))
        k += 1


# The function that goes through each loop, and its name where kernels are linked to it.
CALLERS: dict[LoopCall, Callable[..., None]] = {
    LoopCall.POSES: poses,
    LoopCall.MEASURES: measure,
    LoopCall.MATRIX: matrices,
    LoopCall.VELOCITIES: velocities,
    LoopCall.MEASURE_RATES: rates_of_measures,
    LoopCall.BODY_LOADS: body_loads,
    LoopCall.PUSHES: push,
    LoopCall.FRAME_LOADS: frame_loads,
    LoopCall.ADVANCE: advance,
    LoopCall.FLOW: flow,
    LoopCall.RATES: rates,
}
