"""Joint friction within the right-hand side: friction efforts and the reactions they depend on, solved together.

Accelerations and multipliers are affine in the friction efforts e: the equations of motion are solved once more for
each of them with the same factors, and ``friction_fixed_point`` finds the fixed point of Coulomb's law.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.arrays import Floats
from reactio.forward_dynamics.coulomb import friction_fixed_point
from reactio.integrate.projection.mass_projection import (
    MULTIPLIER_REGULARISATION,
    MetricPlan,
    MetricWork,
    add_transposed,
    copy,
    from_root,
    least_change,
    least_multipliers,
    scale_row,
)
from reactio.integrate.projection.massless import constrained_accelerations
from reactio.integrate.projection.workspace import FrictionSharing, Projection
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.sparse.gram import factorise, solve
from reactio.system.evaluate.normals import normal_components
from reactio.system.plan import FRICTION_EFFORT


@kernel(**NO_ARRAYS)
def weigh_rows(plan: MetricPlan, m: MetricWork, rule: FrictionSharing) -> None:
    """The rows of A in the metric of the rule, and their factors."""
    copy(m.A, rule.m.A)
    copy(m.square, rule.m.square)
    largest = 0.0
    for i in range(m.R.shape[0]):
        rule.m.R[i] = rule.kept[i] * m.R[i] ** (rule.power - 1.0) if m.R[i] > 0.0 else 0.0
        largest = max(largest, rule.m.R[i])
    for i in range(m.R.shape[0]):
        scale_row(plan, rule.m, i, rule.m.R[i] / largest)
        rule.m.R[i] *= m.R[i] / largest
    factorise(plan.gram, rule.m.gram, rule.m.A, rule.m.square, MULTIPLIER_REGULARISATION)


@kernel(**NO_ARRAYS)
def multipliers_by_rule(plan: MetricPlan, m: MetricWork, rule: FrictionSharing, lam: Floats) -> None:
    """λ with the reactions Cᵀλ of y that the rule chooses; L⁻¹ of the unbalanced load stays in ``rule.m.x``.

    Refinement leaves a part u/μ of y in null(Aᵀ).  μ²(A Aᵀ + μ)⁻² y is that part, and μ²/σ⁴ of the rest, which further
    refinement restores.
    """
    w = rule.m
    w.x[:] = 0.0
    for i in range(m.y.shape[0]):
        for k in range(plan.indptr[i], plan.indptr[i + 1]):
            w.x[plan.indices[k]] += m.A[k] * m.y[i]
    w.b[:] = 0.0
    least_change(plan, w, 0.0)
    copy(w.y, lam)
    solve(plan.gram, w.gram, w.y, w.z)
    copy(w.z, w.r)
    solve(plan.gram, w.gram, w.r, w.z)
    for i in range(lam.shape[0]):
        w.z[i] *= -MULTIPLIER_REGULARISATION * MULTIPLIER_REGULARISATION
        lam[i] += w.z[i]
    add_transposed(plan, w, w.z)
    least_change(plan, w, 0.0)
    for i in range(lam.shape[0]):
        lam[i] = w.R[i] * (lam[i] + w.y[i])


@kernel(**NO_ARRAYS)
def multipliers(projection: Projection, lam: Floats) -> None:
    """λ of the accelerations just found: those of a formulation that shares, or of the rule where friction needs one.

    Else they are those of ``least_multipliers``.
    """
    if projection.formulation.shares:
        copy(projection.formulation.lam, lam)
    elif projection.friction.rule.needed:
        copy(projection.friction.lam, lam)
    else:
        least_multipliers(projection.metric, projection.m, lam)


@kernel(**NO_ARRAYS)
def normal_reactions(projection: Projection, column: int) -> None:
    """N of the multipliers −R y, or of those that the rule chooses; y is kept."""
    m, friction = projection.m, projection.friction
    copy(m.y, friction.y[column])
    if friction.rule.needed:
        multipliers_by_rule(projection.metric, m, friction.rule, friction.lam)
    else:
        for i in range(friction.lam.shape[0]):
            friction.lam[i] = -m.R[i] * m.y[i]
    normal_components(projection.plan.friction, projection.work.P, friction.lam, friction.N, column)


@kernel(**NO_ARRAYS)
def combine_frictions(projection: Projection, vdot: Floats) -> None:
    """v̇ and y with the efforts e, which stay in ``work.effort``."""
    friction, table = projection.friction, projection.plan.friction.table
    k = table.shape[0]
    copy(friction.y[k], projection.m.y)
    for j in range(k):
        e = friction.slip.e[j]
        projection.work.effort[table[j, FRICTION_EFFORT]] = e
        for i in range(vdot.shape[0]):
            vdot[i] += e * friction.vdot[j, i]
        for i in range(projection.m.y.shape[0]):
            projection.m.y[i] += e * friction.y[j, i]


def add_friction(projection: Projection, vdot: Floats) -> bool:
    """Add friction to v̇ and y; false when it has no solution or several.

    The accelerations that a rule cannot take out of the loads, because its rows do not suffice, stay in its ``force``.
    """
    friction, work, table = projection.friction, projection.work, projection.plan.friction.table
    k = table.shape[0]
    if friction.rule.needed:
        weigh_rows(projection.metric, projection.m, friction.rule)
    normal_reactions(projection, k)
    for j in range(k):
        friction.a[j] = work.law[table[j, FRICTION_EFFORT]]
        friction.unit[table[j, FRICTION_EFFORT]] = 1.0
        friction.force[:] = 0.0
        effort_loads(projection.plan, work, projection.p.q, friction.unit, friction.force)
        friction.unit[table[j, FRICTION_EFFORT]] = 0.0
        projection.m.b[:] = 0.0
        constrained_accelerations(
            projection.metric, projection.m, projection.massless, work.M, friction.force, friction.vdot[j], 0.0
        )
        normal_reactions(projection, j)
    friction.force[:] = 0.0
    if not friction_fixed_point(projection.plan.friction.start, friction.N, friction.a, friction.slip):
        return False
    combine_frictions(projection, vdot)
    if friction.rule.needed:
        multipliers_by_rule(projection.metric, projection.m, friction.rule, friction.lam)
        copy(friction.rule.m.x, projection.m.x)
        from_root(projection.metric, projection.m, friction.force)
    return True
