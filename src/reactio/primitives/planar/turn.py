"""Angle of B against A."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow
from reactio.space.algebra import ZERO2
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="rad", label="angle", exact=True)
def turn(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """Angle of B against A, counted over full turns (Wojtyra & Frączek 2013, Eq. 42).

    s = φ_B − φ_A                                                   [rad]
    D = [0, −1 | 0, 1],   σ = 0
    """
    return B.phi - A.phi, ZERO2, -1.0, ZERO2, 1.0, 0.0
