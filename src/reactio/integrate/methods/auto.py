"""Explicit until the motion turns out to be stiff, then implicit as long as that takes less work."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk
from reactio.integrate.dop853.run import STIFF_COUNT
from reactio.integrate.dop853.step import STAGES
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import Task
from reactio.integrate.methods import Method, dop853, radau5, register
from reactio.integrate.radau5.step_size import STEP_EVALUATIONS
from reactio.integrate.rows import joined_rows
from reactio.integrate.status import Status
from reactio.system.types import System

# Steps between comparisons of the methods.  They are made at multiples of it, so that the motion does not depend on the
# length of chunks.
COMPARISON_INTERVAL = 25
# Time of an implicit evaluation, with its share of linear algebra, relative to an explicit one (benchmarks/motion.py).
IMPLICIT_COST = 1.5
# Comparisons after which the other method is tried; twice as many whenever it cost more, up to the second number.
FIRST_PATIENCE, LONGEST_PATIENCE = 8.0, 64.0
# Part of the time until the end with which implicit steps begin where explicit ones have collapsed, whose size says
# nothing: its error control finds the right size from there within some steps.
FIRST_IMPLICIT_STEP = 1e-3


class MethodChoice(NamedTuple):
    """The measured cost of both methods; first part of the memory of a checkpoint."""

    implicit: float = 0.0  # 1 where radau5 runs
    other: float = 0.0  # cost of the other method for a second of motion [evaluations/s], 0 if unknown
    h: float = 0.0  # last step size of the other [s]
    trial: float = 0.0  # 1 while the method in use is on trial
    wait: float = 0.0  # comparisons until the other is tried
    patience: float = FIRST_PATIENCE
    t: float = 0.0  # [s] of the last comparison
    work: float = 0.0  # evaluations at the last comparison, without those for rows of output
    compared: float = 0.0  # comparisons since the method was changed


MEMORY_SIZE = len(MethodChoice())
AUTO_NAME = "auto"  # of the method, by which its memory in a checkpoint is recognised


def method_choice(c: Checkpoint) -> MethodChoice:
    """The choice in a checkpoint; the initial one where its memory is of another method."""
    if c.memory_of != AUTO_NAME:
        return MethodChoice(t=c.t, work=_work(c, False))
    if len(c.memory) < MEMORY_SIZE:
        raise c.memory_error(f"at least {MEMORY_SIZE}")
    return MethodChoice(*c.memory[:MEMORY_SIZE].tolist())


def _of_method_in_use(c: Checkpoint, choice: MethodChoice) -> Checkpoint:
    """The checkpoint with the memory of the method in use alone: that of radau5, unless it is about to begin."""
    memory = c.memory[MEMORY_SIZE:] if c.memory_of == AUTO_NAME and choice.implicit else np.zeros(0)
    return c.with_memory(radau5.RADAU5.name, memory) if len(memory) else c.without_memory()


def _work(c: Checkpoint, implicit: bool) -> float:
    """Work of the method in use so far [explicit evaluations], without that for rows of output."""
    return (
        IMPLICIT_COST * float(c.memory[MEMORY_SIZE + STEP_EVALUATIONS])
        if implicit
        else float(STAGES * (c.steps + c.rejected))
    )


def advanced(system: System, workspace: StepWorkspace, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """One chunk from a checkpoint, by one method or by both in turn."""
    pieces, c, status = list[Chunk](), checkpoint, Status.PAUSED
    while status is Status.PAUSED and (remaining := task.steps - (c.steps - checkpoint.steps)) > 0:
        choice = method_choice(c)
        method = radau5.RADAU5 if choice.implicit else dop853.DOP853
        steps = min(remaining, COMPARISON_INTERVAL - c.steps % COMPARISON_INTERVAL)
        begun = _of_method_in_use(c, choice)
        pieces.append(method.advance(system, workspace, begun, times, task._replace(steps=steps)))
        status, after = pieces[-1].status, pieces[-1].checkpoint
        c = after.with_memory(AUTO_NAME, np.concatenate([choice, after.memory]))
        if status is Status.STIFF:
            first = replace(c, h=FIRST_IMPLICIT_STEP * (task.until - c.t))
            status, c = Status.PAUSED, _with_other_method(first, choice._replace(wait=np.inf), trial=0.0)
        elif c.steps % COMPARISON_INTERVAL == 0 and status is Status.PAUSED:
            c = _compared(c, choice)
        times = times if task.every else times[len(pieces[-1].t) :]
    marked = np.concatenate([chunk.marked for chunk in pieces])
    return Chunk(status=status, checkpoint=c, near_singular=marked, **joined_rows(*pieces))


def _compared(c: Checkpoint, choice: MethodChoice) -> Checkpoint:
    """The checkpoint after a comparison of the methods, with the choice of the one that takes the next steps."""
    work = _work(c, bool(choice.implicit))
    cost = (work - choice.work) / (c.t - choice.t)
    new = choice._replace(t=c.t, work=work, compared=choice.compared + 1, wait=max(choice.wait - 1.0, 0.0))
    if choice.trial and choice.compared >= 1:  # in the first comparison the method finds its step size
        if cost > choice.other:
            longer = min(2 * choice.patience, LONGEST_PATIENCE)
            return _with_other_method(
                replace(c, h=choice.h), new._replace(wait=longer, patience=longer), trial=0.0, cost=cost
            )
        new = new._replace(trial=0.0, wait=FIRST_PATIENCE, patience=FIRST_PATIENCE)
    elif not choice.trial and new.wait == 0.0 and (choice.implicit or c.stiff >= STIFF_COUNT):
        start = replace(c, h=min(choice.h, c.h) if choice.implicit else c.h)
        return _with_other_method(start, new, trial=1.0, cost=cost, h=c.h)
    return c.with_memory(AUTO_NAME, np.concatenate([new, c.memory[MEMORY_SIZE:]]))


def _with_other_method(
    c: Checkpoint, choice: MethodChoice, *, trial: float, cost: float = 0.0, h: float = 0.0
) -> Checkpoint:
    """The checkpoint from which the other method continues; the explicit one detects stiffness anew."""
    implicit = 1.0 - choice.implicit
    new = choice._replace(implicit=implicit, other=cost, h=h or c.h, trial=trial, compared=0.0)
    if implicit:
        return replace(c, stiff=STIFF_COUNT).with_memory(AUTO_NAME, np.array(new._replace(t=c.t, work=0.0)))
    new = new._replace(t=c.t, work=_work(c, implicit=False))
    return replace(c, stiff=0).with_memory(AUTO_NAME, np.array(new))


AUTO = register(
    Method(
        name=AUTO_NAME,
        order=5,
        doc="dop853 until the motion turns out to be stiff, then radau5 as long as that takes less work.",
        cite=dop853.DOP853.cite + "; " + radau5.RADAU5.cite,
        advance=advanced,
        implicit=lambda c: bool(method_choice(c).implicit),
    )
)
