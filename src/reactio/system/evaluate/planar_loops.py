"""Loops over the measures of a planar system and the forces and moments on its frames.

They become kernels when the ``formula`` of a primitive, or ``columns`` of a body kind, are linked in.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel
from reactio.space.algebra import Vector2, dot2
from reactio.space.frames import planar_frame, vector2
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
def row_on_side(D: Floats, i: int, side: int) -> tuple[Vector2, float]:
    """D_v and D_ω of measure i on the twist of frame A (side 0) or B (side 1)."""
    return vector2(D, i, 3 * side), D[i, 3 * side + 2]


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
