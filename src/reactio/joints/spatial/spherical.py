"""Common origin; all rotations are free."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.slide import slide

SPHERICAL = register(
    JointType(
        name="spherical",
        space="spatial",
        aliases=("ball", "ball-and-socket"),
        rows=(Row(slide("x")), Row(slide("y")), Row(slide("z"))),
        free=(
            Freedom("rotation_x", axis="x"),
            Freedom("rotation_y", axis="y"),
            Freedom("rotation_z", axis="z"),
        ),
        glyph=Glyph(a=(ball(1.05),)),
        shop="self-aligning bearing or ball joint",
        doc="Common origin; all rotations are free.",
        cite=("haug1989",),
    )
)
