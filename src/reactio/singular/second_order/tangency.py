"""Is a direction the tangent of a finite motion?  Step along it, close the joints, and compare step and correction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.singular.second_order.drive_path import along_path
from reactio.singular.second_order.null_spaces import FOLLOWED_SINGULAR_VALUE, NullSpaces, at_rest, minimum_norm
from reactio.singular.second_order.quadratic_forms import curvature
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.geometry.accuracy import SURELY_OUTSIDE, known_accuracy
from reactio.system.types import State, System

STEP_LENGTHS = (0.04, 0.02, 0.01)  # [characteristic lengths], halved so that residuals show their power of the step
# [characteristic lengths] Joints are closed within this; a motion that third order forbids stays open by 0.01³.
CLOSED_TANGENT_RESIDUAL = 1e-11
MOST_CLOSING_STEPS = 30  # steps of Newton's method: near a singular pose it may converge linearly
CORRECTION_ROUNDING = 0.01  # part of the step by which rounding, divided by a small singular value, may correct it
# Closing the joints undoes part of a step: at most the first where the direction is a tangent (the shortest step loses
# parts of the order of its length), at least the second where it is none (it loses most of it); between them neither
# is decided.
LARGEST_TANGENT_CORRECTION, LEAST_OBSTRUCTED_CORRECTION = 0.2, 0.4
LARGEST_SHRINKAGE = 0.75  # of the part undone when the step is halved; along a tangent half of it is left, or less
LONGER_STEP_FACTORS = (4.0, 8.0, 16.0)  # on the step lengths: obstructions of high order show in long steps only
FOLLOWING_STEP = 0.08  # [characteristic lengths] by which a motion is followed further: twice the longest trial step
# Distance at which a motion counts as finite [characteristic lengths].  Each of k toggles in series halves what the one
# before leaves: at a distance ε joints stay open by (ε/2)^k, so that beyond ε = 2 an obstruction of any order shows.
FINITE_DISTANCE = 2.4
# Distance up to which obstructions of high order lie below rounding [characteristic lengths].
FAINT_ORDERS_DISTANCE = 0.8
SHORTEST_STEP_PART = 1 / 16  # of FOLLOWING_STEP: where shorter steps do not close the joints, the motion ends
# Residuals of a motion that order k obstructs grow with that power of the step.  Order 3 is the lowest that is left
# (LEAST_POWER below it), and powers measured by two halvings agree within LARGEST_POWER_SPREAD.
LEAST_POWER, LARGEST_POWER_SPREAD = 2.5, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class BranchStep:
    """A step along a direction: the pose, whether its joints close, and how much of the step closing them undid."""

    state: State
    s: float  # arc length of the drives [m]
    closed: bool
    undone: float  # part of the step
    residual: float  # largest one of the joints [m]


def step(at: NullSpaces, x: Floats, reach: float) -> BranchStep:
    """A step of length ε = ``reach`` [m] from a pose along the unit direction x [metres], its joints closed again.

        d = ε x + ½ ε² a,   C a = Γ₂(x, x);   then Newton's method on Φ = 0 with xᵀ Δd = 0

    Along a real branch Φ(d) is of order ε³, and singular values that vanish at the pose are of order ε, so that closing
    the joints moves the pose by ε².  Along a direction that is only infinitesimal it must undo the step.
    """
    system, pose, n = at.system, at_rest(at.system, at.state), at.system.n
    columns = system.column_scale / system.length
    C, _ = along_path(equations(system, pose), at.path)
    d = reach * x + 0.5 * reach**2 * minimum_norm(C, curvature(at, x[:, None])[0, 0], FOLLOWED_SINGULAR_VALUE)
    now, s = replace(pose, q=advance(system, pose.q, columns * d[:n])), float(d[n:].sum())
    moved, closed, largest = np.zeros(len(x)), False, np.inf
    for _ in range(MOST_CLOSING_STEPS):
        try:
            C, residual = along_path(equations(system, now), at.path, s)
        except ReactioError:
            break
        largest = float(np.abs(residual).max(initial=0.0))
        closed = largest <= _closed_residual(system)
        if closed or np.linalg.norm(moved) > reach:
            break
        change = minimum_norm(np.vstack([C, x]), np.append(-residual, 0.0), _followed_singular_value(system))
        moved += change
        now, s = replace(now, q=advance(system, now.q, columns * change[:n])), s + float(change[n:].sum())
    return BranchStep(now, s, closed, float(np.linalg.norm(moved)) / reach, largest)


def _closed_residual(system: System) -> float:
    """The largest residual [m] of closed joints: rounding, or the accuracy of the geometry."""
    known = known_accuracy(system)
    return system.length * max(CLOSED_TANGENT_RESIDUAL, 0.0 if known is None else SURELY_OUTSIDE * known.relative)


def _followed_singular_value(system: System) -> float:
    """Part of the largest singular value below which directions are left alone, with the accuracy of the geometry."""
    known = known_accuracy(system)
    return FOLLOWED_SINGULAR_VALUE if known is None else max(FOLLOWED_SINGULAR_VALUE, known.closing_cut)


def is_tangent(at: NullSpaces, x: Floats, far: bool = True) -> bool | None:
    """Is x the tangent of a finite motion?  None where three step lengths do not decide it.

    The part of a step that closing the joints undoes shrinks with the step where x is a tangent; where it is none, the
    part does not shrink, or the joints stay open.  With ``far`` the motion is followed until an obstruction of high
    order would show.
    """
    found = [step(at, x, reach * at.system.length) for reach in STEP_LENGTHS]
    undone = [one.undone if one.closed else np.inf for one in found]
    if min(undone) >= LEAST_OBSTRUCTED_CORRECTION:
        return False
    shrinking = all(b <= max(LARGEST_SHRINKAGE * a, CORRECTION_ROUNDING) for a, b in pairwise(undone))
    if (
        max(undone) < np.inf
        and undone[-1] <= LARGEST_TANGENT_CORRECTION
        and shrinking
        and (not far or _distance_followed(at, x) >= FINITE_DISTANCE)
    ):
        return True
    return False if any(_obstructed_by_one_order(at, x, longer) for longer in LONGER_STEP_FACTORS) else None


def order_seen(at: NullSpaces, x: Floats) -> int:
    """The highest order up to which no term obstructs the motion that seems to begin with x.

    Where joints close to δ at a distance of ε, no term of order k with (ε/2)^k > δ is there:   k = log δ / log (ε/2)

    Half the distance (both in characteristic lengths), because each stage of toggles in series halves what the stage
    before leaves.
    """
    followed = min(max(_distance_followed(at, x), STEP_LENGTHS[-1]), FAINT_ORDERS_DISTANCE)
    return int(np.log(_closed_residual(at.system) / at.system.length) / np.log(0.5 * followed))


def _distance_followed(at: NullSpaces, x: Floats) -> float:
    """The distance to which the motion that seems to begin with x can be followed [characteristic lengths].

    A finite motion is a curve without end, drives being one of its variables: the distance is FINITE_DISTANCE or more.
    Where terms of high order obstruct it, short steps close the joints within rounding near the pose, and from some
    distance on no step does.
    """
    system = at.system
    now, s, tangent, distance, size = at_rest(system, at.state), 0.0, x, 0.0, FOLLOWING_STEP * system.length
    while distance < FINITE_DISTANCE * system.length:
        made = _next_pose(at, now, s, tangent, size)
        if made is None:
            size /= 2
            if size < SHORTEST_STEP_PART * FOLLOWING_STEP * system.length:
                break
            continue
        now, d = made
        s, tangent, distance = s + float(d[system.n :].sum()), d / np.linalg.norm(d), distance + size
        size = min(2 * size, FOLLOWING_STEP * system.length)
    return distance / system.length


def _next_pose(at: NullSpaces, now: State, s: float, tangent: Floats, size: float) -> tuple[State, Floats] | None:
    """The pose a step of ``size`` [m] ahead, its joints closed at right angles to the tangent, and the displacement.

    s [m] is the arc length of the drives at the beginning; their part of the displacement is its last entry.
    """
    system, n = at.system, at.system.n
    columns = system.column_scale / system.length
    d = size * tangent
    there = replace(now, q=advance(system, now.q, columns * d[:n]))
    for _ in range(MOST_CLOSING_STEPS):
        try:
            C, residual = along_path(equations(system, there), at.path, s + float(d[n:].sum()))
        except ReactioError:
            return None
        if np.abs(residual).max(initial=0.0) <= _closed_residual(system):
            return there, d
        change = minimum_norm(np.vstack([C, tangent]), np.append(-residual, 0.0), _followed_singular_value(system))
        d = d + change
        if np.linalg.norm(d - size * tangent) > size:
            break
        there = replace(there, q=advance(system, there.q, columns * change[:n]))
    return None


def _obstructed_by_one_order(at: NullSpaces, x: Floats, longer: float) -> bool:
    """Do the joints stay open by one power of the step, third or higher?  Then that order obstructs the motion.

    Residuals of a finite branch that ends within the step follow no such power.
    """
    found = [step(at, x, longer * reach * at.system.length) for reach in STEP_LENGTHS]
    if any(one.closed for one in found):
        return False
    powers = -np.diff(np.log2([one.residual for one in found]))
    return bool(powers.min() > LEAST_POWER and np.ptp(powers) < LARGEST_POWER_SPREAD)
