"""A disc about B rolls without slip on the x axis of A, on its +y side."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, line, ring
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives import Scaled
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

ROLLING_DISC = register(
    JointType(
        name="rolling-disc",
        space="planar",
        rows=(
            Row(slide("y"), target="radius"),
            Row(slide("x") + Scaled(1.0, "radius") * turn(), target="offset", label="roll"),
        ),
        free=(Freedom("rotation", turn()),),
        parameters=(
            Number("radius", "Radius of the disc.", dimension="length", positive=True),
            Number(
                "offset",
                "Position of the contact at the zero of the angle; as at the given pose if left out.",
                None,
                "length",
            ),
        ),
        glyph=Glyph(
            a=(line((-6.0, 0.0, 0.0), (6.0, 0.0, 0.0)),),
            b=(ring(parameter="radius"),),
            support="rail",
        ),
        doc="A disc about B rolls without slip on the x axis of A, on its +y side.",
        cite=("haug1989",),
    )
)
