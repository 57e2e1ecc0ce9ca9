"""Loops over the bodies and frames of one kind of body, or the measures of one primitive, in the plane and in space.

They become kernels when functions are linked in by their names: ``orientation``, ``pose``, ``columns`` … of a kind of
body (``rate`` is one of its ``coordinate_rates`` and ``displacement_rates``), the ``formula`` of a primitive, and those
of the plane or of space that load, store and multiply rows of frames (``twists``).
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.arrays import Floats
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
    LOAD_EFFORT,
    LOAD_FRAME,
    LOAD_MEASURE,
    LOAD_SIDE,
    LOAD_V,
    MEASURE_A,
    MEASURE_B,
    MEASURE_K,
    MEASURE_L,
    MEASURE_MEMORY,
    WRENCH_FRAME,
    WRENCH_IN_BODY,
    WRENCH_V,
    BodyPlan,
    EffortPlan,
    EntryPlan,
    FramePlan,
    MeasurePlan,
    WrenchPlan,
)


@kernel(**NO_ARRAYS)
def angle_before(plan: MeasurePlan, q: Floats, i: int) -> float:
    """The last value of measure i in q where it is an angle counted over full turns, else 0."""
    return q[plan.table[i, MEASURE_MEMORY]] if plan.table[i, MEASURE_MEMORY] >= 0 else 0.0


def measures(plan: MeasurePlan, q: Floats, F: Floats, value: Floats, D: Floats, primitive: int) -> None:
    """All measures of one primitive: s and D."""
    for i in range(plan.start[primitive], plan.start[primitive + 1]):
        A, B = frame(F, plan.table[i, MEASURE_A]), frame(F, plan.table[i, MEASURE_B])
        k, l, memory = plan.table[i, MEASURE_K], plan.table[i, MEASURE_L], angle_before(plan, q, i)
        s, Av, Aw, Bv, Bw, _ = formula(A, B, k, l, plan.p[i], memory)
        value[i] = s
        store_row(D, i, Av, Aw, Bv, Bw)


def measure_rates(
    plan: MeasurePlan, q: Floats, F: Floats, D: Floats, rate: Floats, bias: Floats, primitive: int
) -> None:
    """All measures of one primitive: ṡ, and s̈ at v̇ = 0, from their D."""
    for i in range(plan.start[primitive], plan.start[primitive + 1]):
        A, B = frame(F, plan.table[i, MEASURE_A]), frame(F, plan.table[i, MEASURE_B])
        k, l, memory = plan.table[i, MEASURE_K], plan.table[i, MEASURE_L], angle_before(plan, q, i)
        _, _, _, _, _, sigma = formula(A, B, k, l, plan.p[i], memory)
        rate[i] = row_times_twists(D, i, A, B)
        bias[i] = bias_acceleration(sigma, D, i, A, B)


def frame_poses(plan: FramePlan, p: Floats, q: Floats, R: Floats, F: Floats, kind: int) -> None:
    """The poses of all frames on bodies of one kind."""
    for f in range(plan.start[kind], plan.start[kind + 1]):
        store_pose(F, f, pose(q, plan.table[f, FRAME_Q], R, p, plan.table[f, FRAME_BODY], plan.local, f))


def frame_velocities(plan: FramePlan, p: Floats, q: Floats, v: Floats, R: Floats, F: Floats, kind: int) -> None:
    """The velocities of all frames on bodies of one kind."""
    for f in range(plan.start[kind], plan.start[kind + 1]):
        iq, iv, b = plan.table[f, FRAME_Q], plan.table[f, FRAME_V], plan.table[f, FRAME_BODY]
        store_velocity(F, f, velocity(q, v, iq, iv, R, p, b, plan.local, F, f))


def matrix(
    plan: EntryPlan, frames: FramePlan, p: Floats, q: Floats, R: Floats, D: Floats, F: Floats, C: Floats, kind: int
) -> None:
    """Entries of C on bodies of one kind: C += k D J."""
    for e in range(plan.start[kind], plan.start[kind + 1]):
        D_v, D_w = row_on_side(D, plan.table[e, ENTRY_MEASURE], plan.table[e, ENTRY_SIDE])
        f = plan.table[e, ENTRY_FRAME]
        columns(
            D_v, D_w, q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            plan.factor[e], C, plan.table[e, ENTRY_C],
        )  # fmt: skip


def effort_loads(
    plan: EffortPlan, frames: FramePlan, p: Floats, q: Floats, R: Floats, D: Floats, F: Floats,
    effort: Floats, Q: Floats, kind: int,
) -> None:  # fmt: skip
    """Efforts on the bodies of one kind: Q += (D J)ᵀ f."""
    for e in range(plan.start[kind], plan.start[kind + 1]):
        D_v, D_w = row_on_side(D, plan.table[e, LOAD_MEASURE], plan.table[e, LOAD_SIDE])
        f = plan.table[e, LOAD_FRAME]
        columns(
            D_v, D_w, q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            effort[plan.table[e, LOAD_EFFORT]], Q, plan.table[e, LOAD_V],
        )  # fmt: skip


def wrenches(
    plan: WrenchPlan, frames: FramePlan, p: Floats, q: Floats, R: Floats, F: Floats, load: Floats, Q: Floats, kind: int
) -> None:
    """Forces and moments on frames of the bodies of one kind: Q += Jᵀ (f, m)."""
    for e in range(plan.start[kind], plan.start[kind + 1]):
        f = plan.table[e, WRENCH_FRAME]
        force, moment = components(load, e)
        if plan.table[e, WRENCH_IN_BODY] == 1:
            force, moment = in_world_axes(force, moment, frame(F, f))
        columns(
            force, moment, q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            1.0, Q, plan.table[e, WRENCH_V],
        )  # fmt: skip


def orientations(plan: BodyPlan, q: Floats, R: Floats, kind: int) -> None:
    """Orientations of the bodies of one kind."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        orientation(q, plan.table[b, BODY_Q], R, b)


