"""A damper between two points."""

from __future__ import annotations

from reactio.catalogue.fields import Number, Place, unchanged
from reactio.forces import AppliedLoad, ForceType, distance, register, spring_law

DAMPER = register(
    ForceType(
        name="damper",
        fields=(
            Place("a", "One end."),
            Place("b", "The other end."),
            Number("damping", "Force per speed of elongation.", dimension="damping"),
        ),
        loads=lambda p: (AppliedLoad(distance(p["a"], p["b"]), spring_law(0.0, damping=p["damping"])),),
        doc="A linear damper between two points.",
        mirrored=unchanged,
    )
)
