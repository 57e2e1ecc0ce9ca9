"""A sphere about B rolls without slip on the x-y plane of A."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ring
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.roll_sphere import roll_sphere
from reactio.primitives.spatial.slide import slide

ROLLING_SPHERE = register(
    JointType(
        name="rolling-sphere",
        space="spatial",
        rows=(
            Row(slide("z"), target="radius"),
            Row(roll_sphere("x", parameter="radius")),
            Row(roll_sphere("y", parameter="radius")),
        ),
        free=(Freedom("roll_x"), Freedom("roll_y"), Freedom("spin")),
        parameters=(Number("radius", "Radius of the sphere.", dimension="length", positive=True),),
        glyph=Glyph(
            b=(ring("x", parameter="radius"), ring("y", parameter="radius"), ring("z", parameter="radius")), support=""
        ),
        doc="A sphere about B rolls without slip on the x-y plane of A.",
        cite=("haug1989",),
    )
)
