"""The largest eigenvalue of the linearised motion, which limits the size of explicit steps where it is large."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.project_state import project_state
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import System

JACOBIAN_DIFFERENCE = 1e-7  # [characteristic lengths, rad] between poses: half of the digits of closed positions
POWER_ITERATIONS = 40  # an eigenvalue outgrows one of half its size by 2⁴⁰


class FastestMotion(NamedTuple):
    """The part of the linearised motion with the largest eigenvalue."""

    eigenvalue: float  # |λ| [1/s]
    velocity: Floats  # (n,) of its eigenvector


def fastest_motion(accelerate: Callable[[Floats, Floats], Floats], v: Floats, scale: Floats) -> FastestMotion:
    """The largest |λ| of the linearised motion at a state with the velocities v (n,), by the power method.

    ``accelerate(d, w)`` are the accelerations at the pose moved by d and the velocities v + w, projected.  A vector
    (d, w) goes to (w, δv̇) again and again; its growth over two such steps is |λ|², also where λ is imaginary.
    """
    y = np.random.default_rng(1).standard_normal((2, len(v))) * scale
    unmoved, growth = accelerate(0.0 * v, 0.0 * v), [1.0]
    for _ in range(POWER_ITERATIONS):
        size = float(np.abs(y / scale).max(initial=0.0))
        if not (np.isfinite(size) and size > 0.0):
            return FastestMotion(0.0, 0.0 * v)
        growth.append(size)
        y = y * (JACOBIAN_DIFFERENCE / size)
        y = np.stack([y[1], accelerate(y[0], y[1]) - unmoved]) / JACOBIAN_DIFFERENCE
    return FastestMotion(float(np.sqrt(growth[-1] * growth[-2])), np.asarray(y[0]))


def fastest_motion_at(system: System, workspace: StepWorkspace, c: Checkpoint) -> FastestMotion:
    """The part of the linearised motion at a checkpoint with the largest eigenvalue."""

    def accelerate(d: Floats, w: Floats) -> Floats:
        return project_state(system, workspace, c, c.t, advance(system, c.q, d), c.v + w).checkpoint.vdot

    return fastest_motion(accelerate, c.v, workspace.projection.metric.scale)
