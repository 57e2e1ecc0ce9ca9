"""The arrays on which integration steps work: those of the projection, of the stages of a step, and of its work."""

from __future__ import annotations

from typing import NamedTuple

from reactio.integrate.dop853.quadrature import Quadrature, quadrature
from reactio.integrate.dop853.step import Stages, stages
from reactio.integrate.dop853.tableau import Tableau, dop853
from reactio.integrate.formulation import DEFAULT_FORMULATION
from reactio.integrate.projection.workspace import Projection, projection_workspace
from reactio.sharing import Weights
from reactio.system.evaluate.power import does_work
from reactio.system.types import System


class StepWorkspace(NamedTuple):
    """The arrays on which integration steps work."""

    projection: Projection
    tableau: Tableau
    s: Stages
    gauss: Quadrature
    works: bool  # has the system drives, or loads without a potential, whose work is to be integrated?


def step_workspace(
    system: System, weights: Weights | None = None, formulation: str = DEFAULT_FORMULATION
) -> StepWorkspace:
    """The symbolic phase and the arrays for a system; see ``projection_workspace``."""
    projection = projection_workspace(system, weights, formulation)
    return StepWorkspace(projection, dop853(), stages(system.nq, system.n), quadrature(), does_work(system))
