"""Derivatives by time of what is known at nine instants around t = 0, and the identities between Φ, C, ν and Γ."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats

from .scenes import Scene

H = 4e-3  # step of the stencils [s]
FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / H
SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560]) / H**2
TIMES = H * np.arange(-4, 5)
# Eighth-order stencils: truncation ~ h⁸ f⁽⁹⁾/630, with h = 4e-3 and motions that change over 0.3 s below 1e-11;
# rounding ~ 1e-16/h = 3e-14 for the first derivative and 1e-16·10/h² = 6e-11 for the second.
FIRST_TOLERANCE = 1e-10
SECOND_TOLERANCE = 2e-9


def check(scene: Scene) -> None:
    """The three identities at t = 0, relative to the size of the terms in each row."""
    points = [scene.equations(t) for t in TIMES]
    Phi = np.array([e.Phi for e in points])
    W = np.array([e.C @ e.state.v - e.nu for e in points])
    middle, (_, v, a) = points[4], scene.along(0.0)
    holonomic = scene.system.holonomic
    size = 1 + abs(middle.C) @ (abs(v) + abs(a)) + abs(middle.Gamma) + abs(middle.nu)
    second = middle.C @ a - middle.Gamma
    assert np.all(Phi[:, ~holonomic] == 0)
    close(FIRST @ Phi, W[4], size, FIRST_TOLERANCE, holonomic)
    close(FIRST @ W, second, size, FIRST_TOLERANCE)
    close(SECOND @ Phi, second, size, SECOND_TOLERANCE, holonomic)


def close(a: Floats, b: Floats, size: Floats, tolerance: float, rows: Any = slice(None)) -> None:
    error = (abs(a - b) / size)[rows]
    assert error.max(initial=0.0) < tolerance
