"""The two frames coincide."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, box
from reactio.joints import JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

FIXED = register(
    JointType(
        name="fixed",
        space="spatial",
        aliases=("weld", "clamp"),
        rows=(
            Row(slide("x")),
            Row(slide("y")),
            Row(slide("z")),
            Row(perp("z", "x")),
            Row(perp("z", "y")),
            Row(perp("x", "y")),
        ),
        free=(),
        glyph=Glyph(a=box(0.9, 0.9, 0.9)),
        doc="The two frames coincide.",
        cite=("haug1989",),
    )
)
