"""Explicit, order 8: for motion that is not stiff."""

from __future__ import annotations

from reactio.dynamics.methods import Method, register
from reactio.dynamics.motion import advanced

DOP853 = register(
    Method(
        name="dop853",
        order=8,
        doc="Explicit Runge–Kutta method of Dormand and Prince in compiled steps: the fastest where nothing is stiff.",
        cite="Hairer, Nørsett & Wanner 1993, Sect. II.5 and II.10",
        advance=advanced,
    )
)
