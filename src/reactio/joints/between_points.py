"""Parts of tables that joints between two points share: their freedoms, and lengths that follow from the given pose."""

from __future__ import annotations

from reactio.catalogue.fields import Number
from reactio.joints import Freedom
from reactio.primitives.planar.turn import turn

# Freedoms of B about A where one row holds the distance of their origins.
PLANAR_FREEDOMS = (Freedom("rotation", turn(), axis="z"), Freedom("swing"))
SPATIAL_FREEDOMS = (
    Freedom("swing_1"),
    Freedom("swing_2"),
    Freedom("rotation_x", axis="x"),
    Freedom("rotation_y", axis="y"),
    Freedom("rotation_z", axis="z"),
)
SECTION_STIFFNESS = Number(
    "EA", "Stiffness of its section, modulus times area: k = EA/length.", None, "force", positive=True
)
RESTITUTION = Number("restitution", "Rebound speed over approach speed when it begins to carry load, 0 … 1.", 0.0)


def length(what: str) -> Number:
    """The length of a link, that at the given pose if left out."""
    return Number("length", f"{what} at the given pose if left out.", None, "length", positive=True)
