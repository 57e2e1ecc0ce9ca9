"""The clearance of a pose: its distance from the next singular configuration, from the factors of its projection.

The rows of A have length one, and a pivot of A Aᵀ = L D Lᵀ is about s² at a distance s from where its row becomes
dependent on others.  R redundant rows make R pivots small everywhere, so that the clearance follows from the next one:

    s = √d_{R+1},    d_1 ≤ d_2 ≤ … the pivots in order of size

s has no unit: it is the sine of an angle between rows, and grows with the displacement from the configuration, in
radians or characteristic lengths, about one to one.
"""

from __future__ import annotations

import math

from reactio.kernels import NO_ARRAYS, kernel
from reactio.linear.sparse.gram import GramWork

# Above CLEAR accelerations from the equations at one instant are accurate enough to be interpolated; larger distances
# from singular configurations are not distinguished.
CLEAR = 1e-2
SMALL = 1.0 / CLEAR**2  # 1/d of the pivots there, as factors hold them
# A clearance counts as kept while it stays above this part of its value before: its pivot above one half.
KEPT_PART = math.sqrt(0.5)
# Rounding u becomes u/s² in velocities, 2e-12 here, and a step that ended nearer would carry more of it on.
NEARBY = KEPT_PART * CLEAR
# It becomes u/s³ in accelerations, 1e-7 here, and a stage nearer than that would spoil its step.
CLOSE = 1e-3


@kernel(**NO_ARRAYS)
def small_pivots(gram: GramWork) -> int:
    """The number of pivots that belong to redundant rows, or to a configuration less than CLEAR away."""
    count = 0
    for i in range(gram.pivot.shape[0]):
        count += gram.pivot[i] > SMALL
    return count


@kernel(**NO_ARRAYS)
def clearance(gram: GramWork, redundant: int) -> float:
    """√d of the smallest pivot beyond those of redundant rows, at most CLEAR.

    Its pivot is found from CLEAR down, where few pivots lie: those of redundant rows are smaller still.
    """
    beyond, inverse = small_pivots(gram) - redundant, SMALL
    while beyond > 0:
        following = math.inf
        for i in range(gram.pivot.shape[0]):
            if inverse < gram.pivot[i] < following:
                following = gram.pivot[i]
        inverse = following
        for i in range(gram.pivot.shape[0]):
            beyond -= gram.pivot[i] == inverse
    return 1.0 / math.sqrt(inverse)


@kernel(**NO_ARRAYS)
def enters(now: float, before: float, bound: float) -> bool:
    """Has a clearance fallen below a bound, rather than been kept there?"""
    return now < bound <= KEPT_PART * before
