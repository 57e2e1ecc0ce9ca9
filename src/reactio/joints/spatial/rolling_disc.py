"""A thin disc about the z axis of B rolls without slip on the x-y plane of A."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ring
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.disc_height import disc_height
from reactio.primitives.spatial.roll_disc import roll_disc

ROLLING_DISC = register(
    JointType(
        name="rolling-disc",
        space="spatial",
        rows=(
            Row(disc_height(parameter="radius")),
            Row(roll_disc("x", parameter="radius")),
            Row(roll_disc("y", parameter="radius")),
        ),
        axes=(("z", 0), ("x", 1), ("y", 2)),
        free=(Freedom("roll"), Freedom("tilt"), Freedom("steer")),
        parameters=(Number("radius", "Radius of the disc.", dimension="length", positive=True),),
        glyph=Glyph(b=(ring(parameter="radius"),), support=""),
        doc="A thin disc about the z axis of B rolls without slip on the x-y plane of A.",
        cite=("haug1989",),
    )
)
