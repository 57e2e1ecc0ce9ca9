"""A translation and a rotation at a fixed ratio."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, PRESSURE_ANGLE, CouplingType, register, tooth_forces

RACK = register(
    CouplingType(
        name="rack",
        joints=Coordinates(
            "joints", "The translation of the rack, then the rotation of the pinion.", units=("m", "rad")
        ),
        parameters=(
            Number(
                "radius",
                "Pitch radius of the pinion; its sign sets the sense.",
                dimension="length",
                nonzero=True,
            ),
            PRESSURE_ANGLE,
            OFFSET,
        ),
        coefficients=lambda given: (1.0, -given["radius"]),
        line_forces=lambda given: tooth_forces(1.0, given.get("pressure_angle")),
        doc="The rack moves by `radius` times the rotation of the pinion.",
    )
)
