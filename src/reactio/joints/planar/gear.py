"""Pitch circles about the two origins roll on each other; any carrier, or none."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball, ring
from reactio.joints import TANGENTIAL_FORCE, Freedom, JointType, Row, register
from reactio.primitives import Scaled
from reactio.primitives.planar.bearing import bearing
from reactio.primitives.planar.turn import turn

GEAR = register(
    JointType(
        name="gear",
        space="planar",
        rows=(
            Row(
                Scaled(-1.0, "radius_a") * bearing()
                + Scaled(-1.0, "radius_b") * bearing()
                + Scaled(1.0, "radius_b") * turn(),
                target="offset",
                label="pitch",
            ),
        ),
        free=(Freedom("rotation", turn()), Freedom("revolution")),
        parameters=(
            Number("radius_a", "Pitch radius of the wheel on A.", dimension="length", positive=True),
            Number(
                "radius_b",
                "Pitch radius of the wheel on B, negative for a ring gear around A.",
                dimension="length",
                nonzero=True,
            ),
            Number(
                "offset",
                "Rolled length at the zero of all angles; as at the given pose if left out.",
                None,
                "length",
            ),
        ),
        glyph=Glyph(
            a=(ball(0.4), ring(parameter="radius_a")),
            b=(ball(0.4), ring(parameter="radius_b")),
            radii=("radius_a", "radius_b"),
            support="",
        ),
        doc="Pitch circles about the two origins roll on each other; any carrier, or none.",
        cite=("haug1989",),
        teeth=(TANGENTIAL_FORCE,),
    )
)
