"""Massless link that turns and slides on the z axis of A and holds B by a ball."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.joints.between_points import length
from reactio.primitives.spatial.axis_distance import axis_distance
from reactio.primitives.spatial.slide import slide

CYLINDRICAL_SPHERICAL = register(
    JointType(
        name="cylindrical-spherical",
        space="spatial",
        rows=(Row(axis_distance("z"), target="length"),),
        axes=(("x", 0),),
        free=(
            Freedom("translation", slide("z"), axis="z", rotates=False),
            Freedom("swing"),
            Freedom("rotation_x", axis="x"),
            Freedom("rotation_y", axis="y"),
            Freedom("rotation_z", axis="z"),
        ),
        parameters=(length("Distance of B from the z axis of A; that"),),
        glyph=Glyph(a=cylinder("z", 0.35, 2.4), b=(ball(0.5),), link=True),
        doc="Massless link that turns and slides on the z axis of A and holds B by a ball at its origin.",
        cite=("haug1989",),
    )
)
