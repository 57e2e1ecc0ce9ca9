"""Contact of two balls: the origins of A and B keep the sum of their radii apart."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball
from reactio.joints import JointType, Row, register
from reactio.joints.between_points import SPATIAL_FREEDOMS, length
from reactio.primitives.spatial.distance import distance

CONTACT_DISTANCE = register(
    JointType(
        name="contact-distance",
        space="spatial",
        rows=(Row(-1.0 * distance(), target="length", label="depth", unilateral=True),),
        axes=(("x", 0),),
        free=SPATIAL_FREEDOMS,
        parameters=(length("Sum of the radii; the distance"),),
        glyph=Glyph(a=(ball(0.7),), b=(ball(0.7),), link=True),
        doc="A closed contact of two balls around the origins of A and B, which only push each other apart.",
        cite=("haug1989",),
    )
)
