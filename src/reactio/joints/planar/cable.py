"""Cable: the origins are never farther apart than its length, and it only pulls."""

from __future__ import annotations

from reactio.fields import Number
from reactio.joints import Freedom, JointType, Row, register
from reactio.marks import Glyph, ball
from reactio.primitives.planar.distance import distance
from reactio.primitives.planar.turn import turn

CABLE = register(
    JointType(
        name="cable",
        space="planar",
        rows=(Row(distance(), target="length", label="tension", unilateral=True),),
        axes=(("x", 0),),
        free=(Freedom("rotation", turn(), axis="z"), Freedom("swing")),
        parameters=(
            Number(
                "length",
                "Length without load; the distance at the given pose if left out.",
                None,
                "length",
                positive=True,
            ),
            Number("restitution", "Part of the speed that the impact gives back when it tightens, 0 … 1.", 0.0),
            Number("EA", "Stiffness of its section, modulus times area: k = EA/length.", None, "force", positive=True),
        ),
        glyph=Glyph(a=(ball(0.4),), b=(ball(0.4),), link=True),
        doc="Cable, rope, chain or sling: the origins are never farther apart than its length; it only pulls.",
        cite=("haug1989",),
    )
)
