"""B slides along the z axis of A without turning."""

from __future__ import annotations

from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

PRISMATIC = register(
    JointType(
        name="prismatic",
        space="spatial",
        rows=(
            Row(slide("x")),
            Row(slide("y")),
            Row(perp("z", "x")),
            Row(perp("z", "y")),
            Row(perp("x", "y")),
        ),
        free=(Freedom("translation", slide("z"), axis="z", rotates=False),),
        doc="B slides along the z axis of A without turning.",
        cite=("haug1989",),
    )
)
