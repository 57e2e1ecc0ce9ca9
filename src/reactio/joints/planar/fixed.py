"""The two frames coincide."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, face
from reactio.joints import JointType, Row, register
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

FIXED = register(
    JointType(
        name="fixed",
        space="planar",
        aliases=("weld", "clamp"),
        rows=(Row(slide("x")), Row(slide("y")), Row(turn())),
        free=(),
        glyph=Glyph(a=(face((-0.8, -0.8, 0.0), (0.8, -0.8, 0.0), (0.8, 0.8, 0.0), (-0.8, 0.8, 0.0), radius=0.2),)),
        doc="The two frames coincide.",
        cite=("wojtyra2013",),
    )
)
