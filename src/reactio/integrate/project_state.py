"""A single state projected on the constraints, with its accelerations and multipliers, as the start of a run is."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, as_arrays, as_checkpoint
from reactio.integrate.dop853.run import explicit_runner
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import Task
from reactio.integrate.projection.project import LARGEST_POSITION_RESIDUAL, bind_projection_addresses
from reactio.integrate.state import output_rows
from reactio.system.types import System


class ProjectedState(NamedTuple):
    """A state after its projection."""

    reason: int  # of a refusal (status.Refusal), FINE where there is none
    checkpoint: Checkpoint  # with v̇ and λ, and its power and clearance


def project_state(
    system: System, workspace: StepWorkspace, c: Checkpoint, t: float, q: Floats, v: Floats
) -> ProjectedState:
    """The state t, q, v projected, with v̇ and λ; fields that do not depend on it come from a checkpoint.

    It is the explicit integrator that does this, when asked for no step.
    """
    now = as_arrays(replace(c, t=t, q=q, v=v))
    bind_projection_addresses(system, workspace.projection)
    no_steps = Task(until=t, tol=0.0, step=0.0, steps=0, every=False, limit=LARGEST_POSITION_RESIDUAL, extent=1.0)
    reason = explicit_runner(system)(workspace, now, output_rows(system, 0), np.zeros(0), no_steps)
    return ProjectedState(int(reason), as_checkpoint(now, c))
