"""Blade or thin wheel at B on the ground A: no velocity across, along the y axis of B."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, line, rod
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.planar.glide import glide

KNIFE_EDGE = register(
    JointType(
        name="knife-edge",
        space="planar",
        rows=(Row(glide(l="y")),),
        axes=(("y", 0),),
        free=(Freedom("advance", axis="x", on="B", rotates=False), Freedom("rotation", axis="z")),
        glyph=Glyph(
            b=(rod((-1.5, 0.0, 0.0), (1.5, 0.0, 0.0), radius=0.55), line((0.0, -1.7, 0.0), (0.0, 1.7, 0.0))), support=""
        ),
        doc="Blade or thin wheel at B on the ground A: no velocity across, along the y axis of B.",
        cite=("wojtyra2013",),
    )
)
