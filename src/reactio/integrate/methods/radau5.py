"""Implicit, order 5, stiffly accurate: for stiff springs, strong dampers and nearly rigid couplings."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.integrate.checkpoint import Checkpoint, Chunk, as_arrays, as_checkpoint
from reactio.integrate.chunk_status import chunk_status
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import Task
from reactio.integrate.methods import Method, register
from reactio.integrate.projection.formulated import projection_addresses_bound
from reactio.integrate.projection.project import NO_ROOM
from reactio.integrate.radau5.jacobian import MOST_FREE, initial_room
from reactio.integrate.radau5.run import implicit_runner
from reactio.integrate.radau5.step import RADAU5_NAME, implicit_work, packed, step_memory
from reactio.integrate.rows import rows_of
from reactio.integrate.state import FILLED, REASON, STEPS, output_rows
from reactio.system.types import System


def advanced(system: System, workspace: StepWorkspace, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """One chunk from a checkpoint."""
    c, w, code, run = checkpoint, initial_room(system), NO_ROOM, implicit_runner(system)
    out, now = output_rows(system, task.steps if task.every else len(times)), as_arrays(c)
    memory = step_memory(c)
    while code == NO_ROOM:
        _refuse_too_many(w)
        remaining = task.steps - int(now.counts[STEPS]) + c.steps
        with projection_addresses_bound(system, workspace.projection):
            code = run(workspace, implicit_work(system, memory, w), now, out, times, task._replace(steps=remaining))
        w = min(2 * w, system.n)
    rows = rows_of(out, slice(now.counts[FILLED]))
    c = as_checkpoint(now, c).with_memory(RADAU5_NAME, packed(memory))
    status = chunk_status(system, c, task.until, code, int(now.counts[REASON]))
    return Chunk(status=status, checkpoint=c, **rows)


def _refuse_too_many(w: int) -> None:
    """Refuse more free directions than dense matrices are made for."""
    if w > MOST_FREE:
        raise ReactioError(
            f"The method 'radau5' needs dense matrices of all free directions: {w} of them are more than the limit "
            f"of {MOST_FREE}. Use the method 'dop853', or fewer bodies."
        )


RADAU5 = register(
    Method(
        name=RADAU5_NAME,
        order=5,
        doc="Implicit Radau IIA: for stiff springs, strong dampers and vibration that need not be followed.",
        cite="Hairer & Wanner 1996, Sect. IV.8",
        advance=advanced,
        implicit=lambda _: True,
    )
)
