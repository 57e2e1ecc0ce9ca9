"""The x axis of A and the y axis of B stay at a right angle; nothing else is held."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

PERPENDICULAR_AXES = register(
    JointType(
        name="perpendicular-axes",
        space="spatial",
        rows=(Row(perp("x", "y")),),
        axes=(("z", 0),),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("z", slide("z"), axis="z", rotates=False),
            Freedom("rotation_a", axis="x"),
            Freedom("rotation_b", axis="y", on="B"),
        ),
        glyph=Glyph(a=cylinder("x", 0.35, 2.0), b=cylinder("y", 0.35, 2.0)),
        doc="The x axis of A and the y axis of B stay at a right angle; positions and the turns about both are free.",
        cite=("haug1989",),
    )
)
