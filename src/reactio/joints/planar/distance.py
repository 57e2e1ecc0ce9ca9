"""Massless rod: the origins keep their distance."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.distance import distance
from reactio.primitives.planar.turn import turn

DISTANCE = register(
    JointType(
        name="distance",
        space="planar",
        rows=(Row(distance(), target="length"),),
        axes=(("x", 0),),
        free=(Freedom("rotation", turn(), axis="z"), Freedom("swing")),
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
        doc="Massless rod: the origins keep their distance.",
        cite=("haug1989",),
    )
)
