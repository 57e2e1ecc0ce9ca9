"""Explicit until the motion shows itself stiff, then implicit wherever that is the cheaper of the two."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.methods import Method, dop853, radau5, register
from reactio.dynamics.motion import Checkpoint, Chunk
from reactio.dynamics.radau import WORK, packed, unpacked
from reactio.dynamics.stages import STAGES
from reactio.dynamics.status import Status
from reactio.dynamics.stepper import MANY, Engine, Task
from reactio.system.types import System

LOOK = 25  # steps after which methods are compared: at multiples of it, so that pieces of any length give one motion
# Time of an implicit evaluation, with its share of the linear algebra, in explicit ones: benchmarks/motion.py.
DEARER = 1.5
PATIENCE = 4  # looks after which an implicit method that cost more is tried again; twice as many after every such trial


class Choice(NamedTuple):
    """What is known about the two methods; first part of the memory of a run."""

    implicit: float = 0.0  # 1 where radau5 runs
    explicit: float = 0.0  # evaluations of dop853 for a second of motion [1/s], 0 where it could not go on
    h: float = 0.0  # its last step size [s]
    wait: float = 0.0  # looks until radau5 is tried
    patience: float = PATIENCE  # looks to wait after it cost more
    t: float = 0.0  # [s] at the last look
    work: float = 0.0  # evaluations at the last look, without those for rows of output
    looks: float = 0.0  # with the method in use


KEPT = len(Choice())


def choice(c: Checkpoint) -> Choice:
    """What a checkpoint of this method knows; nothing yet when another method left it."""
    if len(c.memory) in (KEPT, KEPT + len(packed(unpacked(c.memory, c.t, c.q, c.v)))):
        return Choice(*c.memory[:KEPT].tolist())
    return Choice(t=c.t, work=_work(c, False))


def _work(c: Checkpoint, implicit: bool) -> float:
    """Evaluations so far of the method in use, without those for rows of output."""
    return float(c.memory[KEPT + WORK]) if implicit else float(STAGES * (c.steps + c.rejected))


def advanced(system: System, engine: Engine, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """Run one piece on from a checkpoint."""
    pieces, c, status = list[Chunk](), checkpoint, Status.PAUSED
    while status is Status.PAUSED and (left := task.steps - (c.steps - checkpoint.steps)) > 0:
        known = choice(c)
        method = radau5.RADAU5 if known.implicit else dop853.DOP853
        steps = min(left, LOOK - c.steps % LOOK)
        bare = replace(c, memory=c.memory[KEPT:] if known.implicit else np.zeros(0))
        pieces.append(method.advance(system, engine, bare, times, task._replace(steps=steps)))
        status, after = pieces[-1].status, pieces[-1].checkpoint
        c = replace(after, memory=np.concatenate([known, after.memory]))
        if status is Status.STIFF:
            status, c = Status.PAUSED, _implicit(replace(c, h=1e-3 * (task.until - c.t)), known, 0.0)
        elif c.steps % LOOK == 0 and status is Status.PAUSED:
            c = _looked(c, known)
        times = times if task.every else times[len(pieces[-1].t) :]
    t, q, v, vdot, lam = (np.concatenate([getattr(p, key) for p in pieces]) for key in ("t", "q", "v", "vdot", "lam"))
    return Chunk(status, t, q, v, vdot, lam, c)


def _looked(c: Checkpoint, known: Choice) -> Checkpoint:
    """Compare the methods and choose the next."""
    work = _work(c, bool(known.implicit))
    rate = (work - known.work) / (c.t - known.t)
    here = known._replace(t=c.t, work=work, looks=known.looks + 1, wait=max(known.wait - 1, 0.0))
    if not known.implicit and c.stiff >= MANY and here.wait == 0.0:
        return _implicit(c, here, rate)
    # The first look at an implicit method sees it find its step size.
    if known.implicit and known.looks > 0 and 0.0 < known.explicit < DEARER * rate:
        back = replace(c, h=known.h, stiff=0)
        here = Choice(wait=known.patience, patience=2 * known.patience, t=c.t, work=_work(back, False))
        return replace(back, memory=np.array(here))
    return replace(c, memory=np.concatenate([here, c.memory[KEPT:]]))


def _implicit(c: Checkpoint, known: Choice, rate: float) -> Checkpoint:
    """On with the implicit method."""
    here = Choice(1.0, rate, c.h, 0.0, known.patience, c.t, 0.0)
    return replace(c, stiff=MANY, memory=np.array(here))


AUTO = register(
    Method(
        name="auto",
        order=5,
        doc="dop853 until the motion shows itself stiff, then radau5 as long as that takes less work.",
        cite=dop853.DOP853.cite + "; " + radau5.RADAU5.cite,
        advance=advanced,
    )
)
