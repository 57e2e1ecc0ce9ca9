"""B slides along the x axis of A without turning."""

from __future__ import annotations

from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

TRANSLATIONAL = register(
    JointType(
        name="translational",
        space="planar",
        rows=(Row(slide("y")), Row(turn())),
        free=(Freedom("translation", slide("x"), axis="x", rotates=False),),
        doc="B slides along the x axis of A without turning.",
        cite=("wojtyra2013",),
    )
)
