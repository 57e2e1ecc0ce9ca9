"""Normal reactions: the components of a joint's wrench that its friction depends on, as rows on multipliers."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel
from reactio.space.algebra import add, dot, mul
from reactio.space.frames import planar_frame, spatial_frame, vector
from reactio.system.plan import FRICTION_FIRST, FRICTION_FRAME, FRICTION_P, FRICTION_STOP, FrictionPlan, RowPlan


def places(plan: FrictionPlan) -> int:
    """How many entries P has."""
    if not len(plan.table):
        return 0
    return int(((plan.table[:, FRICTION_STOP] - plan.table[:, FRICTION_FIRST]) * np.diff(plan.start)).sum())


@kernel(**NO_ARRAYS)
def planar_normals(plan: FrictionPlan, rows: RowPlan, D: Floats, F: Floats, P: Floats) -> None:
    """P of N = P λ_X, N = B (force, moment) on body b in the axes of A: P = −B turnᵀ D_Bᵀ."""
    for j in range(plan.table.shape[0]):
        A, place = planar_frame(F, plan.table[j, FRICTION_FRAME]), plan.table[j, FRICTION_P]
        for c in range(plan.start[j], plan.start[j + 1]):
            B = vector(plan.component, c, 0)
            x, y = B[0] * A.x[0] + B[1] * A.y[0], B[0] * A.x[1] + B[1] * A.y[1]
            for i in range(plan.table[j, FRICTION_FIRST], plan.table[j, FRICTION_STOP]):
                P[place] = 0.0
                for term in range(rows.start[i], rows.start[i + 1]):
                    d = vector(D, rows.measure[term], 3)
                    P[place] -= rows.factor[term] * (x * d[0] + y * d[1] + B[2] * d[2])
                place += 1


@kernel(**NO_ARRAYS)
def spatial_normals(plan: FrictionPlan, rows: RowPlan, D: Floats, F: Floats, P: Floats) -> None:
    """P of N = P λ_X, N = B (force, moment) on body b in the axes of A: P = −B turnᵀ D_Bᵀ."""
    for j in range(plan.table.shape[0]):
        A, place = spatial_frame(F, plan.table[j, FRICTION_FRAME]), plan.table[j, FRICTION_P]
        for c in range(plan.start[j], plan.start[j + 1]):
            force, moment = vector(plan.component, c, 0), vector(plan.component, c, 3)
            f = add(add(mul(force[0], A.x), mul(force[1], A.y)), mul(force[2], A.z))
            g = add(add(mul(moment[0], A.x), mul(moment[1], A.y)), mul(moment[2], A.z))
            for i in range(plan.table[j, FRICTION_FIRST], plan.table[j, FRICTION_STOP]):
                P[place] = 0.0
                for term in range(rows.start[i], rows.start[i + 1]):
                    k = rows.measure[term]
                    P[place] -= rows.factor[term] * (dot(vector(D, k, 6), f) + dot(vector(D, k, 9), g))
                place += 1


@kernel
def normal_components(plan: FrictionPlan, P: Floats, lam: Floats, N: Floats, column: int) -> None:
    """All components of N = P λ for one λ (m,), into a column of N (components, ·)."""
    for j in range(plan.table.shape[0]):
        place = plan.table[j, FRICTION_P]
        for c in range(plan.start[j], plan.start[j + 1]):
            s = 0.0
            for i in range(plan.table[j, FRICTION_FIRST], plan.table[j, FRICTION_STOP]):
                s += P[place] * lam[i]
                place += 1
            N[c, column] = s


NORMALS = {"planar": planar_normals, "spatial": spatial_normals}
