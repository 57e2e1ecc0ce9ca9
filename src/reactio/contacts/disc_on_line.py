"""A disc that may rest on a line."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.contacts import ContactType, register

DISC_ON_LINE = register(
    ContactType(
        name="disc-on-line",
        space="planar",
        joint="contact-line",
        surface="line",
        body="center",
        radii=(Number("radius", "Radius of the disc.", dimension="length", positive=True),),
        doc="A disc that may rest on a line.",
        rough="rough-line",
    )
)
