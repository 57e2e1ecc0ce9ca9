"""A point that may rest on a plane."""

from __future__ import annotations

from reactio.contacts import ContactType, register

POINT_ON_PLANE = register(
    ContactType(
        name="point-on-plane",
        space="spatial",
        joint="contact-plane",
        surface="plane",
        body="point",
        radii=(),
        doc="A point that may rest on a plane.",
        rough="rough-plane",
    )
)
