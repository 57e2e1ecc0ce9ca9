"""When an implicit step is refused, and the size of the next one."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.loop import LARGEST_CORRECTION, MOST_RETRIES, NEAR_SINGULARITY_STEP, REFUSED_STEP
from reactio.integrate.projection.project import INACCURATE, NEAR_SINGULAR
from reactio.integrate.projection.workspace import OF_POSITION, OF_VELOCITY
from reactio.kernels import NO_ARRAYS, kernel

# The next step size over this one is at most LARGEST_IMPLICIT_GROWTH and at least 1/LARGEST_REDUCTION; IMPLICIT_SAFETY
# is the factor by which it is taken smaller than the error estimate allows.  The numbers are those of RADAU5.
LARGEST_REDUCTION, LARGEST_IMPLICIT_GROWTH, IMPLICIT_SAFETY = 8.0, 5.0, 0.9
# Errors below these, in tolerances, count as these: of this step, so that zero has a root; of the last one, so that a
# step without error does not forbid the next to grow (Hairer & Wanner 1996, Sect. IV.8).
LEAST_IMPLICIT_ERROR, LEAST_LAST_ERROR = 1e-10, 1e-2
UNCONVERGED_STEP = 0.5  # factor on the size of a step whose iteration did not converge, as in RADAU5


class StepNumber(IntEnum):
    """Places in ``Memory.number``."""

    LAST_SIZE = 0  # h of the last step [s], 0 before the first
    LAST_ERROR = 1  # of the last step, in tolerances
    JACOBIAN_TIME = 2  # t at which the common Jacobian was computed [s]
    LAST_ETA = 3  # η = θ/(1 − θ) of the last iteration, with its rate θ
    STAGE_JACOBIANS_LEFT = 4  # steps that still take a Jacobian at every stage
    STEP_EVALUATIONS = 5  # evaluations so far, without those for rows of output


# Plain integers for the compiled kernels.
LAST_SIZE, LAST_ERROR, JACOBIAN_TIME, LAST_ETA, STAGE_JACOBIANS_LEFT, STEP_EVALUATIONS = (
    int(place) for place in StepNumber
)


@kernel(**NO_ARRAYS)
def overcorrected(corrections: Floats, h: float, speed: float, noise: float) -> bool:
    """Does the projection correct a stage by too large a part of the displacement of the step?"""
    far, fast = 0.0, 0.0
    for stage in range(corrections.shape[0]):
        far, fast = max(far, corrections[stage, OF_POSITION]), max(fast, corrections[stage, OF_VELOCITY])
    return bool(far > LARGEST_CORRECTION * speed * h + noise or fast > LARGEST_CORRECTION * speed + noise)


@kernel(**NO_ARRAYS)
def least_of(clearance: Floats) -> float:
    """The clearance of the stage that is nearest to a singular configuration."""
    return float(min(clearance[0], clearance[1], clearance[2]))


@kernel(**NO_ARRAYS)
def next_ratio(error: float, h: float, iterations: int, number: Floats) -> float:
    """The next step size over h, from this error and the last one (Gustafsson).  Hairer & Wanner 1996, Sect. IV.8."""
    if not error < np.inf:
        return 1 / LARGEST_REDUCTION
    error = max(error, LEAST_IMPLICIT_ERROR)
    ratio = IMPLICIT_SAFETY * min(1.0, 21.0 / (20 + iterations)) * error**-0.25
    if number[LAST_SIZE] > 0.0 and error <= 1.0:
        ratio = min(
            ratio,
            IMPLICIT_SAFETY
            * h
            / number[LAST_SIZE]
            * (max(number[LAST_ERROR], LEAST_LAST_ERROR) / (error * error)) ** 0.25,
        )
    return float(max(1 / LARGEST_REDUCTION, min(LARGEST_IMPLICIT_GROWTH, ratio)))


@kernel(**NO_ARRAYS)
def refused_step_factor(reason: int, tries: int) -> float:
    """The factor on the size of a step whose stages were not found, with which it is repeated."""
    if reason == NEAR_SINGULAR and tries < MOST_RETRIES:
        return NEAR_SINGULARITY_STEP
    return UNCONVERGED_STEP if reason in (INACCURATE, NEAR_SINGULAR) else REFUSED_STEP
