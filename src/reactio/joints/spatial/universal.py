"""Common origin; the x axis of A and the y axis of B form the cross and stay perpendicular."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

UNIVERSAL = register(
    JointType(
        name="universal",
        space="spatial",
        aliases=("cardan", "hooke"),
        rows=(Row(slide("x")), Row(slide("y")), Row(slide("z")), Row(perp("x", "y"))),
        free=(Freedom("rotation_a", axis="x"), Freedom("rotation_b", axis="y", on="B")),
        glyph=Glyph(a=(*cylinder("x", 0.35, 1.5), ball(0.5)), b=cylinder("y", 0.35, 1.5)),
        shop="cardan joint",
        doc="Common origin; the x axis of A and the y axis of B form the cross and stay perpendicular.",
        cite=("haug1989",),
    )
)
