"""Common origin and common z axis; one rotation about z remains."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

REVOLUTE = register(
    JointType(
        name="revolute",
        space="spatial",
        aliases=("hinge", "pin", "pivot"),
        rows=(Row(slide("x")), Row(slide("y")), Row(slide("z")), Row(perp("z", "x")), Row(perp("z", "y"))),
        free=(Freedom("rotation", angle(), axis="z"),),
        glyph=Glyph(a=cylinder("z", 0.75, 1.6)),
        shop="hinge or pair of bearings",
        doc="Common origin and common z axis; one rotation about z remains.",
        cite=("haug1989",),
    )
)
