"""Calls from one compilation unit into another: integrators are compiled once, whatever a system is made of.

The evaluation of a system depends on its bodies and primitives; what uses it does not, and looks up in the plan of the
system where the evaluation lies in memory.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``by_address`` is known to compiled kernels
from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

from reactio.arrays import Floats
from reactio.kernels import Handed, Kernel
from reactio.system.plan import Plan, Work


class Call(IntEnum):
    """What lies where in ``Plan.calls``."""

    PROCESS = 0  # the process in which the addresses hold
    POSED = 1
    MOVING = 2
    ADVANCE = 3
    FLOW = 4
    PUSH = 5
    PROJECT = 6


# Identifies this process: a plan may be sent to others, in which the addresses are not valid.
HERE = int.from_bytes(os.urandom(7), "big")

# Plain integers for the compiled kernels.
PROCESS, POSED, MOVING, ADVANCE, FLOW, PUSH, PROJECT = (int(call) for call in Call)


def posed(plan: Plan, work: Work, t: float, q: Floats) -> None:
    """All that a pose decides: Φ, ν, C, M."""
    by_address(plan.calls[POSED], (plan, work, t, q))


def moving(plan: Plan, work: Work, t: float, q: Floats, v: Floats) -> None:
    """What velocities decide besides: Γ, Q."""
    by_address(plan.calls[MOVING], (plan, work, t, q, v))


def advance(plan: Plan, q: Floats, d: Floats, out: Floats) -> None:
    """q moved by d, of all bodies."""
    by_address(plan.calls[ADVANCE], (plan, q, d, out))


def flow(plan: Plan, d: Floats, v: Floats, out: Floats) -> None:
    """ḋ of all bodies from d and v."""
    by_address(plan.calls[FLOW], (plan, d, v, out))


def push(plan: Plan, work: Work, q: Floats, effort: Floats, Q: Floats) -> None:
    """What efforts along measures add to Q."""
    by_address(plan.calls[PUSH], (plan, work, q, effort, Q))


CALLERS: dict[str, Callable[..., None]] = {
    "posed": posed,
    "moving": moving,
    "advance": advance,
    "flow": flow,
    "push": push,
}


def handed(kernels: Mapping[str, Kernel[..., None]]) -> dict[str, Kernel[..., Any]]:
    """Kernels by the names of these functions, called by address where they are compiled."""
    return {name: Handed(CALLERS[name], kernel) for name, kernel in kernels.items()}
