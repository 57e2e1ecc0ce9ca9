"""Contact of two rough balls that do not slip: they roll on each other around the origins of A and B."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.joints.between_points import length
from reactio.primitives.spatial.distance import distance
from reactio.primitives.spatial.roll_on_sphere import roll_on_sphere

ROUGH_DISTANCE = register(
    JointType(
        name="rough-distance",
        space="spatial",
        rows=(
            Row(-1.0 * distance(), target="length", label="depth", unilateral=True),
            Row(roll_on_sphere("x", parameter="radius")),
            Row(roll_on_sphere("y", parameter="radius")),
        ),
        axes=(("x", 0), ("y", 1), ("z", 2)),
        free=(Freedom("roll_1"), Freedom("roll_2"), Freedom("spin")),
        parameters=(
            length("Sum of the radii; the distance"),
            Number("radius", "Radius of the ball around the origin of B.", dimension="length"),
            Number("friction", "Coefficient of Coulomb friction that keeps it from slipping; 0: any.", 0.0),
        ),
        glyph=Glyph(a=(ball(0.7),), b=(ball(0.7),), link=True),
        doc="A closed contact that does not slip: two balls around the origins of A and B roll on each other.",
        cite=("haug1989",),
    )
)
