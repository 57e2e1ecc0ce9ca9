"""B keeps the orientation of A; positions are free."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, box
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

ORIENTATION = register(
    JointType(
        name="orientation",
        space="spatial",
        rows=(Row(perp("z", "x")), Row(perp("z", "y")), Row(perp("x", "y"))),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("z", slide("z"), axis="z", rotates=False),
        ),
        glyph=Glyph(a=box(1.1, 1.1, 1.1), b=box(0.7, 0.7, 0.7)),
        doc="B keeps the orientation of A and moves along all its axes.",
        cite=("haug1989",),
    )
)
