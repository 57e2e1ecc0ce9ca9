"""B turns about the z axis of A and advances along it with the thread."""

from __future__ import annotations

import math

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, cylinder, helix
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives import Scaled
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

SCREW = register(
    JointType(
        name="screw",
        space="spatial",
        aliases=("lead-screw", "ball-screw", "helical"),
        rows=(
            Row(slide("x")),
            Row(slide("y")),
            Row(perp("z", "x")),
            Row(perp("z", "y")),
            Row(slide("z") - Scaled(1 / math.tau, "pitch") * angle(), label="thread"),
        ),
        free=(Freedom("rotation", angle(), axis="z", advance="pitch"),),
        parameters=(
            Number(
                "pitch",
                "Advance per full turn, negative for a left-hand thread.",
                dimension="length",
                nonzero=True,
            ),
        ),
        glyph=Glyph(a=(*cylinder("z", 0.4, 3.2), helix(0.55, 3.0, 6)), b=cylinder("z", 0.9, 0.8), support="rail"),
        doc="B turns about the z axis of A and advances along it with the thread.",
        cite=("haug1989",),
    )
)