def mass_matrices(plan: BodyPlan, q: Floats, R: Floats, M: Floats, kind: int) -> None:
    """Mass matrices of the bodies of one kind."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        inertia(q, plan.table[b, BODY_Q], R, plan.p, b, M, plan.table[b, BODY_M])


def applied_forces_of_bodies(plan: BodyPlan, q: Floats, v: Floats, R: Floats, M: Floats, Q: Floats, kind: int) -> None:
    """Gravity, gyroscopic and own elastic forces of the bodies of one kind."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        applied_forces(
            q, v, plan.table[b, BODY_Q], plan.table[b, BODY_V], R, plan.p, b, plan.gravity, M, plan.table[b, BODY_M], Q
        )


def own_powers(plan: BodyPlan, q: Floats, v: Floats, total: Floats, kind: int) -> None:
    """Power of the own forces of the bodies of one kind that have no potential."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        total[0] += power(q, v, plan.table[b, BODY_Q], plan.table[b, BODY_V], plan.p, b)


def all_intrinsic_rows(plan: BodyPlan, q: Floats, Phi: Floats, C: Floats, kind: int) -> None:
    """Intrinsic rows of the bodies of one kind."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        intrinsic_rows(q, plan.table[b, BODY_Q], plan.p, b, Phi, C, plan.table[b, BODY_ROW], plan.table[b, BODY_C])


def intrinsic_Gammas(plan: BodyPlan, v: Floats, Gamma: Floats, kind: int) -> None:
    """Γ of the intrinsic rows of the bodies of one kind."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        intrinsic_Gamma(v, plan.table[b, BODY_V], plan.p, b, Gamma, plan.table[b, BODY_ROW])


def rates(plan: BodyPlan, q: Floats, v: Floats, out: Floats, kind: int) -> None:
    """q̇ of the bodies of one kind, or ḋ of their displacements, for which q is d."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        rate(q, v, plan.table[b, BODY_Q], plan.table[b, BODY_V], plan.p, b, out)


def advances(plan: BodyPlan, q: Floats, d: Floats, out: Floats, kind: int) -> None:
    """q of the bodies of one kind moved by d."""
    for b in range(plan.start[kind], plan.start[kind + 1]):
        advance(q, plan.table[b, BODY_Q], d, plan.table[b, BODY_V], plan.p, b, out)
