"""The z axes of A and B keep their angle; nothing else is held."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

AXES_ANGLE = register(
    JointType(
        name="axes-angle",
        space="spatial",
        rows=(Row(perp("z", "z"), target="cosine"),),
        axes=(("x", 0),),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("z", slide("z"), axis="z", rotates=False),
            Freedom("rotation_a", axis="z"),
            Freedom("rotation_b", axis="z", on="B"),
        ),
        parameters=(Number("cosine", "Cosine of the angle; that at the given pose if left out.", None, "number"),),
        glyph=Glyph(a=cylinder("z", 0.35, 2.4), b=cylinder("z", 0.35, 1.6)),
        doc="The z axes of A and B keep their angle, which is neither 0 nor 180 degrees; positions are free.",
        cite=("haug1989",),
    )
)
