"""Massless rod whose equation is the square of its length, as textbooks often write it."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ball
from reactio.joints import JointType, Row, register
from reactio.joints.between_points import PLANAR_FREEDOMS
from reactio.primitives.planar.squared_distance import squared_distance

SQUARED_DISTANCE = register(
    JointType(
        name="squared-distance",
        space="planar",
        rows=(Row(squared_distance(parameter="length")),),
        axes=(("x", 0),),
        free=PLANAR_FREEDOMS,
        parameters=(Number("length", "Length of the rod.", dimension="length", positive=True),),
        glyph=Glyph(a=(ball(0.5),), b=(ball(0.5),), link=True),
        doc="Massless rod, written as d·d − l² = 0: the same rod as `distance`, with a multiplier in N/m.",
        cite=("haug1989",),
    )
)
