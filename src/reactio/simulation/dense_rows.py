"""Rows between the rows of a run: the same steps are taken once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reactio.arrays import Floats
from reactio.integrate.dop853.run import Task
from reactio.integrate.integrator import Checkpoint, Chunk, Motion, as_motion, prepare_integrator
from reactio.integrate.status import Status

if TYPE_CHECKING:
    from reactio.simulation.trajectory import Trajectory

STEPS = 200  # of a piece


def rows_between(run: Trajectory, start: Checkpoint, times: Floats) -> Motion | Trajectory:
    """Rows at increasing times (k,) behind the start of one of the segments of a run, on its own way.

    Unlike a run, which keeps its part, this is of no use in parts: Ctrl-C ends it as it ends everything else.
    """
    if run.system.model.share_points:
        from reactio.simulation.shared_run import simulate_shared

        done = simulate_shared(run.system, start, float(times[-1]), run.tol, output=times)
        if done.status is Status.PAUSED:
            raise KeyboardInterrupt
        return done
    integrator, now = prepare_integrator(run.system, start, run.options, float(times[-1]))
    task = Task(float(times[-1]), run.tol, 0.0, STEPS, False, start.limit, start.extent)
    pieces: list[Chunk] = []
    while not pieces or pieces[-1].status is Status.PAUSED:
        pieces.append(integrator.run_chunk(now, times, task))
        now, times = pieces[-1].checkpoint, times[len(pieces[-1].t) :]
    return as_motion(run.system, pieces, pieces[-1].status, now, start, run.options)
