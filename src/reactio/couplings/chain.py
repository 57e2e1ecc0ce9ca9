"""Two rotations by a chain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, CouplingType, register


def _coefficients(parameters: Mapping[str, Any]) -> tuple[float, ...]:
    return (1.0, -parameters["teeth_2"] / parameters["teeth_1"])


CHAIN = register(
    CouplingType(
        name="chain",
        joints=Coordinates("joints", "The rotations of the two sprockets.", units=("rad", "rad")),
        parameters=(
            Number("teeth_1", "Teeth of the first sprocket.", positive=True),
            Number("teeth_2", "Teeth of the second sprocket.", positive=True),
            OFFSET,
        ),
        coefficients=_coefficients,
        doc="A chain or toothed belt: as many teeth pass the first sprocket as the second.",
    )
)
