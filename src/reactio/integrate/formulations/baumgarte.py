"""Baumgarte's stabilisation: constraints are pulled back by terms in the accelerations instead of projected."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.integrate.formulation import DRIFT_BOUND, Formulation, Setting, register
from reactio.integrate.projection.mass_projection import least_change
from reactio.integrate.projection.project import STAGE_ACCURACY, factor
from reactio.integrate.projection.workspace import Projection

# μ of A Aᵀ + μ, and the largest relative residual.  A velocity error δ along a direction with the singular value σ
# violates C v = ν by σδ only, and grows as 1/σ towards a singular configuration; directions with σ below √μ = 1e-3 are
# therefore not corrected.
BAUMGARTE_REGULARISATION, BAUMGARTE_UNSOLVED_PART = 1e-6, 1e-3
BAUMGARTE_RATE = 20.0  # [1/s] where none is given


def stabilised(projection: Projection, t: float, close: float, limit: float) -> int:
    """Leave (d, v) as they are, with Γ − 2α(C v − ν) − α²Φ to pull them back.  Baumgarte 1972, Eq. 13.

    Redundant rows that have drifted differently contradict each other; only the part A A⁺ b of the correction b in the
    range of C is used.
    """
    work, metric, m, p, alpha = (
        projection.work,
        projection.metric,
        projection.m,
        projection.p,
        projection.formulation.settings[0],
    )
    evaluate_as_given(projection, t)
    factor(projection, BAUMGARTE_REGULARISATION)
    for i in range(m.b.shape[0]):
        speed = -work.nu[i]
        for k in range(metric.indptr[i], metric.indptr[i + 1]):
            speed += work.C[k] * p.v[metric.indices[k]]
        m.b[i] = -m.R[i] * alpha * (2.0 * speed + alpha * work.Phi[i])
    m.x[:] = 0.0
    least_change(metric, m, STAGE_ACCURACY)
    for i in range(m.b.shape[0]):
        m.b[i] += m.R[i] * work.Gamma[i] - m.r[i]
    return int(accelerate(projection, BAUMGARTE_UNSOLVED_PART, close))


BAUMGARTE = register(
    Formulation(
        name="baumgarte",
        doc="Accelerations that pull drifting constraints back as a critically damped spring does.",
        undetermined="They remain undetermined, as with projections. Redundant rows that drift apart contradict "
        "each other; the contradictory part is ignored.",
        cite="Baumgarte 1972, Comput. Methods Appl. Mech. Eng. 1, 1–16",
        accelerate=stabilised,
        settings=(Setting("alpha", BAUMGARTE_RATE, "rate at which constraints are pulled back", "1/s", 1e-6),),
        agreement=1e-5,
        projects=False,
        drift=DRIFT_BOUND,
        dense=False,
        interpolates=False,
    )
)
