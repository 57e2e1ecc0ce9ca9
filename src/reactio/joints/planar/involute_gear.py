"""Wheels with involute teeth: pitch circles roll on each other, and the tooth force has a radial part."""

from __future__ import annotations

import math

from reactio.catalogue.fields import Number
from reactio.joints import RADIAL_FORCE, TANGENTIAL_FORCE, Freedom, JointType, Row, register
from reactio.joints.planar.gear import GEAR
from reactio.primitives import Scaled
from reactio.primitives.planar.bearing import bearing
from reactio.primitives.planar.distance import distance
from reactio.primitives.planar.turn import turn

# The row of `gear`, whose multiplier is the tangential force F_t, and the distance of the centres with F_t tan α.
INVOLUTE_GEAR = register(
    JointType(
        name="involute-gear",
        space="planar",
        rows=(
            Row(
                Scaled(-1.0, "radius_a") * bearing()
                + Scaled(-1.0, "radius_b") * bearing()
                + Scaled(1.0, "radius_b") * turn()
                + Scaled(1.0, "pressure_angle", math.tan) * distance(),
                target="offset",
                label="line of action",
            ),
        ),
        free=(Freedom("rotation", turn()), Freedom("revolution")),
        parameters=(
            *(field for field in GEAR.parameters if field.name != "offset"),
            Number(
                "pressure_angle",
                "Angle between the tooth force and the common tangent, usually ±20°. Outside it is positive where the "
                "teeth turn B counter-clockwise, negative where the other flanks are loaded.",
                dimension="angle",
                nonzero=True,
            ),
            *(field for field in GEAR.parameters if field.name == "offset"),
        ),
        glyph=GEAR.glyph,
        doc="Wheels with involute teeth on centres that other joints hold apart: the tooth force acts along the line "
        "of action, F_t along the pitch circles and F_t tan α along the line of centres.",
        cite=("haug1989",),
        teeth=(TANGENTIAL_FORCE, RADIAL_FORCE),
    )
)
