"""Massless rod: the origins keep their distance."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball
from reactio.joints import JointType, Row, register
from reactio.joints.between_points import PLANAR_FREEDOMS, length
from reactio.primitives.planar.distance import distance

DISTANCE = register(
    JointType(
        name="distance",
        space="planar",
        aliases=("rod", "link"),
        rows=(Row(distance(), target="length"),),
        axes=(("x", 0),),
        free=PLANAR_FREEDOMS,
        parameters=(length("Length of the rod; the distance"),),
        glyph=Glyph(a=(ball(0.5),), b=(ball(0.5),), link=True),
        doc="Massless rod: the origins keep their distance.",
        cite=("haug1989",),
    )
)
