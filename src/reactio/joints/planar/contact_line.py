"""Contact with a line: the origin of B stands off the x axis of A by no less than its radius."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

CONTACT_LINE = register(
    JointType(
        name="contact-line",
        space="planar",
        rows=(Row(-1.0 * slide("y"), target="radius", label="depth", unilateral=True),),
        free=(
            Freedom("translation", slide("x"), axis="x", rotates=False),
            Freedom("rotation", turn(), axis="z"),
        ),
        parameters=(Number("radius", "Radius of a disc around the origin of B; 0 for a point.", 0.0, "length"),),
        glyph=Glyph(b=(ball(0.7),)),
        doc="A closed contact: the origin of B, or a disc around it, rests on the x axis of A, which only pushes.",
        cite=("haug1989",),
    )
)
