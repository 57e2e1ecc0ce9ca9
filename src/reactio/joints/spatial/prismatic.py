"""B slides along the z axis of A without turning."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, box
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

PRISMATIC = register(
    JointType(
        name="prismatic",
        space="spatial",
        aliases=("slider", "linear-guide", "translational"),
        rows=(
            Row(slide("x")),
            Row(slide("y")),
            Row(perp("z", "x")),
            Row(perp("z", "y")),
            Row(perp("x", "y")),
        ),
        free=(Freedom("translation", slide("z"), axis="z", rotates=False),),
        glyph=Glyph(a=box(0.35, 0.35, 3.2), b=box(0.8, 0.8, 1.2), support="rail"),
        shop="linear guide",
        doc="B slides along the z axis of A without turning.",
        cite=("haug1989",),
    )
)
