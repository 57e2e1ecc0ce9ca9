"""Loops over the bodies of one kind, the same in the plane and in space.

They become kernels when the functions of a body kind (``orientation``, ``inertia`` …) are linked in by their names;
``move`` is its ``rates``, ``flow`` or ``advance``.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.arrays import Floats
from reactio.functions.machine import jet
from reactio.kernels import NO_ARRAYS, kernel
from reactio.system.plan import BODY_C, BODY_M, BODY_Q, BODY_ROW, BODY_V, BodyPlan, ProgramPlan


@kernel(**NO_ARRAYS)
def part(programs: ProgramPlan, function: int, t: float, stack: Floats, out: Floats) -> float:
    """f(t) of a component of a load, 0 where it has none."""
    if function < 0:
        return 0.0
    jet(programs.code, programs.data, programs.start, function, t, 0.0, 0.0, stack, out)
    return out[0]  # type: ignore[no-any-return]


@kernel(**NO_ARRAYS)
def product(a: Floats, b: Floats) -> float:
    """aᵀb."""
    s = 0.0
    for k in range(a.shape[0]):
        s += a[k] * b[k]
    return s


def orientations(plan: BodyPlan, q: Floats, R: Floats, kind: int) -> None:
    """How the bodies of one kind are turned."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        orientation(q, plan.table[b, BODY_Q], R, b)


def masses(plan: BodyPlan, q: Floats, R: Floats, M: Floats, kind: int) -> None:
    """Mass matrix of the bodies of one kind."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        inertia(q, plan.table[b, BODY_Q], R, plan.p, b, M, plan.table[b, BODY_M])


def applied(plan: BodyPlan, q: Floats, v: Floats, R: Floats, M: Floats, Q: Floats, kind: int) -> None:
    """Gravity, gyroscopic and own elastic forces of the bodies of one kind."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        applied_forces(
            q, v, plan.table[b, BODY_Q], plan.table[b, BODY_V], R, plan.p, b, plan.gravity, M, plan.table[b, BODY_M], Q
        )


def own_powers(plan: BodyPlan, q: Floats, v: Floats, total: Floats, kind: int) -> None:
    """Power of the own forces of the bodies of one kind that have no potential."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        total[0] += power(q, v, plan.table[b, BODY_Q], plan.table[b, BODY_V], plan.p, b)


def all_intrinsic_rows(plan: BodyPlan, q: Floats, Phi: Floats, C: Floats, kind: int) -> None:
    """Intrinsic rows of the bodies of one kind."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        intrinsic_rows(q, plan.table[b, BODY_Q], plan.p, b, Phi, C, plan.table[b, BODY_ROW], plan.table[b, BODY_C])


def intrinsic_Gammas(plan: BodyPlan, v: Floats, Gamma: Floats, kind: int) -> None:
    """Γ of the intrinsic rows of the bodies of one kind."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        intrinsic_Gamma(v, plan.table[b, BODY_V], plan.p, b, Gamma, plan.table[b, BODY_ROW])


def rates(plan: BodyPlan, q: Floats, v: Floats, out: Floats, kind: int) -> None:
    """q̇ of the bodies of one kind, or ḋ of displacements."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        move(q, v, plan.table[b, BODY_Q], plan.table[b, BODY_V], plan.p, b, out)


def advances(plan: BodyPlan, q: Floats, d: Floats, out: Floats, kind: int) -> None:
    """q of the bodies of one kind moved by d."""
    for b in range(plan.of[kind], plan.of[kind + 1]):
        move(q, plan.table[b, BODY_Q], d, plan.table[b, BODY_V], plan.p, b, out)
