"""Cable: the origins are never farther apart than its length, and it only pulls."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball
from reactio.joints import JointType, Row, register
from reactio.joints.between_points import RESTITUTION, SECTION_STIFFNESS, SPATIAL_FREEDOMS, length
from reactio.primitives.spatial.distance import distance

CABLE = register(
    JointType(
        name="cable",
        space="spatial",
        aliases=("rope", "wire"),
        rows=(Row(distance(), target="length", label="tension", unilateral=True),),
        axes=(("x", 0),),
        free=SPATIAL_FREEDOMS,
        parameters=(length("Length without load; the distance"), RESTITUTION, SECTION_STIFFNESS),
        glyph=Glyph(a=(ball(0.4),), b=(ball(0.4),), link=True),
        doc="Cable, rope, chain or sling: the origins are never farther apart than its length; it only pulls.",
        cite=("haug1989",),
    )
)
