"""A single state projected on the constraints, with its accelerations and multipliers, as the start of a run is."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, as_arrays, as_checkpoint
from reactio.integrate.dop853.run import state_projector
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.projection.formulated import projection_addresses_bound
from reactio.system.evaluate.kernels import evaluator
from reactio.system.types import System


class ProjectedState(NamedTuple):
    """A state after its projection."""

    reason: int  # of a refusal (status.Refusal), FINE where there is none
    checkpoint: Checkpoint  # with v̇ and λ, and its power and clearance


def project_state(
    system: System, workspace: StepWorkspace, c: Checkpoint, t: float, q: Floats, v: Floats
) -> ProjectedState:
    """The state t, q, v projected, with v̇ and λ; fields that do not depend on it come from a checkpoint."""
    now = as_arrays(replace(c, t=t, q=q, v=v))
    with projection_addresses_bound(system, workspace.projection):
        reason = state_projector(evaluator(system))(workspace, now)
    return ProjectedState(int(reason), as_checkpoint(now, c))
