"""The advance of a thread alone: B moves along z of A as it turns about it; other joints guide the two."""

from __future__ import annotations

import math

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, helix
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives import Scaled
from reactio.primitives.spatial.angle import angle
from reactio.primitives.spatial.slide import slide

THREAD = register(
    JointType(
        name="thread",
        space="spatial",
        rows=(Row(slide("z") - Scaled(1 / math.tau, "pitch") * angle(), label="thread"),),
        free=(
            Freedom("x", slide("x"), axis="x", rotates=False),
            Freedom("y", slide("y"), axis="y", rotates=False),
            Freedom("rotation", angle()),
            Freedom("tilt_1"),
            Freedom("tilt_2"),
        ),
        parameters=(
            Number(
                "pitch",
                "Advance per full turn, negative for a left-hand thread.",
                dimension="length",
                nonzero=True,
            ),
        ),
        glyph=Glyph(a=(helix(0.55, 3.0, 6),)),
        doc="The advance of a thread alone, one equation: other joints guide the two bodies (`screw` does both).",
        cite=("haug1989",),
    )
)
