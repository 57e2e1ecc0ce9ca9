"""Explicit until the motion shows itself stiff, then implicit wherever that is the cheaper of the two."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.dop853.run import MANY, Engine, Task
from reactio.integrate.dop853.step import STAGES
from reactio.integrate.integrator import Checkpoint, Chunk
from reactio.integrate.methods import Method, dop853, radau5, register
from reactio.integrate.radau5.step import packed, unpacked
from reactio.integrate.radau5.step_size import WORK
from reactio.integrate.status import Status
from reactio.system.types import System

LOOK = 25  # steps after which methods are compared: at multiples of it, so that pieces of any length give one motion
# Time of an implicit evaluation, with its share of the linear algebra, in explicit ones: benchmarks/motion.py.
DEARER = 1.5
# Looks after which the other method is tried; twice as many whenever it cost more, up to the second number.
PATIENCE, LONGEST = 8.0, 64.0
FIND = 1  # looks a method is given to find its step size before it is judged


class Choice(NamedTuple):
    """What is known about the two methods; first part of the memory of a run."""

    implicit: float = 0.0  # 1 where radau5 runs
    other: float = 0.0  # what the other method cost for a second of motion [evaluations/s], 0 where that is not known
    h: float = 0.0  # last step size of the other [s]
    trial: float = 0.0  # 1 while the method in use is on trial
    wait: float = 0.0  # looks until the other is tried
    patience: float = PATIENCE
    t: float = 0.0  # [s] at the last look
    work: float = 0.0  # evaluations at the last look, without those for rows of output
    looks: float = 0.0  # since the method was changed


KEPT = len(Choice())


def choice(c: Checkpoint) -> Choice:
    """What a checkpoint of this method knows; nothing yet when another method left it."""
    if len(c.memory) in (KEPT, KEPT + len(packed(unpacked(c.memory, c.t, c.q, c.v)))):
        return Choice(*c.memory[:KEPT].tolist())
    return Choice(t=c.t, work=_work(c, False))


def _work(c: Checkpoint, implicit: bool) -> float:
    """Evaluations so far of the method in use, in explicit ones, without those for rows of output."""
    return DEARER * float(c.memory[KEPT + WORK]) if implicit else float(STAGES * (c.steps + c.rejected))


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
            stuck = replace(c, h=1e-3 * (task.until - c.t))
            status, c = Status.PAUSED, _changed(stuck, known._replace(wait=np.inf), trial=0.0)
        elif c.steps % LOOK == 0 and status is Status.PAUSED:
            c = _looked(c, known)
        times = times if task.every else times[len(pieces[-1].t) :]
    t, q, v, vdot, lam = (np.concatenate([getattr(p, key) for p in pieces]) for key in ("t", "q", "v", "vdot", "lam"))
    return Chunk(status, t, q, v, vdot, lam, c)


def _looked(c: Checkpoint, known: Choice) -> Checkpoint:
    """Compare the methods and choose the next."""
    work = _work(c, bool(known.implicit))
    cost = (work - known.work) / (c.t - known.t)
    here = known._replace(t=c.t, work=work, looks=known.looks + 1, wait=max(known.wait - 1.0, 0.0))
    if known.trial and known.looks >= FIND:
        if cost > known.other:
            longer = min(2 * known.patience, LONGEST)
            return _changed(replace(c, h=known.h), here._replace(wait=longer, patience=longer), trial=0.0, cost=cost)
        here = here._replace(trial=0.0, wait=PATIENCE, patience=PATIENCE)
    elif not known.trial and here.wait == 0.0 and (known.implicit or c.stiff >= MANY):
        start = replace(c, h=min(known.h, c.h) if known.implicit else c.h)
        return _changed(start, here, trial=1.0, cost=cost, h=c.h)
    return replace(c, memory=np.concatenate([here, c.memory[KEPT:]]))


def _changed(c: Checkpoint, known: Choice, *, trial: float, cost: float = 0.0, h: float = 0.0) -> Checkpoint:
    """On with the other method; an explicit one has to show itself stiff anew."""
    implicit = 1.0 - known.implicit
    here = known._replace(implicit=implicit, other=cost, h=h or c.h, trial=trial, looks=0.0)
    if implicit:
        return replace(c, stiff=MANY, memory=np.array(here._replace(t=c.t, work=0.0)))
    return replace(c, stiff=0, memory=np.array(here._replace(t=c.t, work=_work(c, implicit=False))))


AUTO = register(
    Method(
        name="auto",
        order=5,
        doc="dop853 until the motion shows itself stiff, then radau5 as long as that takes less work.",
        cite=dop853.DOP853.cite + "; " + radau5.RADAU5.cite,
        advance=advanced,
        implicit=lambda c: bool(choice(c).implicit),
    )
)
