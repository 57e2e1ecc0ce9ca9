"""B slides along the x axis of A without turning."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, face, rails
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

TRANSLATIONAL = register(
    JointType(
        name="translational",
        space="planar",
        aliases=("slider", "linear-guide", "prismatic"),
        rows=(Row(slide("y")), Row(turn())),
        free=(Freedom("translation", slide("x"), axis="x", rotates=False),),
        glyph=Glyph(a=rails(3.2, 0.8), b=(face((-1.3, 0.0, 0.0), (1.3, 0.0, 0.0), radius=0.6),), support="rail"),
        doc="B slides along the x axis of A without turning.",
        cite=("wojtyra2013",),
    )
)
