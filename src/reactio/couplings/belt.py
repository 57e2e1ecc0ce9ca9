"""Two rotations by a belt."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, CouplingType, register, tooth_forces

BELT = register(
    CouplingType(
        name="belt",
        joints=Coordinates("joints", "The rotations of the two pulleys.", units=("rad", "rad")),
        parameters=(
            Number("radius_1", "Radius of the first pulley.", dimension="length", positive=True),
            Number(
                "radius_2",
                "Radius of the second pulley, negative if the belt is crossed.",
                dimension="length",
                nonzero=True,
            ),
            OFFSET,
        ),
        coefficients=lambda given: (1.0, -given["radius_2"] / given["radius_1"]),
        line_forces=lambda given: tooth_forces(given["radius_1"]),
        doc="A belt that does not slip: radius_1 times the first rotation is radius_2 times the second.",
    )
)
