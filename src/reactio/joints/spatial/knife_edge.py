"""The edge at B stays on the x-y plane of A and does not move across, along the y axis of B."""

from __future__ import annotations

from reactio.catalogue.marks import Glyph, line, ring
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.glide import glide
from reactio.primitives.spatial.slide import slide

KNIFE_EDGE = register(
    JointType(
        name="knife-edge",
        space="spatial",
        rows=(Row(slide("z")), Row(glide(l="y"))),
        axes=(("z", 0), ("y", 1)),
        free=(
            Freedom("advance"),
            Freedom("rotation_x", axis="x", on="B"),
            Freedom("rotation_y", axis="y", on="B"),
            Freedom("rotation_z", axis="z", on="B"),
        ),
        glyph=Glyph(b=(ring("y", 1.4), line((-1.4, 0.0, 0.0), (1.4, 0.0, 0.0))), support=""),
        doc="The edge at B stays on the x-y plane of A and does not move across, along the y axis of B.",
        cite=("wojtyra2013",),
    )
)
