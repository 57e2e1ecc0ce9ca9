"""Loops over the frames, measures and entries of a planar system.

They become kernels when ``pose``, ``velocity`` and ``columns`` of a body kind, or the ``formula`` of a primitive, are
linked in.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.arrays import Floats
from reactio.space.algebra import dot2
from reactio.space.frames import planar_frame, store_planar_pose, store_planar_velocity, vector2
from reactio.system.evaluate.loops import part
from reactio.system.plan import (
    ENTRY_C,
    ENTRY_FRAME,
    ENTRY_MEASURE,
    ENTRY_SIDE,
    FRAME_BODY,
    FRAME_Q,
    FRAME_V,
    MEASURE_A,
    MEASURE_B,
    MEASURE_K,
    MEASURE_L,
    MEASURE_MEMORY,
    PUSH_EFFORT,
    PUSH_FRAME,
    PUSH_MEASURE,
    PUSH_SIDE,
    PUSH_V,
    WRENCH_FRAME,
    WRENCH_IN_BODY,
    WRENCH_V,
    EntryPlan,
    FramePlan,
    MeasurePlan,
    ProgramPlan,
    PushPlan,
    WrenchPlan,
)


def frame_poses(plan: FramePlan, p: Floats, q: Floats, R: Floats, F: Floats, kind: int) -> None:
    """The poses of all frames on bodies of one kind."""
    for f in range(plan.of[kind], plan.of[kind + 1]):
        store_planar_pose(F, f, pose(q, plan.table[f, FRAME_Q], R, p, plan.table[f, FRAME_BODY], plan.local, f))


def frame_velocities(plan: FramePlan, p: Floats, q: Floats, v: Floats, R: Floats, F: Floats, kind: int) -> None:
    """The velocities of all frames on bodies of one kind."""
    for f in range(plan.of[kind], plan.of[kind + 1]):
        iq, iv, b = plan.table[f, FRAME_Q], plan.table[f, FRAME_V], plan.table[f, FRAME_BODY]
        store_planar_velocity(F, f, velocity(q, v, iq, iv, R, p, b, plan.local, F, f))


def measures(plan: MeasurePlan, q: Floats, F: Floats, value: Floats, D: Floats, primitive: int) -> None:
    """All measures of one primitive: s and D."""
    for i in range(plan.of[primitive], plan.of[primitive + 1]):
        A, B = planar_frame(F, plan.table[i, MEASURE_A]), planar_frame(F, plan.table[i, MEASURE_B])
        memory = q[plan.table[i, MEASURE_MEMORY]] if plan.table[i, MEASURE_MEMORY] >= 0 else 0.0
        s, Av, Aw, Bv, Bw, _ = formula(A, B, plan.table[i, MEASURE_K], plan.table[i, MEASURE_L], plan.p[i], memory)
        value[i] = s
        D[i, 0], D[i, 1], D[i, 2] = Av[0], Av[1], Aw
        D[i, 3], D[i, 4], D[i, 5] = Bv[0], Bv[1], Bw


def measure_rates(
    plan: MeasurePlan, q: Floats, F: Floats, D: Floats, rate: Floats, bias: Floats, primitive: int
) -> None:  # fmt: skip
    """All measures of one primitive: ṡ, and s̈ at v̇ = 0, from their D."""
    for i in range(plan.of[primitive], plan.of[primitive + 1]):
        A, B = planar_frame(F, plan.table[i, MEASURE_A]), planar_frame(F, plan.table[i, MEASURE_B])
        memory = q[plan.table[i, MEASURE_MEMORY]] if plan.table[i, MEASURE_MEMORY] >= 0 else 0.0
        _, _, _, _, _, sigma = formula(A, B, plan.table[i, MEASURE_K], plan.table[i, MEASURE_L], plan.p[i], memory)
        Av, Bv = vector2(D, i, 0), vector2(D, i, 3)
        rate[i] = dot2(Av, A.v) + D[i, 2] * A.w + dot2(Bv, B.v) + D[i, 5] * B.w
        bias[i] = sigma + dot2(Av, A.drift) + D[i, 2] * A.drift_w + dot2(Bv, B.drift) + D[i, 5] * B.drift_w


def matrix(
    plan: EntryPlan, frames: FramePlan, p: Floats, q: Floats, R: Floats, D: Floats, F: Floats, C: Floats, kind: int
) -> None:
    """Entries of C on bodies of one kind: C += k D J."""
    for e in range(plan.of[kind], plan.of[kind + 1]):
        i, side = plan.table[e, ENTRY_MEASURE], 3 * plan.table[e, ENTRY_SIDE]
        f = plan.table[e, ENTRY_FRAME]
        columns(
            vector2(D, i, side), D[i, side + 2],
            q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            plan.factor[e], C, plan.table[e, ENTRY_C],
        )  # fmt: skip


def pushes(
    plan: PushPlan,
    frames: FramePlan,
    p: Floats,
    q: Floats,
    R: Floats,
    D: Floats,
    F: Floats,
    effort: Floats,
    Q: Floats,
    kind: int,
) -> None:
    """Efforts on the bodies of one kind: Q += (D J)ᵀ f."""
    for e in range(plan.of[kind], plan.of[kind + 1]):
        i, side = plan.table[e, PUSH_MEASURE], 3 * plan.table[e, PUSH_SIDE]
        f = plan.table[e, PUSH_FRAME]
        columns(
            vector2(D, i, side), D[i, side + 2],
            q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            effort[plan.table[e, PUSH_EFFORT]], Q, plan.table[e, PUSH_V],
        )  # fmt: skip


def wrenches(
    plan: WrenchPlan,
    frames: FramePlan,
    p: Floats,
    q: Floats,
    R: Floats,
    programs: ProgramPlan,
    t: float,
    F: Floats,
    Q: Floats,
    stack: Floats,
    out: Floats,
    kind: int,
) -> None:
    """Forces and moments on frames of the bodies of one kind: Q += Jᵀ (f, m)."""
    for e in range(plan.of[kind], plan.of[kind + 1]):
        f_x = part(programs, plan.function[e, 0], t, stack, out)
        f_y = part(programs, plan.function[e, 1], t, stack, out)
        moment = part(programs, plan.function[e, 2], t, stack, out)
        force, at = (f_x, f_y), planar_frame(F, plan.table[e, WRENCH_FRAME])
        if plan.table[e, WRENCH_IN_BODY] == 1:
            force = (f_x * at.x[0] + f_y * at.y[0], f_x * at.x[1] + f_y * at.y[1])
        f = plan.table[e, WRENCH_FRAME]
        columns(
            force, moment,
            q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            1.0, Q, plan.table[e, WRENCH_V],
        )  # fmt: skip
