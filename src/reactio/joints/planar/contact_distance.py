"""Contact of two discs: the origins of A and B keep the sum of their radii apart."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.distance import distance
from reactio.primitives.planar.turn import turn

CONTACT_DISTANCE = register(
    JointType(
        name="contact-distance",
        space="planar",
        rows=(Row(-1.0 * distance(), target="length", label="depth", unilateral=True),),
        axes=(("x", 0),),
        free=(Freedom("rotation", turn(), axis="z"), Freedom("swing")),
        parameters=(
            Number(
                "length", "Sum of the radii; the distance at the given pose if left out.", None, "length", positive=True
            ),
        ),
        glyph=Glyph(a=(ball(0.7),), b=(ball(0.7),), link=True),
        doc="A closed contact of two discs around the origins of A and B, which only push each other apart.",
        cite=("haug1989",),
    )
)
