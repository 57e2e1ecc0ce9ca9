"""The origin of B stays on the x-y plane of A."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball, square
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.slide import slide

POINT_ON_PLANE = register(
    JointType(
        name="point-on-plane",
        space="spatial",
        rows=(Row(slide("z")),),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("rotation_x", axis="x", on="B"),
            Freedom("rotation_y", axis="y", on="B"),
            Freedom("rotation_z", axis="z", on="B"),
        ),
        glyph=Glyph(a=(square(2.6),), b=(ball(0.7),), support="plane"),
        shop="ball on a flat face",
        doc="The origin of B stays on the x-y plane of A.",
        cite=("haug1989",),
    )
)
