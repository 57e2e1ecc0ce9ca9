"""Contact of two discs: the origins of A and B keep the sum of their radii apart."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball
from reactio.joints import JointType, Row, register
from reactio.joints.between_points import PLANAR_FREEDOMS, length
from reactio.primitives.planar.distance import distance

CONTACT_DISTANCE = register(
    JointType(
        name="contact-distance",
        space="planar",
        rows=(Row(-1.0 * distance(), target="length", label="depth", unilateral=True),),
        axes=(("x", 0),),
        free=PLANAR_FREEDOMS,
        parameters=(length("Sum of the radii; the distance"),),
        glyph=Glyph(a=(ball(0.7),), b=(ball(0.7),), link=True),
        doc="A closed contact of two discs around the origins of A and B, which only push each other apart.",
        cite=("haug1989",),
    )
)
