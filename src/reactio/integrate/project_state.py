"""A single state projected on the constraints, with its accelerations and multipliers, as the start of a run is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, as_arrays, as_checkpoint
from reactio.integrate.dop853.run import explicit_runner
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import Task
from reactio.integrate.projection.project import LARGEST_POSITION_RESIDUAL, bind_projection_addresses
from reactio.integrate.state import output_rows
from reactio.system.types import System


def project_state(
    system: System, workspace: StepWorkspace, c: Checkpoint, t: float, q: Floats, v: Floats
) -> tuple[int, Checkpoint]:
    """The checkpoint of a projected state with v̇ and λ, and the reason of a failure (or FINE)."""
    now = as_arrays(replace(c, t=t, q=q, v=v))
    bind_projection_addresses(system, workspace.projection)
    reason = explicit_runner(system)(
        workspace, now, output_rows(system, 0), np.zeros(0), Task(t, 0.0, 0.0, 0, False, LARGEST_POSITION_RESIDUAL, 1.0)
    )
    return int(reason), as_checkpoint(now, c)
