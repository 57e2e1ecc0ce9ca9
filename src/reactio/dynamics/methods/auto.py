"""Explicit until the motion shows itself stiff, implicit from there on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.methods import Method, dop853, radau5, register
from reactio.dynamics.motion import Checkpoint, Chunk
from reactio.dynamics.radau import remembered
from reactio.dynamics.status import Status
from reactio.dynamics.stepper import MANY, Engine, Task
from reactio.system.types import System

LOOK = 25  # steps after which stiffness is looked at: at multiples of it, so that pieces of any length give one motion


def advanced(system: System, engine: Engine, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """Run one piece on from a checkpoint; once stiff, a run stays with the implicit method."""
    pieces, c, status = list[Chunk](), checkpoint, Status.PAUSED
    while status is Status.PAUSED and (left := task.steps - (c.steps - checkpoint.steps)) > 0:
        implicit = len(c.memory) > 0 or (c.stiff >= MANY and c.steps % LOOK == 0)
        method = radau5.RADAU5 if implicit else dop853.DOP853
        steps = min(left, LOOK - c.steps % LOOK)
        pieces.append(method.advance(system, engine, c, times, task._replace(steps=steps)))
        status, c = pieces[-1].status, pieces[-1].checkpoint
        if status is Status.STIFF:
            status, c = (
                Status.PAUSED,
                replace(c, stiff=MANY, h=1e-3 * (task.until - c.t), memory=remembered(c).packed()),
            )
        times = times if task.every else times[len(pieces[-1].t) :]
    t, q, v, vdot, lam = (np.concatenate([getattr(p, key) for p in pieces]) for key in ("t", "q", "v", "vdot", "lam"))
    return Chunk(status, t, q, v, vdot, lam, c)


AUTO = register(
    Method(
        name="auto",
        order=5,
        doc="dop853 until the motion shows itself stiff, radau5 from there on.",
        cite=dop853.DOP853.cite + "; " + radau5.RADAU5.cite,
        advance=advanced,
    )
)
