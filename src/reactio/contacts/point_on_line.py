"""A point that may rest on a line."""

from __future__ import annotations

from reactio.contacts import ContactType, register

POINT_ON_LINE = register(
    ContactType(
        name="point-on-line",
        space="planar",
        joint="contact-line",
        surface="line",
        body="point",
        radii=(),
        doc="A point that may rest on a line.",
        rough="rough-line",
    )
)
