"""Massless link with parallel hinges at both ends, along the z axes of A and B."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, cylinder
from reactio.joints import Freedom, JointType, Row, register
from reactio.joints.between_points import length
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.axis_distance import axis_distance
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

REVOLUTE_REVOLUTE = register(
    JointType(
        name="revolute-revolute",
        space="spatial",
        rows=(Row(axis_distance("z"), target="length"), Row(slide("z")), Row(perp("z", "x")), Row(perp("z", "y"))),
        axes=(("x", 0),),
        free=(
            Freedom("swing"),
            Freedom("rotation", angle(), axis="z"),
        ),
        parameters=(length("Distance of B from the z axis of A; that"),),
        glyph=Glyph(a=cylinder("z", 0.6, 0.9), b=cylinder("z", 0.6, 0.9), link=True),
        doc="Massless link with parallel hinges at both ends, along the z axes of A and B.",
        cite=("haug1989",),
    )
)
