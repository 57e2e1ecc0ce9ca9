"""A thin disc that may rest on a plane with its rim."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.contacts import ContactType, register

DISC_ON_PLANE = register(
    ContactType(
        name="disc-on-plane",
        space="spatial",
        joint="contact-disc",
        surface="plane",
        body="center",
        radii=(
            Number("radius", "Radius of the disc, about the z axis of its frame.", dimension="length", positive=True),
        ),
        doc="A thin disc about z of its frame that may rest on a plane with its rim; it must not lie flat.",
        rough="rough-disc",
        axis=True,
    )
)
