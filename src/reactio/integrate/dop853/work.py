"""The work of drives and of loads without a potential in a step, W = ∫ P dt [J].

W is one more unknown with Ẇ = P(t, d, v), which the stages of a step give without further evaluations:

    W = h Σ b_j P_j,        its error by the embedded formulas of orders 5 and 3

It has no part in the choice of the step size.  Where drives prescribe the motion steps are long, because the prescribed
part has no error.  Where the error estimate exceeds a tolerance of the kinetic energy or of the work of the step, the
power is evaluated at the nodes of Gauss in the dense output of the step, in 1, 2, 4 … equal panels of size H:

    W(x) = H Σ_i P_i ∫₀ˣ ℓ_i dx,        ℓ_i: Lagrange polynomials of the nodes of a panel,  0 ≤ x ≤ 1
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import math

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.dop853.step import (
    ALL_STAGES,
    DENSE_COEFFICIENTS,
    GAUSS_NODES,
    MOST_WORK_PANELS,
    STAGES,
    Stages,
    interpolate,
)
from reactio.integrate.dop853.tableau import Tableau
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.projection.massless import times_mass
from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.row_basis import dot
from reactio.system.evaluate.power import power_of_loads

# Part of an estimate to which twice as many panels must bring it to be worth another doubling: a power that jumps
# comes to a half, a smooth one to 2⁻⁸, and rounding stays.
WORTH_DOUBLING = 0.7


@kernel(**NO_ARRAYS)
def power_at(projection: Projection) -> float:
    """P = −λᵀν + that of loads [W], at the state that was accelerated last, before anything else uses its factors.

    λ = −R y with the y that the accelerations left; where λ is not unique, all choices have the same λᵀν = vᵀCᵀλ.
    """
    m, nu = projection.m, projection.work.nu
    power = power_of_loads(projection.plan.efforts, projection.work)
    for i in range(nu.shape[0]):
        power += m.R[i] * m.y[i] * nu[i]
    return power


@kernel(**NO_ARRAYS)
def weighted(weights: Floats, s: Stages, h: float) -> float:
    """h Σ w_j P_j over the stages of a step [J]."""
    total = 0.0
    for j in range(ALL_STAGES):
        total += h * weights[j] * s.P[j]
    return total


@kernel(**NO_ARRAYS)
def work_error(s: Stages, tableau: Tableau, h: float) -> float:
    """The estimated error of the work of a step [J], e₅² / √(e₅² + 0.01 e₃²): as that of the motion in ``step``."""
    e5, e3 = weighted(tableau.E5, s, h), weighted(tableau.E3, s, h)
    return e5 * e5 / math.sqrt(e5 * e5 + 0.01 * e3 * e3) if e5 != 0.0 else 0.0


@kernel(**NO_ARRAYS)
def by_stages(s: Stages, tableau: Tableau, h: float, dense: bool) -> None:
    """The work of a step by its weights in W[0], and with ``dense`` the other coefficients of its dense output."""
    s.W[0] = weighted(tableau.A[STAGES], s, h)
    if dense:
        s.W[1] = h * s.P[0] - s.W[0]
        s.W[2] = 2 * s.W[0] - h * (s.P[STAGES] + s.P[0])
        for i in range(4):
            s.W[3 + i] = weighted(tableau.D[i], s, h)


@kernel(**NO_ARRAYS)
def inside_by_stages(s: Stages, x: float) -> float:
    """The work since the start of a step at its part x [J], by the dense output."""
    work = 0.0
    for i in range(DENSE_COEFFICIENTS - 1, -1, -1):
        work = (work + s.W[i]) * (x if i % 2 == 0 else 1.0 - x)
    return work


@kernel(**NO_ARRAYS)
def inside_by_gauss(s: Stages, integral: Floats, panels: int, x: float, h: float) -> float:
    """The same by the power at the nodes of Gauss in some panels."""
    work, H = 0.0, h / panels
    for panel in range(panels):
        z = 2.0 * min(1.0, x * panels - panel) - 1.0
        if z <= -1.0:
            break
        for i in range(GAUSS_NODES):
            weight = 0.0
            for k in range(GAUSS_NODES, -1, -1):
                weight = weight * z + integral[k, i]
            work += H * weight * s.G[panel, i]
    return work


@kernel(**NO_ARRAYS)
def panel_error(s: Stages, last: Floats, panels: int, h: float) -> float:
    """The estimated error of the work of a step by Gauss's nodes [J]: the last term of P in its integral."""
    largest = 0.0
    for panel in range(panels):
        largest = max(largest, abs(dot(last, s.G[panel])))
    return h * largest


@kernel(**NO_ARRAYS)
def kinetic_energy(projection: Projection, v: Floats) -> float:
    """½ vᵀ M v at the pose that was evaluated last [J]."""
    times_mass(projection.metric, projection.work.M, v, projection.massless.z)
    return 0.5 * dot(v, projection.massless.z)


def _gauss_powers(e: StepWorkspace, t: float, h: float, panels: int) -> int:
    """The power at the nodes of Gauss in a step whose dense output is known; the number of evaluations returns."""
    s, p = e.s, e.projection.p
    for panel in range(panels):
        for i in range(GAUSS_NODES):
            x = (panel + e.gauss.x[i]) / panels
            interpolate(s, p, x)
            project_and_accelerate(e.projection, t + x * h, 0.0, np.inf)
            s.G[panel, i] = power_at(e.projection)
    return GAUSS_NODES * panels


def _work_by_gauss(e: StepWorkspace, t: float, h: float, tol: float, kinetic: float) -> tuple[int, int]:
    """The work of a step in W[0] by Gauss's nodes in as many panels as it needs; their number and evaluations return.

    It may be wrong by ``tol`` of the kinetic energy [J], or of the work.
    """
    s, panels, used, before = e.s, 1, 0, np.inf
    while True:
        used += gauss_powers(e, t, h, panels)
        s.W[0] = inside_by_gauss(s, e.gauss.integral, panels, 1.0, h)
        error = panel_error(s, e.gauss.last, panels, h)
        enough = error <= tol * max(kinetic, abs(s.W[0]))
        if enough or panels == MOST_WORK_PANELS or not error <= WORTH_DOUBLING * before:
            return panels, used
        panels, before = 2 * panels, error


# Templates, each after those that it calls.
WORK_TEMPLATES = {"gauss_powers": _gauss_powers, "work_by_gauss": _work_by_gauss}
