"""Common origin; the bodies turn against each other."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

REVOLUTE = register(
    JointType(
        name="revolute",
        space="planar",
        aliases=("hinge", "pin", "pivot"),
        rows=(Row(slide("x")), Row(slide("y"))),
        free=(Freedom("rotation", turn(), axis="z"),),
        glyph=Glyph(a=(ball(1.0),)),
        shop="pin in a round hole",
        doc="Common origin; the bodies turn against each other.",
        cite=("wojtyra2013",),
    )
)
