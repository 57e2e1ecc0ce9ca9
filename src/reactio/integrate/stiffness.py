"""The largest eigenvalue of the linearised motion: how fast its fastest part is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reactio.arrays import Floats

JACOBIAN_DIFFERENCE = 1e-7  # [characteristic lengths, rad] between poses: half of the digits of closed positions
POWER_ITERATIONS = 40  # an eigenvalue outgrows one of half its size by 2⁴⁰


def largest_eigenvalue(
    accelerate: Callable[[Floats, Floats], Floats], v: Floats, scale: Floats
) -> tuple[float, Floats]:
    """The largest |λ| of the linearised motion at a state with the velocities v (n,) [1/s], by the power method.

    ``accelerate(d, w)`` are the accelerations at the pose moved by d and the velocities v + w, projected.  A vector
    (d, w) goes to (w, δv̇) again and again; its growth over two such steps is |λ|², also where λ is imaginary.  |λ| and
    the last w (n,), what moves so fast, return.
    """
    y = np.random.default_rng(1).standard_normal((2, len(v))) * scale
    here, growth = accelerate(0.0 * v, 0.0 * v), [1.0]
    for _ in range(POWER_ITERATIONS):
        size = float(np.abs(y / scale).max(initial=0.0))
        if not (np.isfinite(size) and size > 0.0):
            return 0.0, 0.0 * v
        growth.append(size)
        y = y * (JACOBIAN_DIFFERENCE / size)
        y = np.stack([y[1], accelerate(y[0], y[1]) - here]) / JACOBIAN_DIFFERENCE
    return float(np.sqrt(growth[-1] * growth[-2])), np.asarray(y[0])
