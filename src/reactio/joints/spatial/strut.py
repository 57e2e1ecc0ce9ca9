"""Loose strut: the origins are never nearer than its length, and it only pushes."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball
from reactio.joints import JointType, Row, register
from reactio.joints.between_points import RESTITUTION, SECTION_STIFFNESS, SPATIAL_FREEDOMS, length
from reactio.primitives.spatial.distance import distance

STRUT = register(
    JointType(
        name="strut",
        space="spatial",
        aliases=("prop",),
        rows=(Row(-1.0 * distance(), target="length", label="thrust", unilateral=True),),
        axes=(("x", 0),),
        free=SPATIAL_FREEDOMS,
        parameters=(length("Length without load; the distance"), RESTITUTION, SECTION_STIFFNESS),
        glyph=Glyph(a=(ball(0.4),), b=(ball(0.4),), link=True),
        doc="Strut that is not fastened: the origins are never nearer than its length; it only pushes.",
        cite=("haug1989",),
    )
)
