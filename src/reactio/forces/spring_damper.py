"""A spring and a damper side by side between two points."""

from __future__ import annotations

from reactio.catalogue.fields import Number, Place, unchanged
from reactio.forces import AppliedLoad, ForceType, distance, register, spring_law

SPRING_DAMPER = register(
    ForceType(
        name="spring-damper",
        fields=(
            Place("a", "One end."),
            Place("b", "The other end."),
            Number("stiffness", "Force per elongation.", dimension="stiffness"),
            Number("length", "Free length.", dimension="length"),
            Number("damping", "Force per speed of elongation.", 0.0, "damping"),
        ),
        loads=lambda p: (AppliedLoad(distance(p["a"], p["b"]), spring_law(p["stiffness"], p["length"], p["damping"])),),
        doc="A linear spring and damper between two points.",
        mirrored=unchanged,
    )
)
