"""Contact of a disc with a rough plane that does not slip: the rim of a disc about z of B rolls on x-y of A."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ring
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.disc_height import disc_height
from reactio.primitives.spatial.roll_disc import roll_disc

ROUGH_DISC = register(
    JointType(
        name="rough-disc",
        space="spatial",
        rows=(
            Row(-1.0 * disc_height(parameter="radius"), label="depth", unilateral=True),
            Row(roll_disc("x", parameter="radius")),
            Row(roll_disc("y", parameter="radius")),
        ),
        axes=(("z", 0), ("x", 1), ("y", 2)),
        free=(Freedom("roll"), Freedom("tilt"), Freedom("steer")),
        parameters=(
            Number("radius", "Radius of the disc.", dimension="length", positive=True),
            Number("friction", "Coefficient of Coulomb friction that keeps it from slipping; 0: any.", 0.0),
        ),
        glyph=Glyph(b=(ring(parameter="radius"),), support=""),
        doc="A closed contact that does not slip: the rim of a thin disc about z of B rolls on the x-y plane of A.",
        cite=("haug1989",),
    )
)
