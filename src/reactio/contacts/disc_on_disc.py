"""Two discs that may touch."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.contacts import ContactType, register

DISC_ON_DISC = register(
    ContactType(
        name="disc-on-disc",
        space="planar",
        joint="contact-distance",
        surface="other",
        body="center",
        radii=(
            Number("radius", "Radius of the disc.", dimension="length", positive=True),
            Number("other_radius", "Radius of the other disc.", dimension="length", positive=True),
        ),
        doc="Two discs that may touch.",
        normal=False,
        rough="rough-distance",
    )
)
