"""A spring between two points."""

from __future__ import annotations

from reactio.catalogue.fields import Number, Place, unchanged
from reactio.forces import AppliedLoad, ForceType, distance, register, spring_law

SPRING = register(
    ForceType(
        name="spring",
        fields=(
            Place("a", "One end."),
            Place("b", "The other end."),
            Number("stiffness", "Force per elongation.", dimension="stiffness"),
            Number("length", "Free length.", dimension="length"),
        ),
        loads=lambda p: (AppliedLoad(distance(p["a"], p["b"]), spring_law(p["stiffness"], p["length"])),),
        doc="A linear spring between two points.",
        mirrored=unchanged,
    )
)
