"""Starts in singular configurations: the accelerations of the branch that the initial velocities select.

They are the limit of the accelerations on both sides (``forward_dynamics.branch_limit``), at the assembled poses
q ± ε v.  A start at rest has no velocities that select a branch.  Near the configuration, not in it, the constraints
have their full rank and select one: it moves along its accelerations v̇, which are the same limit along
q ± ε v̇, without rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.forward_dynamics.branch_limit import LIMIT_DISTANCES, SingularStart, limit_between
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.projection.project import FINE
from reactio.linear.rank import RankDecision

# First steps must leave the neighbourhood; the step size that suits them is guessed on the short side.
FIRST_STEP_FACTOR = 10.0


class JudgedAccelerations(NamedTuple):
    """Rank and accelerations by the constraints at one state."""

    rank: RankDecision  # of C
    vdot: Floats  # (n,) by all rows of C, those with small pivots included


def branch_accelerations(
    displaced: Callable[[Checkpoint, float, Floats], tuple[int, Checkpoint]],
    judged: Callable[[Checkpoint], JudgedAccelerations],
    c: Checkpoint,
    scale: Floats,
) -> Checkpoint:
    """The start of a run; in or near a singular configuration with the accelerations of its branch.

    ``displaced(c, ε, v)`` is the assembled state at the time t + ε and the pose q + ε v, with the reason of a refusal.
    At the start every row with a small pivot counts as redundant; a nearby pose shows which are.
    """
    speed, push = (_largest(x, scale) for x in (c.v, c.vdot))
    along, rate = (c.v, speed) if speed > 0.0 else (c.vdot, push)
    if c.redundant == 0 or rate == 0.0:
        return c
    reason, near = displaced(c, LIMIT_DISTANCES[-1] / rate, along)
    if reason != FINE or near.redundant == c.redundant:
        return c
    if speed == 0.0:
        along = _accelerations_at_rest(displaced, judged, c, scale)
        rate = _largest(along, scale)
    sides = {part: displaced(c, part / rate, along) for part in (*LIMIT_DISTANCES, *-LIMIT_DISTANCES)}
    if any(reason != FINE for reason, _ in sides.values()):
        return c
    vdot = limit_between(lambda part: sides[part][1].vdot)
    (power,) = limit_between(lambda part: np.array([sides[part][1].power]))
    c = replace(c, vdot=vdot, power=float(power), h=FIRST_STEP_FACTOR * c.h, redundant=near.redundant)
    return replace(c, clearance=displaced(c, 0.0, c.v)[1].clearance)


def _accelerations_at_rest(
    displaced: Callable[[Checkpoint, float, Floats], tuple[int, Checkpoint]],
    judged: Callable[[Checkpoint], JudgedAccelerations],
    c: Checkpoint,
    scale: Floats,
) -> Floats:
    """v̇ (n,) of a start at rest near a singular configuration; an error in it, where C has lost rank."""
    start = judged(c)
    rate = _largest(start.vdot, scale)
    reason, near = displaced(c, LIMIT_DISTANCES[-1] / rate, start.vdot) if rate > 0.0 else (FINE, c)
    nearby = judged(near).rank if reason == FINE else start.rank
    if start.rank.confident and nearby.confident and start.rank.rank == nearby.rank:
        return start.vdot
    raise SingularStart(
        f"The motion starts at t = {c.t:g} s at rest in a singular pose, or so near to one that rounding decides: the "
        "constraints do not determine how it leaves. Give a velocity along the branch you want, or start farther from "
        "the pose."
    )


def _largest(x: Floats, scale: Floats) -> float:
    return float(np.abs(x / scale).max(initial=0.0))
