"""The origin of B stays on the z axis of A."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.slide import slide

POINT_ON_LINE = register(
    JointType(
        name="point-on-line",
        space="spatial",
        rows=(Row(slide("x")), Row(slide("y"))),
        free=(
            Freedom("translation", slide("z"), axis="z", rotates=False),
            Freedom("rotation_x", axis="x", on="B"),
            Freedom("rotation_y", axis="y", on="B"),
            Freedom("rotation_z", axis="z", on="B"),
        ),
        glyph=Glyph(a=cylinder("z", 0.3, 3.2), b=(ball(0.8),), support="rail"),
        shop="self-aligning bearing that floats",
        doc="The origin of B stays on the z axis of A.",
        cite=("haug1989",),
    )
)
