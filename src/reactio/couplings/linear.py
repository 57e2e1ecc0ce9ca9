"""Any number of coordinates in one linear equation."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinates, Numbers
from reactio.couplings import OFFSET, CouplingType, register

LINEAR = register(
    CouplingType(
        name="linear",
        joints=Coordinates("joints", "The coordinates in the equation, all of one unit."),
        parameters=(Numbers("coefficients", "The factor of each coordinate."), OFFSET),
        coefficients=lambda given: tuple(given["coefficients"]),
        doc="A sum of joint coordinates with given factors is constant: differentials, cable drives.",
    )
)
