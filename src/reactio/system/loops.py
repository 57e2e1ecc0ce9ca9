"""Loops that are the same in the plane and in space; ``move``, ``mass``, ``rigid`` and ``rest`` are linked in."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from typing import Any

from reactio.arrays import Floats
from reactio.functions.machine import jet
from reactio.kernels import WITHIN, kernel
from reactio.system.plan import BodyPlan, ProgramPlan


@kernel(**WITHIN)
def part(programs: ProgramPlan, function: int, t: float, stack: Floats, out: Floats) -> float:
    """f(t) of a component of a load, 0 where it has none."""
    if function < 0:
        return 0.0
    jet(programs.code, programs.data, programs.start, function, t, 0.0, 0.0, stack, out)
    return out[0]  # type: ignore[no-any-return]


@kernel(**WITHIN)
def done(*args: Any) -> None:
    """The end of a chain of loops."""


def masses(plan: BodyPlan, q: Floats, v: Floats, M: Floats, Q: Floats, kind: int) -> None:
    """Mass matrix, gravity and gyroscopic forces of the bodies of one kind; ``mass`` is the kind's ``inertia``."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        mass(q, v, plan.table[b, 0], plan.table[b, 1], plan.p, b, plan.gravity, M, plan.table[b, 2], Q)
    rest(plan, q, v, M, Q, kind + 1)


def rigidities(plan: BodyPlan, q: Floats, v: Floats, Phi: Floats, Gamma: Floats, C: Floats, kind: int) -> None:
    """Intrinsic rows of the bodies of one kind; ``rigid`` is the kind's ``rigidity``."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        rigid(
            q, v, plan.table[b, 0], plan.table[b, 1], plan.p, b, Phi, Gamma, C, plan.table[b, 3], plan.table[b, 4]
        )  # fmt: skip
    rest(plan, q, v, Phi, Gamma, C, kind + 1)


def rates(plan: BodyPlan, q: Floats, v: Floats, out: Floats, kind: int) -> None:
    """q̇ of the bodies of one kind; ``move`` is the kind's ``rates``."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        move(q, v, plan.table[b, 0], plan.table[b, 1], plan.p, b, out)
    rest(plan, q, v, out, kind + 1)


def advances(plan: BodyPlan, q: Floats, d: Floats, out: Floats, kind: int) -> None:
    """q of the bodies of one kind moved by d; ``move`` is the kind's ``advance``."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        move(q, plan.table[b, 0], d, plan.table[b, 1], plan.p, b, out)
    rest(plan, q, d, out, kind + 1)
