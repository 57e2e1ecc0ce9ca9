"""A translation and a rotation at a fixed ratio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, PRESSURE_ANGLE, CouplingType, register, tooth_forces


def _coefficients(parameters: Mapping[str, Any]) -> tuple[float, ...]:
    return (1.0, -parameters["radius"])


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
        coefficients=_coefficients,
        line_forces=lambda given: tooth_forces(1.0, given.get("pressure_angle")),
        doc="The rack moves by `radius` times the rotation of the pinion.",
    )
)
