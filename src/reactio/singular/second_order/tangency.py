"""Is a direction the tangent of a finite motion?  Step along it, close the joints, and compare step and correction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.singular.scaled_matrix import weights
from reactio.singular.second_order.drive_path import along_path
from reactio.singular.second_order.null_spaces import NullSpaces, at_rest, minimum_norm
from reactio.singular.second_order.quadratic_forms import curvature
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.geometry.accuracy import OUTSIDE, known_accuracy
from reactio.system.types import State, System

REACH = (0.04, 0.02, 0.01)  # step lengths, in characteristic lengths
WEAK = 1e-6  # beside a singular pose at distance s singular values of order s count, those of rounding do not
CLOSED = 1e-11  # of the characteristic length: closed; a motion that third order forbids stays open by 1e-6
MOST = 30  # steps of Newton's method: beside a singular pose it may converge linearly
FAINT = 0.01  # part of the step by which rounding, divided by a weak singular value, may correct it
SURE = 0.2  # largest part of the step that closing takes back where the direction is a tangent
LOST = 0.4  # smallest part that it takes back where the direction is no tangent
LONGER = (4.0, 8.0, 16.0)  # factors of longer steps, in which an obstruction of high order shows
STRIDE = 0.08  # of the characteristic length: steps in which a motion is followed further
# Distance at which a motion counts as finite [characteristic lengths].  Each of k toggles in series halves what the one
# before leaves: at a distance ε joints stay open by (ε/2)^k, so that beyond ε = 2 an obstruction of any order shows.
FAR = 2.4
EARLY = 0.8  # distance up to which obstructions of high order lie below rounding [characteristic lengths]
SHORTEST = 1 / 16  # part of a stride below which a motion that does not close has come to its end


@dataclass(frozen=True, slots=True, eq=False)
class BranchStep:
    """A step along a direction: the pose, whether its joints close, and how much of the step closing them undid."""

    state: State
    s: float  # how far drives went on their path [m]
    closed: bool
    undone: float  # part of the step
    left: float  # largest residual of the joints [m]


def step(at: NullSpaces, x: Floats, reach: float) -> BranchStep:
    """Go ``reach`` [m] from a pose along the unit direction x [metres] and close the joints without moving along it.

        d = ε x + ½ ε² a,   C a = Γ₂(x, x);   then Newton's method on Φ = 0 with xᵀ Δd = 0

    On a real branch the prediction misses Φ = 0 by ε³ and rows grow with ε, so that closing moves the pose by ε²; along
    a direction that is only infinitesimal it must undo the step.
    """
    system, pose, n = at.system, at_rest(at.system, at.state), at.system.n
    _, columns = weights(system)
    C, _ = along_path(equations(system, pose), at.path)
    d = reach * x + 0.5 * reach**2 * minimum_norm(C, curvature(at, x[:, None])[0, 0], WEAK)
    now, s = replace(pose, q=advance(system, pose.q, columns * d[:n])), float(d[n:].sum())
    moved, closed, left = np.zeros(len(x)), False, np.inf
    for _ in range(MOST):
        try:
            C, residual = along_path(equations(system, now), at.path, s)
        except ReactioError:
            break
        left = float(np.abs(residual).max(initial=0.0))
        closed = left <= _closing(system)
        if closed or np.linalg.norm(moved) > reach:
            break
        change = minimum_norm(np.vstack([C, x]), np.append(-residual, 0.0), _weak(system))
        moved += change
        now, s = replace(now, q=advance(system, now.q, columns * change[:n])), s + float(change[n:].sum())
    return BranchStep(now, s, closed, float(np.linalg.norm(moved)) / reach, left)


def _closing(system: System) -> float:
    """Residuals [m] of closed joints: rounding, or what the accuracy of the geometry leaves."""
    known = known_accuracy(system)
    return system.length * max(CLOSED, 0.0 if known is None else OUTSIDE * known.relative)


def _weak(system: System) -> float:
    """Singular values below this part of the largest are not followed."""
    known = known_accuracy(system)
    return WEAK if known is None else max(WEAK, known.firm)


def is_tangent(at: NullSpaces, x: Floats, far: bool = True) -> bool | None:
    """Does a real motion begin with x?  None where three step lengths do not tell.

    On a branch what closing undoes shrinks with the step; else it does not, or the joints stay open.
    ``far``: it is followed until an obstruction of high order would show.
    """
    found = [step(at, x, reach * at.system.length) for reach in REACH]
    undone = [one.undone if one.closed else np.inf for one in found]
    if min(undone) >= LOST:
        return False
    shrinking = all(b <= max(0.75 * a, FAINT) for a, b in pairwise(undone))
    if max(undone) < np.inf and undone[-1] <= SURE and shrinking and (not far or _followed(at, x) >= FAR):
        return True
    return False if any(_held(at, x, longer) for longer in LONGER) else None


def order_seen(at: NullSpaces, x: Floats) -> int:
    """The highest order up to which no term obstructs the motion that seems to begin with x.

    Where joints close to δ at a distance of ε, no term of order k with (ε/2)^k > δ is there:   k = log δ / log (ε/2)

    Half the distance, in characteristic lengths: each stage of a toggle in series halves what the one before leaves.
    """
    followed = min(max(_followed(at, x), REACH[-1]), EARLY)
    return int(np.log(_closing(at.system) / at.system.length) / np.log(0.5 * followed))


def _followed(at: NullSpaces, x: Floats) -> float:
    """How far the motion that seems to begin with x leads on, in characteristic lengths; FAR or more: without end.

    A finite motion is a curve without end, drives being one of its variables.  Where terms of high order obstruct it,
    short steps seem to close the joints, and beyond some distance no step does, however short it is.
    """
    system = at.system
    now, s, tangent, gone, stride = at_rest(system, at.state), 0.0, x, 0.0, STRIDE * system.length
    while gone < FAR * system.length:
        made = _onward(at, now, s, tangent, stride)
        if made is None:
            stride /= 2
            if stride < SHORTEST * STRIDE * system.length:
                break
            continue
        now, d = made
        s, tangent, gone = s + float(d[system.n :].sum()), d / np.linalg.norm(d), gone + stride
        stride = min(2 * stride, STRIDE * system.length)
    return gone / system.length


def _onward(at: NullSpaces, now: State, s: float, tangent: Floats, stride: float) -> tuple[State, Floats] | None:
    """The pose a stride [m] ahead, its joints closed without moving along the tangent, and the way there [m].

    s [m] is how far drives have gone on their path; their part of the way is the last entry.
    """
    system, (_, columns), n = at.system, weights(at.system), at.system.n
    d = stride * tangent
    there = replace(now, q=advance(system, now.q, columns * d[:n]))
    for _ in range(MOST):
        try:
            C, residual = along_path(equations(system, there), at.path, s + float(d[n:].sum()))
        except ReactioError:
            return None
        if np.abs(residual).max(initial=0.0) <= _closing(system):
            return there, d
        change = minimum_norm(np.vstack([C, tangent]), np.append(-residual, 0.0), _weak(system))
        d = d + change
        if np.linalg.norm(d - stride * tangent) > stride:
            break
        there = replace(there, q=advance(system, there.q, columns * change[:n]))
    return None


def _held(at: NullSpaces, x: Floats, longer: float) -> bool:
    """Do the joints stay open by one power of the step, third or higher?  Then that order obstructs the motion.

    Residuals of a finite branch that is merely short follow no such power.
    """
    found = [step(at, x, longer * reach * at.system.length) for reach in REACH]
    if any(one.closed for one in found):
        return False
    powers = -np.diff(np.log2([one.left for one in found]))
    return bool(powers.min() > 2.5 and np.ptp(powers) < 0.5)
