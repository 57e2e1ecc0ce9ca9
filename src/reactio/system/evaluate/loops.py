"""Loops over the bodies, frames and entries of one kind of body, the same in the plane and in space.

They become kernels when the functions of a body kind (``orientation``, ``pose``, ``columns`` …) are linked in by their
names; ``move`` is its ``rates``, ``flow`` or ``advance``.  The functions ``store_pose``, ``store_velocity`` and
``row_on_side`` are those of the plane or of space.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.arrays import Floats
from reactio.functions.machine import jet
from reactio.kernels import NO_ARRAYS, kernel
from reactio.system.plan import (
    BODY_C,
    BODY_M,
    BODY_Q,
    BODY_ROW,
    BODY_V,
    ENTRY_C,
    ENTRY_FRAME,
    ENTRY_MEASURE,
    ENTRY_SIDE,
    FRAME_BODY,
    FRAME_Q,
    FRAME_V,
    PUSH_EFFORT,
    PUSH_FRAME,
    PUSH_MEASURE,
    PUSH_SIDE,
    PUSH_V,
    BodyPlan,
    EntryPlan,
    FramePlan,
    ProgramPlan,
    PushPlan,
)


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


def frame_poses(plan: FramePlan, p: Floats, q: Floats, R: Floats, F: Floats, kind: int) -> None:
    """The poses of all frames on bodies of one kind."""
    for f in range(plan.of[kind], plan.of[kind + 1]):
        store_pose(F, f, pose(q, plan.table[f, FRAME_Q], R, p, plan.table[f, FRAME_BODY], plan.local, f))


def frame_velocities(plan: FramePlan, p: Floats, q: Floats, v: Floats, R: Floats, F: Floats, kind: int) -> None:
    """The velocities of all frames on bodies of one kind."""
    for f in range(plan.of[kind], plan.of[kind + 1]):
        iq, iv, b = plan.table[f, FRAME_Q], plan.table[f, FRAME_V], plan.table[f, FRAME_BODY]
        store_velocity(F, f, velocity(q, v, iq, iv, R, p, b, plan.local, F, f))


def matrix(
    plan: EntryPlan, frames: FramePlan, p: Floats, q: Floats, R: Floats, D: Floats, F: Floats, C: Floats, kind: int
) -> None:
    """Entries of C on bodies of one kind: C += k D J."""
    for e in range(plan.of[kind], plan.of[kind + 1]):
        D_v, D_w = row_on_side(D, plan.table[e, ENTRY_MEASURE], plan.table[e, ENTRY_SIDE])
        f = plan.table[e, ENTRY_FRAME]
        columns(
            D_v, D_w, q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            plan.factor[e], C, plan.table[e, ENTRY_C],
        )  # fmt: skip


def pushes(
    plan: PushPlan, frames: FramePlan, p: Floats, q: Floats, R: Floats, D: Floats, F: Floats,
    effort: Floats, Q: Floats, kind: int,
) -> None:  # fmt: skip
    """Efforts on the bodies of one kind: Q += (D J)ᵀ f."""
    for e in range(plan.of[kind], plan.of[kind + 1]):
        D_v, D_w = row_on_side(D, plan.table[e, PUSH_MEASURE], plan.table[e, PUSH_SIDE])
        f = plan.table[e, PUSH_FRAME]
        columns(
            D_v, D_w, q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            effort[plan.table[e, PUSH_EFFORT]], Q, plan.table[e, PUSH_V],
        )  # fmt: skip


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
