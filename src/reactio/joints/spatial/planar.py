"""B slides on the x-y plane of A and turns about its z axis."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, box, square
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

PLANAR_JOINT = register(
    JointType(
        name="planar",
        space="spatial",
        rows=(Row(slide("z")), Row(perp("z", "x")), Row(perp("z", "y"))),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("rotation", angle(), axis="z"),
        ),
        glyph=Glyph(a=(square(2.6),), b=box(0.9, 0.9, 0.25), support="plane"),
        shop="flat face on a flat face",
        doc="B slides on the x-y plane of A and turns about its z axis.",
        cite=("haug1989",),
    )
)
