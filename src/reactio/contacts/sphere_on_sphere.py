"""Two spheres that may touch."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.contacts import ContactType, register

SPHERE_ON_SPHERE = register(
    ContactType(
        name="sphere-on-sphere",
        space="spatial",
        joint="contact-distance",
        surface="other",
        body="center",
        radii=(
            Number("radius", "Radius of the sphere.", dimension="length", positive=True),
            Number("other_radius", "Radius of the other sphere.", dimension="length", positive=True),
        ),
        doc="Two spheres that may touch.",
        normal=False,
        rough="rough-distance",
    )
)
