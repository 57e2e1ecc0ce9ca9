"""Which load or drive ended a run: the one whose function has no value, or a pole, just after the last state."""

from __future__ import annotations

from reactio.errors import KernelError
from reactio.integrate.checkpoint import Motion
from reactio.integrate.status import Status
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.evaluate.loads import function_and_derivatives
from reactio.system.types import State, System

# Times after the last state at which functions are evaluated, as parts of a second (of t, where that is longer): steps
# are tried down to the last digits of t, and tables end 1e-9 of their length later than they say.
TIMES_AFTER_END = (0.0, 1e-12, 1e-9, 1e-7)
# A function has a pole where it changes by its own size within POLE_TIME and was at most 1/POLE_GROWTH as large
# TIME_BEFORE_POLE earlier, as parts of a second (of t, where that is longer).
POLE_TIME, POLE_GROWTH, TIME_BEFORE_POLE = 1e-6, 10.0, 1e-3
# Statuses with which a run ends where a function has no value or a pole.
ENDS_BY_FUNCTIONS = (
    Status.NOT_FINITE, Status.INACCURATE, Status.STIFF, Status.NOT_ACCELERATING, Status.NOT_MOVING, Status.NOT_CLOSED,
)  # fmt: skip


def undefined_functions(motion: Motion) -> tuple[str, ...]:
    """Notes on functions that caused the end of a run; none where it ended for other reasons."""
    if motion.status not in ENDS_BY_FUNCTIONS:
        return ()
    at, system = motion.checkpoint, motion.system
    unit = max(1.0, abs(at.t))
    for ahead in TIMES_AFTER_END:
        d = ahead * unit
        try:
            equations(system, State(at.t + d, advance(system, at.q, d * at.v), at.v))
        except KernelError as error:
            return (str(error),)
    return tuple(
        f"{owner} grows without bound at t = {at.t:.9g} s: its function is not defined there. Correct it, or end the "
        "run earlier."
        for k, (owner, _) in enumerate(system.functions)
        if _has_pole(system, k, at.t, unit)
    )


def _has_pole(system: System, function: int, t: float, unit: float) -> bool:
    """Has a function of time a pole here?"""
    value, slope, _ = (abs(x) for x in function_and_derivatives(system, function, t))
    before, _, _ = function_and_derivatives(system, function, t - TIME_BEFORE_POLE * unit)
    return bool(slope * POLE_TIME * unit >= value > POLE_GROWTH * abs(before))
