"""States between the rows of a run, from a repetition of its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reactio.arrays import Floats
from reactio.integrate.dop853.run import Task
from reactio.integrate.integrator import Checkpoint, Chunk, Motion, as_motion, prepare_integrator
from reactio.integrate.status import Status

if TYPE_CHECKING:
    from reactio.simulation.trajectory import Trajectory

STEPS = 200  # of a piece


def rows_between(run: Trajectory, start: Checkpoint, times: Floats) -> Motion:
    """Rows at increasing times (k,) after the start of one of the segments of a run, by the options of that run.

    Ctrl-C discards them: unlike the rows of a run, a part of them serves nothing.
    """
    integrator, now = prepare_integrator(run.system, start, run.options, float(times[-1]))
    task = Task(float(times[-1]), run.tol, 0.0, STEPS, False, start.limit, start.extent)
    pieces: list[Chunk] = []
    while not pieces or pieces[-1].status is Status.PAUSED:
        pieces.append(integrator.run_chunk(now, times, task))
        now, times = pieces[-1].checkpoint, times[len(pieces[-1].t) :]
    return as_motion(run.system, pieces, pieces[-1].status, now, start, run.options)
