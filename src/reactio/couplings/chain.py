"""Two rotations by a chain."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, CouplingType, register, tooth_forces

CHAIN = register(
    CouplingType(
        name="chain",
        joints=Coordinates("joints", "The rotations of the two sprockets.", units=("rad", "rad")),
        parameters=(
            Number("teeth_1", "Teeth of the first sprocket.", positive=True),
            Number("teeth_2", "Teeth of the second sprocket.", positive=True),
            Number("radius_1", "Pitch radius of the first sprocket, for its pull Ft.", None, "length", positive=True),
            OFFSET,
        ),
        coefficients=lambda given: (1.0, -given["teeth_2"] / given["teeth_1"]),
        line_forces=lambda given: tooth_forces(given.get("radius_1")),
        doc="A chain or toothed belt: as many teeth pass the first sprocket as the second.",
    )
)
