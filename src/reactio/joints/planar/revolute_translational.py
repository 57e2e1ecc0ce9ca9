"""Pin in a slot: the origin of B stays on the x axis of A."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball, rails
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

REVOLUTE_TRANSLATIONAL = register(
    JointType(
        name="revolute-translational",
        space="planar",
        rows=(Row(slide("y")),),
        free=(
            Freedom("translation", slide("x"), axis="x", rotates=False),
            Freedom("rotation", turn(), axis="z"),
        ),
        glyph=Glyph(a=rails(3.2, 0.9), b=(ball(0.8),), support="rail"),
        shop="pin in a slotted hole",
        doc="Pin in a slot: the origin of B stays on the x axis of A.",
        cite=("haug1989",),
    )
)
