"""The two frames coincide."""

from __future__ import annotations

from reactio.joints import JointType, Row, register
from reactio.primitives.planar.slide import slide
from reactio.primitives.planar.turn import turn

FIXED = register(
    JointType(
        name="fixed",
        space="planar",
        rows=(Row(slide("x")), Row(slide("y")), Row(turn())),
        free=(),
        doc="The two frames coincide.",
        cite=("wojtyra2013",),
    )
)
