"""A force or torque along a joint coordinate."""

from __future__ import annotations

from reactio.catalogue.fields import Coordinate, Law, unchanged
from reactio.forces import AppliedLoad, ForceLaw, ForceType, JointCoordinates, register, spring_law
from reactio.functions import Function
from reactio.functions.linear_law import LinearLaw


def _law(function: Function) -> ForceLaw:
    """A linear function of the coordinate has the potential of a spring."""
    if isinstance(function, LinearLaw):
        return spring_law(function.stiffness, function.free, function.damping)
    return ForceLaw((function,))


ACTUATOR = register(
    ForceType(
        name="actuator",
        fields=(
            Coordinate("joint", "The coordinate it acts on."),
            Law(
                "effort",
                "Force or torque: a function of t, of the coordinate s and of its rate.",
                dimension="effort",
            ),
        ),
        loads=lambda p: (AppliedLoad(JointCoordinates((p["joint"],)), _law(p["effort"])),),
        doc="A force or torque along a joint coordinate, as a function of time, coordinate and rate.",
        mirrored=unchanged,
    )
)
