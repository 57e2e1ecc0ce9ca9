"""The x axis of B lies in the x-y plane of A."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, cylinder, square
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

LINE_ON_PLANE = register(
    JointType(
        name="line-on-plane",
        space="spatial",
        rows=(Row(slide("z")), Row(perp("z", "x"))),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("rotation_a", axis="z"),
            Freedom("rotation_b", axis="x", on="B"),
        ),
        glyph=Glyph(a=(square(2.6),), b=cylinder("x", 0.35, 2.0), support="plane"),
        shop="roller on a flat face",
        doc="The x axis of B lies in the x-y plane of A: a shaft on a table, held from both sides.",
        cite=("haug1989",),
    )
)
