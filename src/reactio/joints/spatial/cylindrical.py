"""B slides along the z axis of A and turns about it."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

CYLINDRICAL = register(
    JointType(
        name="cylindrical",
        space="spatial",
        rows=(Row(slide("x")), Row(slide("y")), Row(perp("z", "x")), Row(perp("z", "y"))),
        free=(
            Freedom("translation", slide("z"), axis="z", rotates=False),
            Freedom("rotation", angle(), axis="z"),
        ),
        glyph=Glyph(a=cylinder("z", 0.35, 3.2), b=cylinder("z", 0.8, 1.2), support="rail"),
        shop="floating bearing",
        doc="B slides along the z axis of A and turns about it.",
        cite=("haug1989",),
    )
)
