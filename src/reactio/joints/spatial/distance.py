"""Massless rod with ball ends: the origins keep their distance."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.distance import distance

DISTANCE = register(
    JointType(
        name="distance",
        space="spatial",
        rows=(Row(distance(), target="length"),),
        axes=(("x", 0),),
        free=(
            Freedom("swing_1"),
            Freedom("swing_2"),
            Freedom("rotation_x", axis="x"),
            Freedom("rotation_y", axis="y"),
            Freedom("rotation_z", axis="z"),
        ),
        parameters=(
            Number(
                "length",
                "Length of the rod; the distance at the given pose if left out.",
                None,
                "length",
                positive=True,
            ),
        ),
        glyph=Glyph(a=(ball(0.5),), b=(ball(0.5),), link=True),
        doc="Massless rod with ball ends: the origins keep their distance.",
        cite=("haug1989",),
    )
)
