"""Loops over the measures of a spatial system and the forces and moments on its frames.

They become kernels when the ``formula`` of a primitive, or ``columns`` of a body kind, are linked in.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel
from reactio.space.algebra import Vector, add, dot, mul
from reactio.space.frames import spatial_frame, vector
from reactio.system.evaluate.loops import part
from reactio.system.plan import (
    FRAME_BODY,
    FRAME_Q,
    MEASURE_A,
    MEASURE_B,
    MEASURE_K,
    MEASURE_L,
    MEASURE_MEMORY,
    WRENCH_FRAME,
    WRENCH_IN_BODY,
    WRENCH_V,
    FramePlan,
    MeasurePlan,
    ProgramPlan,
    WrenchPlan,
)


@kernel(**NO_ARRAYS)
def row_on_side(D: Floats, i: int, side: int) -> tuple[Vector, Vector]:
    """D_v and D_ω of measure i on the twist of frame A (side 0) or B (side 1)."""
    return vector(D, i, 6 * side), vector(D, i, 6 * side + 3)


def measures(plan: MeasurePlan, q: Floats, F: Floats, value: Floats, D: Floats, primitive: int) -> None:
    """All measures of one primitive: s and D."""
    for i in range(plan.of[primitive], plan.of[primitive + 1]):
        A, B = spatial_frame(F, plan.table[i, MEASURE_A]), spatial_frame(F, plan.table[i, MEASURE_B])
        memory = q[plan.table[i, MEASURE_MEMORY]] if plan.table[i, MEASURE_MEMORY] >= 0 else 0.0
        s, Av, Aw, Bv, Bw, _ = formula(A, B, plan.table[i, MEASURE_K], plan.table[i, MEASURE_L], plan.p[i], memory)
        value[i] = s
        for k in range(3):
            D[i, k] = Av[k]
            D[i, 3 + k] = Aw[k]
            D[i, 6 + k] = Bv[k]
            D[i, 9 + k] = Bw[k]


def measure_rates(
    plan: MeasurePlan, q: Floats, F: Floats, D: Floats, rate: Floats, bias: Floats, primitive: int
) -> None:  # fmt: skip
    """All measures of one primitive: ṡ, and s̈ at v̇ = 0, from their D."""
    for i in range(plan.of[primitive], plan.of[primitive + 1]):
        A, B = spatial_frame(F, plan.table[i, MEASURE_A]), spatial_frame(F, plan.table[i, MEASURE_B])
        memory = q[plan.table[i, MEASURE_MEMORY]] if plan.table[i, MEASURE_MEMORY] >= 0 else 0.0
        _, _, _, _, _, sigma = formula(A, B, plan.table[i, MEASURE_K], plan.table[i, MEASURE_L], plan.p[i], memory)
        Av, Aw, Bv, Bw = vector(D, i, 0), vector(D, i, 3), vector(D, i, 6), vector(D, i, 9)
        rate[i] = dot(Av, A.v) + dot(Aw, A.w) + dot(Bv, B.v) + dot(Bw, B.w)
        bias[i] = sigma + dot(Av, A.drift) + dot(Aw, A.drift_w) + dot(Bv, B.drift) + dot(Bw, B.drift_w)


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
        force = (
            part(programs, plan.function[e, 0], t, stack, out),
            part(programs, plan.function[e, 1], t, stack, out),
            part(programs, plan.function[e, 2], t, stack, out),
        )
        moment = (
            part(programs, plan.function[e, 3], t, stack, out),
            part(programs, plan.function[e, 4], t, stack, out),
            part(programs, plan.function[e, 5], t, stack, out),
        )
        at = spatial_frame(F, plan.table[e, WRENCH_FRAME])
        if plan.table[e, WRENCH_IN_BODY] == 1:
            force = add(add(mul(force[0], at.x), mul(force[1], at.y)), mul(force[2], at.z))
            moment = add(add(mul(moment[0], at.x), mul(moment[1], at.y)), mul(moment[2], at.z))
        f = plan.table[e, WRENCH_FRAME]
        columns(
            force, moment,
            q, frames.table[f, FRAME_Q], R, p, frames.table[f, FRAME_BODY], frames.local, F, f,
            1.0, Q, plan.table[e, WRENCH_V],
        )  # fmt: skip
