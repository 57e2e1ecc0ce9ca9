"""Common origin; B bends against A without twist, so shafts along z turn at equal speed."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, ball, ring
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.perp import perp
from reactio.primitives.spatial.slide import slide

CONSTANT_VELOCITY = register(
    JointType(
        name="constant-velocity",
        space="spatial",
        aliases=("homokinetic",),
        rows=(
            Row(slide("x")),
            Row(slide("y")),
            Row(slide("z")),
            Row(0.5 * perp("x", "y") - 0.5 * perp("y", "x"), label="twist"),
        ),
        free=(Freedom("bend_1"), Freedom("bend_2")),
        glyph=Glyph(a=(ball(0.9), ring("z", 1.3)), b=(ring("z", 1.5),)),
        shop="constant-velocity coupling",
        doc="Common origin; B bends against A without twist, so shafts along z turn at equal speed.",
        cite=("haug1989",),
    )
)
