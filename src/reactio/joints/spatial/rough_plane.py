"""Contact with a rough plane that does not slip: a point or ball of B sticks to the x-y plane of A, or rolls."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball, square
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.roll_sphere import roll_sphere
from reactio.primitives.spatial.slide import slide

ROUGH_PLANE = register(
    JointType(
        name="rough-plane",
        space="spatial",
        rows=(
            Row(-1.0 * slide("z"), target="radius", label="depth", unilateral=True),
            Row(roll_sphere("x", parameter="radius")),
            Row(roll_sphere("y", parameter="radius")),
        ),
        free=(Freedom("roll_x"), Freedom("roll_y"), Freedom("spin")),
        parameters=(
            Number("radius", "Radius of a ball around the origin of B; 0 for a point.", 0.0, "length"),
            Number("friction", "Coefficient of Coulomb friction that keeps it from slipping; 0: any.", 0.0),
        ),
        glyph=Glyph(a=(square(2.6),), b=(ball(0.7),), support="plane"),
        doc="A closed contact that does not slip: a point of B, or a ball around it, on the x-y plane of A.",
        cite=("haug1989",),
    )
)
