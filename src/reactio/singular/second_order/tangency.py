"""Is a direction the tangent of a real motion?  Step along it, close the joints, and see what that undoes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.singular.scaled_matrix import weights
from reactio.singular.second_order.drive_path import along_path
from reactio.singular.second_order.null_spaces import Spaces, at_rest, least
from reactio.singular.second_order.quadratic_forms import curvature
from reactio.system.equations import advance, equations
from reactio.system.types import State

REACH = (0.04, 0.02, 0.01)  # step lengths, in characteristic lengths
WEAK = 1e-6  # beside a singular pose at distance s singular values of order s count, those of rounding do not
CLOSED = 1e-11  # of the characteristic length: closed; a motion that third order forbids stays open by 1e-6
MOST = 30
FAINT = 0.01  # part of the step that only rounding over a weak singular value takes back
SURE = 0.2  # part of the step that closing may take back when the direction is a tangent
LOST = 0.4  # and from which on it is none
LONGER = 4.0  # steps in which a hold of high order shows


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A step along a direction: the pose, whether its joints close, and how much of the step closing them undid."""

    state: State
    s: float  # how far drives went on their path [m]
    closed: bool
    undone: float  # part of the step
    left: float  # largest residual of the joints [m]


def step(at: Spaces, x: Floats, reach: float) -> Step:
    """Go ``reach`` [m] from a pose along the unit direction x [metres] and close the joints without moving along it.

        d = ε x + ½ ε² a,   C a = Γ₂(x, x);   then Newton's method on Φ = 0 with xᵀ Δd = 0

    On a real branch the prediction misses Φ = 0 by ε³ and rows grow with ε, so that closing moves the pose by ε²; along
    a direction that is only infinitesimal it must undo the step.
    """
    system, pose, n = at.system, at_rest(at.system, at.state), at.system.n
    _, columns = weights(system)
    C, _ = along_path(equations(system, pose), at.path)
    d = reach * x + 0.5 * reach**2 * least(C, curvature(at, x[:, None])[0, 0], WEAK)
    now, s = replace(pose, q=advance(system, pose.q, columns * d[:n])), float(d[n:].sum())
    moved, closed, left = np.zeros(len(x)), False, np.inf
    for _ in range(MOST):
        try:
            C, residual = along_path(equations(system, now), at.path, s)
        except ReactioError:
            break
        left = float(np.abs(residual).max(initial=0.0))
        closed = left <= CLOSED * system.length
        if closed or np.linalg.norm(moved) > reach:
            break
        change = least(np.vstack([C, x]), np.append(-residual, 0.0), WEAK)
        moved += change
        now, s = replace(now, q=advance(system, now.q, columns * change[:n])), s + float(change[n:].sum())
    return Step(now, s, closed, float(np.linalg.norm(moved)) / reach, left)


def is_tangent(at: Spaces, x: Floats) -> bool | None:
    """Does a real motion begin with x?  None where three step lengths do not tell.

    On a branch what closing undoes shrinks with the step; else it does not, or the joints stay open.
    """
    found = [step(at, x, reach * at.system.length) for reach in REACH]
    undone = [one.undone if one.closed else np.inf for one in found]
    if min(undone) >= LOST:
        return False
    shrinking = all(b <= max(0.75 * a, FAINT) for a, b in pairwise(undone))
    if max(undone) < np.inf and undone[-1] <= SURE and shrinking:
        return True
    return False if _held(at, x) else None


def _held(at: Spaces, x: Floats) -> bool:
    """Do the joints stay open by one power of the step, third or higher?  Short steps then only seem to close them.

    A branch that is real and short has no such law.
    """
    found = [step(at, x, LONGER * reach * at.system.length) for reach in REACH]
    if any(one.closed for one in found):
        return False
    powers = -np.diff(np.log2([one.left for one in found]))
    return bool(powers.min() > 2.5 and np.ptp(powers) < 0.5)
