"""Explicit, order 8: for motion that is not stiff."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk, as_arrays, as_checkpoint
from reactio.integrate.chunk_status import chunk_status
from reactio.integrate.dop853.run import explicit_runner
from reactio.integrate.dop853.step import STAGES
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import Task
from reactio.integrate.methods import Method, register
from reactio.integrate.projection.formulated import projection_addresses_bound
from reactio.integrate.rows import rows_of
from reactio.integrate.state import FILLED, REASON, output_rows
from reactio.integrate.status import Status
from reactio.integrate.stiffness import fastest_motion_at
from reactio.system.types import System


def advanced(system: System, workspace: StepWorkspace, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """One chunk from a checkpoint."""
    out, now = output_rows(system, task.steps if task.every else len(times)), as_arrays(checkpoint)
    with projection_addresses_bound(system, workspace.projection):
        code = explicit_runner(system)(workspace, now, out, times, task)
    k = now.counts[FILLED]
    c = as_checkpoint(now, checkpoint).without_memory()
    status = chunk_status(system, c, task.until, code, int(now.counts[REASON]))
    # A smooth motion needs h |λ| << 1; a step above that falls short of its tolerance because of stability.
    if status is Status.INACCURATE and c.h * fastest_motion_at(system, workspace, c).eigenvalue > 1.0:
        status = Status.STIFF
    return Chunk(status=status, checkpoint=c, near_singular=out.near_singular[:k], **rows_of(out, slice(k)))


DOP853 = register(
    Method(
        name="dop853",
        order=8,
        doc="Explicit Runge–Kutta method of Dormand and Prince: the fastest where nothing is stiff.",
        cite="Hairer, Nørsett & Wanner 1993, Sect. II.5 and II.10",
        advance=advanced,
        kernels="motion",
        least_evaluations=STAGES,
        stabilises=True,
    )
)
