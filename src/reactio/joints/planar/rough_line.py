"""Contact with a rough line that does not slip: a point or disc of B rests on the x axis of A and sticks or rolls."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives import Scaled
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

ROUGH_LINE = register(
    JointType(
        name="rough-line",
        space="planar",
        rows=(
            Row(-1.0 * slide("y"), target="radius", label="depth", unilateral=True),
            Row(slide("x") + Scaled(1.0, "radius") * turn(), target="offset", label="slip"),
        ),
        free=(Freedom("rotation", turn()),),
        parameters=(
            Number("radius", "Radius of a disc around the origin of B; 0 for a point.", 0.0, "length"),
            Number("offset", "Place of the contact at the zero of the angle; that of the given pose.", None, "length"),
            Number("friction", "Coefficient of Coulomb friction that keeps it from slipping; 0: any.", 0.0),
        ),
        glyph=Glyph(b=(ball(0.7),)),
        doc="A closed contact that does not slip: a point of B, or a disc around it, on the x axis of A.",
        cite=("haug1989",),
    )
)
