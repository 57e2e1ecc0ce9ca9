"""Of poses of rest that a motion without stiffness connects, the one nearest to the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.assemble import closed_pose
from reactio.linear.precision import GEOMETRY
from reactio.statics.equilibrium_pose import EquilibriumPose
from reactio.statics.newton import LARGEST_FIRST_STEP
from reactio.system.evaluate.coordinates import advance, coordinate_rates
from reactio.system.types import System

MOST_STEPS_BACK = 50  # of at most 0.3 rad: two full turns


def nearest_to_start(
    rest: EquilibriumPose, start: Floats, search: Callable[[float, Floats], EquilibriumPose]
) -> EquilibriumPose:
    """The pose of rest with the smallest displacement d from the start along motions without stiffness.

    The stationary point of |d|² in characteristic lengths and radians, from which Newton's method returns to rest.
    """
    here = _distance_along(rest, start)
    for _ in range(MOST_STEPS_BACK):
        X, back, far = here
        if np.abs(back).max(initial=0.0) <= GEOMETRY:
            break
        system, state = rest.eqs.system, rest.state
        step = back * min(1.0, LARGEST_FIRST_STEP / float(np.abs(back).max()))
        try:
            closer = search(state.t, closed_pose(system, state.t, advance(system, state.q, -(X @ step)), restarts=0))
        except ReactioError:  # a limit of the motion, as where a joint or contact ends it
            break
        there = _distance_along(closer, start)
        if closer.touching != rest.touching or there[2] >= far:
            break
        rest, here = replace(closer, steps=rest.steps + 1 + closer.steps), there
    return rest


def _distance_along(rest: EquilibriumPose, start: Floats) -> tuple[Floats, Floats, float]:
    """The motions (n, k) without stiffness, how far the pose is from the start along them (k,), and in all."""
    values, V, error = rest.tangent_stiffness.principal()
    X = rest.freedoms.T @ V[:, np.abs(values) <= error]
    scale = rest.eqs.system.column_scale
    if not X.shape[1]:
        return X, np.zeros(0), 0.0
    d = _displacement(rest.eqs.system, rest.state.q, start) / scale
    return X, (X / scale[:, None]).T @ d, float(np.linalg.norm(d))


def _displacement(system: System, q: Floats, start: Floats) -> Floats:
    """d (n,) with q̇(d) = q − start at the pose q, to first order in turns."""
    d, sizes = np.zeros(system.n), np.diff(system.body_v)
    columns = []
    for k in range(int(sizes.max(initial=0))):  # the k-th velocity of all bodies at once: they have their own q
        v = np.zeros(system.n)
        v[system.body_v[:-1][sizes > k] + k] = 1.0
        columns.append(coordinate_rates(system, q, v))
    rates = np.array(columns).T
    for b, size in enumerate(sizes):
        place = slice(system.body_q[b], system.body_q[b + 1])
        d[system.body_v[b] : system.body_v[b + 1]] = np.linalg.lstsq(
            rates[place, :size], (q - start)[place], rcond=None
        )[0]
    return d
