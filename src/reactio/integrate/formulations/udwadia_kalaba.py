"""The equation of Udwadia and Kalaba: accelerations by a pseudoinverse, multipliers of smallest norm."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.integrate.formulation import DRIFT_BOUND, Formulation, register
from reactio.integrate.formulations.null_space import DRIFTED_UNSOLVED_PART
from reactio.integrate.projection.mass_projection import MASS_REGULARISATION, right_side
from reactio.integrate.projection.project import FINE, NEAR_SINGULAR, factor
from reactio.integrate.projection.reduced import load_rows, nearly_dependent
from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.lu import lu_factorise, lu_solve
from reactio.linear.row_basis import dot, row_basis


@kernel(**NO_ARRAYS)
def smallest_multipliers(projection: Projection) -> None:
    """λ with Cᵀλ = f and the smallest |λ| in SI units, f from y of λ = −R y.

    With an orthonormal basis Q₁ of the rows of C, K = C Q₁ᵀ:  λ = K (KᵀK)⁻¹ Q₁ f.
    """
    f, metric, m = projection.formulation, projection.metric, projection.m
    load_rows(projection)
    for i in range(f.C.shape[0]):
        for k in range(f.C.shape[1]):
            f.C[i, k] *= metric.row_scale[i]
    row_basis(f.C, f.Q, f.rows, f.remainder, f.pivots, f.rank[0])
    r = f.rank[0]
    f.x[:] = 0.0
    for i in range(f.C.shape[0]):
        for k in range(f.x.shape[0]):
            f.x[k] -= f.C[i, k] * m.R[i] * m.y[i]
    for j in range(r):
        f.y[j] = dot(f.Q[j], f.x)
    for i in range(r):  # KᵀK = Q₁ CᵀC Q₁ᵀ
        f.T[i, :] = 0.0
        for l in range(f.C.shape[0]):
            part = dot(f.C[l], f.Q[i])
            for k in range(f.C.shape[1]):
                f.T[i, k] += part * f.C[l, k]
        for j in range(r):
            f.G[i, j] = dot(f.T[i], f.Q[j])
    lu_factorise(f.G, f.pivot_G, r)
    lu_solve(f.G, f.pivot_G, r, f.y)
    f.x[:] = 0.0
    for j in range(r):
        for k in range(f.x.shape[0]):
            f.x[k] += f.y[j] * f.Q[j, k]
    for i in range(f.C.shape[0]):
        f.lam[i] = dot(f.C[i], f.x)


def by_pseudoinverse(projection: Projection, t: float, close: float, limit: float) -> int:
    """Leave (d, v) as they are; v̇ = a + M^(−1/2) (C M^(−1/2))⁺ (Γ − C a), a = M⁻¹Q."""
    work, m = projection.work, projection.m
    evaluate_as_given(projection, t)
    factor(projection, MASS_REGULARISATION)
    right_side(m, work.Gamma)
    reason = accelerate(projection, DRIFTED_UNSOLVED_PART, close)
    if reason == FINE:
        smallest_multipliers(projection)
        if nearly_dependent(projection):
            return NEAR_SINGULAR
    return int(reason)


UDWADIA_KALABA = register(
    Formulation(
        name="udwadia-kalaba",
        doc="Accelerations by the pseudoinverse of C M^(−1/2), multipliers by that of Cᵀ. Nothing holds positions and "
        "velocities: they drift.",
        undetermined="Of all multipliers that balance the loads it takes those of smallest norm, newtons and "
        "newton-metres added as numbers: other units or other axes give other reactions.",
        cite="Udwadia & Kalaba 1992, Proc. R. Soc. A 439, 407–410; Wojtyra & Frączek 2013, Sect. 3.2",
        accelerate=by_pseudoinverse,
        agreement=1e-5,
        projects=False,
        drift=DRIFT_BOUND,
        multipliers=True,
        friction_by_rule=False,
        massless=False,
    )
)
