"""Mass-orthogonal projections, and accelerations by Gauss' principle of least constraint: the default."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from reactio.integrate.formulation import DEFAULT_FORMULATION, Formulation, register
from reactio.integrate.projection.project import FINE, LARGEST_UNSOLVED_PART
from reactio.integrate.projection.workspace import Projection


def projected(projection: Projection, t: float, close: float, limit: float) -> int:
    """Project (d, v) along M⁻¹Cᵀ; v̇ is nearest to M⁻¹Q, measured by M, among all with C v̇ = Γ."""
    reason = project(projection, t, close, limit)
    if reason != FINE:
        return int(reason)
    return int(accelerate(projection, LARGEST_UNSOLVED_PART, close))


PROJECTION = register(
    Formulation(
        name=DEFAULT_FORMULATION,
        doc="Positions, velocities and accelerations nearest to the unconstrained ones in the metric of the masses.",
        undetermined="They stay undetermined: no number is shown for them without a sharing rule.",
        cite="Gauss 1829; Lubich 1991, Impact Comput. Sci. Eng. 3, 212–234",
        accelerate=projected,
        agreement=0.0,
        dense=False,
    )
)
