"""A torsional spring and damper in a joint."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinate, Number, unchanged
from reactio.forces import AppliedLoad, ForceType, JointCoordinates, register, spring_law

TORSIONAL_SPRING_DAMPER = register(
    ForceType(
        name="torsional-spring-damper",
        fields=(
            Coordinate("joint", "The rotation it acts on.", unit="rad"),
            Number("stiffness", "Torque per angle.", 0.0, "torsional stiffness"),
            Number("angle", "Angle at which its torque is zero.", 0.0, "angle"),
            Number("damping", "Torque per angular velocity.", 0.0, "torsional damping"),
        ),
        loads=lambda p: (
            AppliedLoad(JointCoordinates((p["joint"],)), spring_law(p["stiffness"], p["angle"], p["damping"])),
        ),
        doc="A torsional spring and damper on the rotation of a joint, over any number of turns.",
        mirrored=unchanged,
    )
)
