"""Shared by the integration loops of all methods: their task, exit codes, and bounds on steps."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.system.plan import MEASURE_MEMORY, Plan, Work

# Factors on the step size after a step that the projection refused, or that had a stage near a singular configuration.
REFUSED_STEP, NEAR_SINGULARITY_STEP = 0.7, 0.9
# The projection may correct a stage by this part of the displacement of the step, and its end by so many tolerances.
LARGEST_CORRECTION, LARGEST_END_CORRECTION = 0.1, 10.0
# A step with a stage less than CLOSE from a singular configuration, or its end less than NEARBY, is repeated with
# another size, at most this often.  One that starts as near is not.
MOST_RETRIES = 8
# Rounding of positions divided by the smallest singular value that a step may meet near a singular configuration.
AMPLIFIED_ROUNDING = 10 * SOLUTION
# Position residual at which a stage is closed whatever the tolerance [characteristic lengths, rad]: rounding of lengths
# after some operations.
CLOSED_STAGE = ROUNDOFF / 10
SMALLEST_STEP = ROUNDOFF / 100  # smallest step size, relative to the time
# A step that would leave less than this part of itself until the end is the last, and ends there.  Steps of fixed size
# change only by the rounding of their sum.
END_GAP, FIXED_END_GAP = 1e-2, 1e-9


class LoopExit(IntEnum):
    """Why the integration loop returned."""

    PAUSED = 0  # the number of steps was taken
    DONE = 1  # the end was reached
    COLLAPSED = 2  # the step size fell below SMALLEST_STEP
    ENDS_AT_SINGULARITY = 3  # the end lies near a singular configuration


# Plain integers for the compiled loops.
PAUSED, DONE, COLLAPSED, ENDS_AT_SINGULARITY = (int(code) for code in LoopExit)


class Task(NamedTuple):
    """The task of one call of the integration loop."""

    until: float  # [s]
    tol: float
    step: float  # fixed step size [s], 0 for one chosen by the error
    steps: int  # at most, in this call
    every: bool  # is there a row of output after every step?  Otherwise at the given times
    limit: float  # position residual from which on a pose is refused [characteristic lengths, rad]
    extent: float  # size of the mechanism [characteristic lengths], by which rounding of positions grows
    longest: float = np.inf  # largest step size [s], so that no change of a function of time lies between stages
    # Does the loop return before an end near a singular configuration, so that ``singular_passage`` interpolates it?
    pauses: bool = True


@kernel(**NO_ARRAYS)
def store_turns(plan: Plan, work: Work, q: Floats) -> None:
    """Store the values of angles counted over full turns in q, from the poses of the bodies."""
    table = plan.measures.table
    for i in range(table.shape[0]):
        if table[i, MEASURE_MEMORY] >= 0:
            q[table[i, MEASURE_MEMORY]] = work.value[i]
