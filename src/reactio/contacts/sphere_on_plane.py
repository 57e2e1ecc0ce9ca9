"""A sphere that may rest on a plane."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.contacts import ContactType, register

SPHERE_ON_PLANE = register(
    ContactType(
        name="sphere-on-plane",
        space="spatial",
        joint="contact-plane",
        surface="plane",
        body="center",
        radii=(Number("radius", "Radius of the sphere.", dimension="length", positive=True),),
        doc="A sphere that may rest on a plane.",
        rough="rough-plane",
    )
)
