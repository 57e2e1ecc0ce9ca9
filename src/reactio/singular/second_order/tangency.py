"""Steps along a motion from a singular pose: go ahead, close the joints, and see how far that leads."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.linear.precision import LOCATED, ROUNDOFF
from reactio.singular.second_order.drive_path import along_path
from reactio.singular.second_order.null_spaces import (
    FOLLOWED_SINGULAR_VALUE,
    NullSpaces,
    at_rest,
    minimum_norm,
)
from reactio.singular.second_order.quadratic_forms import curvature
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.geometry.accuracy import SURELY_OUTSIDE, known_accuracy
from reactio.system.types import State, System

# [characteristic lengths] Joints are closed within this; a motion that third order forbids stays open by 0.01³.
CLOSED_TANGENT_RESIDUAL = 10 * ROUNDOFF
MOST_CLOSING_STEPS = 30  # steps of Newton's method: near a singular pose it may converge linearly
FOLLOWING_PART = 0.1  # of the sphere where following begins, by which a motion is followed in one step
# Distance at which a motion counts as finite, in radii of that sphere.  Each of k toggles in series halves what the one
# before leaves: at a distance ε joints stay open by (ε/2)^k, so that beyond ε = 2 an obstruction of any order shows;
# the sphere has a radius of 0.8 characteristic lengths, or less where features of the mechanism are smaller.
FINITE_RADII = 3.0
SHORTEST_STEP_PART = 1 / 64  # of the first step: where shorter steps do not close the joints, the motion ends
# A motion that second order holds on both sides is a double root, closed to the square of the part of C that is left
# alone, (1e-6)² times singular values and curvatures of order ten: some residuals of a simple root.
DOUBLE_ROOT_RESIDUALS = 30.0
FEWEST_STEPS_AROUND = 6  # after which a motion that is back where it began has gone around


@dataclass(frozen=True, slots=True, eq=False)
class BranchStep:
    """A step along a direction: the pose, and whether its joints close."""

    state: State
    s: float  # arc length of the drives [m]
    closed: bool


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
    return BranchStep(now, s, closed)


def _closed_residual(system: System, residuals: float = 1.0) -> float:
    """The largest residual [m] of closed joints: some residuals of rounding, or the accuracy of the geometry."""
    known = known_accuracy(system)
    accuracy = 0.0 if known is None else SURELY_OUTSIDE * known.relative
    return system.length * max(residuals * CLOSED_TANGENT_RESIDUAL, accuracy)


def _followed_singular_value(system: System) -> float:
    """Part of the largest singular value below which directions are left alone, with the accuracy of the geometry."""
    known = known_accuracy(system)
    return FOLLOWED_SINGULAR_VALUE if known is None else max(FOLLOWED_SINGULAR_VALUE, known.closing_cut)


def is_followed(at: NullSpaces, begin: State, s: float, d: Floats) -> bool:
    """Does the motion through a pose near the singular one go on, or around?

    d [m]: the displacement of that pose from the singular one; s [m]: the arc length of the drives there.  A finite
    motion is a curve without end.  Where terms of high order obstruct it, short steps close the joints within rounding
    near the pose, and from some distance on no step does.
    """
    system, radius = at.system, float(np.linalg.norm(d))
    C, _ = along_path(equations(system, begin), at.path, s)
    ahead = d - minimum_norm(C, C @ d, _followed_singular_value(system))  # the part of the chord that is admissible
    if np.linalg.norm(ahead) <= LOCATED * radius:
        return False
    now, tangent, distance, largest = begin, ahead / np.linalg.norm(ahead), radius, FOLLOWING_PART * radius
    size, travelled, steps = largest, np.zeros(len(d)), 0
    while distance < FINITE_RADII * radius:
        reached = _next_pose(at, now, s, tangent, size)
        if reached is None:
            size /= 2
            if size < SHORTEST_STEP_PART * largest:
                return False
            continue
        now, change = reached
        s, tangent, distance = s + float(change[system.n :].sum()), change / np.linalg.norm(change), distance + size
        travelled, steps, size = travelled + change, steps + 1, min(2 * size, largest)
        if steps > FEWEST_STEPS_AROUND and np.linalg.norm(travelled) < largest:
            return True
    return True


def _next_pose(at: NullSpaces, now: State, s: float, tangent: Floats, size: float) -> tuple[State, Floats] | None:
    """The pose a step of ``size`` [m] ahead, its joints closed at right angles to the tangent, and the displacement.

    s [m] is the arc length of the drives at the beginning; their part of the displacement is its last entry.
    """
    system, n = at.system, at.system.n
    columns = system.column_scale / system.length
    d = size * tangent
    pose = replace(now, q=advance(system, now.q, columns * d[:n]))
    for _ in range(MOST_CLOSING_STEPS):
        try:
            C, residual = along_path(equations(system, pose), at.path, s + float(d[n:].sum()))
        except ReactioError:
            return None
        if np.abs(residual).max(initial=0.0) <= _closed_residual(system, DOUBLE_ROOT_RESIDUALS):
            return pose, d
        change = minimum_norm(np.vstack([C, tangent]), np.append(-residual, 0.0), _followed_singular_value(system))
        d = d + change
        if np.linalg.norm(d - size * tangent) > size:
            break
        pose = replace(pose, q=advance(system, pose.q, columns * change[:n]))
    return None
