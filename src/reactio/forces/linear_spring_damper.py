"""A spring and damper along the translation of a joint."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinate, Number, unchanged
from reactio.forces import AppliedLoad, ForceType, JointCoordinates, register, spring_law

LINEAR_SPRING_DAMPER = register(
    ForceType(
        name="linear-spring-damper",
        fields=(
            Coordinate("joint", "The translation it acts on.", unit="m"),
            Number("stiffness", "Force per displacement.", 0.0, "stiffness"),
            Number("position", "Position at which its force is zero.", 0.0, "length"),
            Number("damping", "Force per speed.", 0.0, "damping"),
        ),
        loads=lambda p: (
            AppliedLoad(JointCoordinates((p["joint"],)), spring_law(p["stiffness"], p["position"], p["damping"])),
        ),
        doc="A linear spring and damper along the translation of a joint.",
        mirrored=unchanged,
    )
)
