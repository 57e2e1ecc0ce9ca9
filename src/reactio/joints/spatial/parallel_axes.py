"""The z axes of A and B stay parallel; nothing else is held."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

PARALLEL_AXES = register(
    JointType(
        name="parallel-axes",
        space="spatial",
        rows=(Row(perp("z", "x")), Row(perp("z", "y"))),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("z", slide("z"), axis="z", rotates=False),
            Freedom("rotation", angle(), axis="z"),
        ),
        glyph=Glyph(a=cylinder("z", 0.35, 2.4), b=cylinder("z", 0.35, 1.6)),
        doc="The z axes of A and B stay parallel; positions and the turn about z are free.",
        cite=("haug1989",),
    )
)
