"""A cylinder that may rest on a plane with the rims of both its ends."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.contacts import ContactType, register

CYLINDER_ON_PLANE = register(
    ContactType(
        name="cylinder-on-plane",
        space="spatial",
        joint="contact-disc",
        surface="plane",
        body="center",
        radii=(
            Number(
                "radius", "Radius of the cylinder, about the z axis of its frame.", dimension="length", positive=True
            ),
        ),
        doc="A cylinder about z of its frame that may rest on a plane with the rims of its two ends, each a contact.",
        rough="rough-disc",
        axis=True,
        length=Number("length", "Length of the cylinder, centred.", dimension="length", positive=True),
    )
)
