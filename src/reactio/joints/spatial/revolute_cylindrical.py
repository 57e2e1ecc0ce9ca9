"""Massless link that turns and slides on the z axis of A and holds B by a hinge parallel to it."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.joints.between_points import length
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.axis_distance import axis_distance
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

REVOLUTE_CYLINDRICAL = register(
    JointType(
        name="revolute-cylindrical",
        space="spatial",
        rows=(Row(axis_distance("z"), target="length"), Row(perp("z", "x")), Row(perp("z", "y"))),
        axes=(("x", 0),),
        free=(
            Freedom("translation", slide("z"), axis="z", rotates=False),
            Freedom("swing"),
            Freedom("rotation", angle(), axis="z"),
        ),
        parameters=(length("Distance of B from the z axis of A; that"),),
        glyph=Glyph(a=cylinder("z", 0.35, 2.4), b=cylinder("z", 0.6, 0.9), link=True),
        doc="Massless link that turns and slides on the z axis of A and holds B by a hinge parallel to it.",
        cite=("haug1989",),
    )
)
