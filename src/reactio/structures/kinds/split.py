"""Split rods: two halves that slide along each other on a spring; between two joints only their length gives way."""

from __future__ import annotations

from reactio.structures import Description, MassProperties, StructureKind, register
from reactio.structures.kinds.rod import ROD_KEYS, rod_flexibility, rod_stiffness


def _inertia(given: Description) -> MassProperties | None:
    # A rod has no mass of its own; its parameters are checked here.
    rod_stiffness(given, (*ROD_KEYS, "damping"), "split")
    return None


SPLIT = register(
    StructureKind(
        name="split",
        doc="Two halves with a prismatic joint and a spring-damper: axial flexibility and its vibration.",
        flexibility=rod_flexibility,
        inertia=_inertia,
        vibrates=False,
    )
)
