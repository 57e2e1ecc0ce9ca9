"""Two rotations at a fixed ratio."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, PRESSURE_ANGLE, CouplingType, register, tooth_forces

GEAR = register(
    CouplingType(
        name="gear",
        joints=Coordinates(
            "joints", "The two rotations, first the one that turns `ratio` times.", units=("rad", "rad")
        ),
        parameters=(
            Number("ratio", "Turns of the first per turn of the second; negative for external gears.", nonzero=True),
            Number("radius", "Pitch radius of the first wheel, for the tooth force Ft.", None, "length", positive=True),
            PRESSURE_ANGLE,
            OFFSET,
        ),
        coefficients=lambda given: (1.0, -given["ratio"]),
        line_forces=lambda given: tooth_forces(given.get("radius"), given.get("pressure_angle")),
        doc="The rotation of the first joint is `ratio` times that of the second.",
    )
)
