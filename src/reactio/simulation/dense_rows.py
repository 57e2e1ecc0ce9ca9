"""States between the rows of a run, from a repetition of its steps."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk, Motion
from reactio.integrate.integrator import as_motion, prepare_integrator
from reactio.integrate.longest_step import longest_step
from reactio.integrate.loop import Task
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.status import Status
from reactio.kernels import expected_work
from reactio.system.types import System

STEPS_PER_PIECE = 200  # between two looks at the status of the integrator


def repeated_rows(
    system: System,
    options: IntegrationOptions,
    start: Checkpoint,
    times: Floats,
    span: tuple[float, float],
    evaluations: int,
) -> Motion:
    """Rows at increasing times (k,) after a start of the integrator, by the options of its run.

    ``span`` [s]: the first and the last time of that run, which took so many ``evaluations``.  Ctrl-C discards the
    rows: unlike those of a run, some of them alone are of no use.
    """
    integrator, now = prepare_integrator(system, start, options, float(times[-1]))
    longest = longest_step(system, *span)
    task = Task(float(times[-1]), options.tol, 0.0, STEPS_PER_PIECE, False, start.limit, start.extent, longest)
    pieces: list[Chunk] = []
    with expected_work(system.m, evaluations + 2 * len(times)):  # its steps again; projection and multipliers of a row
        while not pieces or pieces[-1].status is Status.PAUSED:
            pieces.append(integrator.run_chunk(now, times, task))
            now, times = pieces[-1].checkpoint, times[len(pieces[-1].t) :]
    return as_motion(system, pieces, pieces[-1].status, now, start, options)
