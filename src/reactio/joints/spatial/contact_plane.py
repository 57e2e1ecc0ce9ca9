"""Contact with a plane: the origin of B stands off the x-y plane of A by no less than its radius."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball, square
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.slide import slide

CONTACT_PLANE = register(
    JointType(
        name="contact-plane",
        space="spatial",
        rows=(Row(-1.0 * slide("z"), target="radius", label="depth", unilateral=True),),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("rotation_x", axis="x", on="B"),
            Freedom("rotation_y", axis="y", on="B"),
            Freedom("rotation_z", axis="z", on="B"),
        ),
        parameters=(Number("radius", "Radius of a ball around the origin of B; 0 for a point.", 0.0, "length"),),
        glyph=Glyph(a=(square(2.6),), b=(ball(0.7),), support="plane"),
        doc="A closed contact: the origin of B, or a ball around it, rests on the x-y plane of A, which only pushes.",
        cite=("haug1989",),
    )
)
