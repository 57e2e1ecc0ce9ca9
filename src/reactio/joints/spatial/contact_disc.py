"""Contact of a disc with a plane: the rim of a disc about the z axis of B stays above the x-y plane of A."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph, ring
from reactio.joints import Freedom, JointType, Row, register
from reactio.primitives.spatial.disc_height import disc_height

CONTACT_DISC = register(
    JointType(
        name="contact-disc",
        space="spatial",
        rows=(Row(-1.0 * disc_height(parameter="radius"), label="depth", unilateral=True),),
        free=(Freedom("along"), Freedom("across"), Freedom("roll"), Freedom("tilt"), Freedom("steer")),
        parameters=(Number("radius", "Radius of the disc.", dimension="length", positive=True),),
        glyph=Glyph(b=(ring(parameter="radius"),), support=""),
        doc="A closed contact: the rim of a thin disc about z of B rests on the x-y plane of A, which only pushes.",
        cite=("haug1989",),
    )
)
