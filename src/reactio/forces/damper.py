"""A damper between two points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Number, Place, unchanged
from reactio.forces import AppliedLoad, ForceType, distance, register, spring_law


def _loads(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    return (AppliedLoad(distance(p["a"], p["b"]), spring_law(0.0, damping=p["damping"])),)


DAMPER = register(
    ForceType(
        name="damper",
        fields=(
            Place("a", "One end."),
            Place("b", "The other end."),
            Number("damping", "Force per speed of elongation.", dimension="damping"),
        ),
        loads=_loads,
        doc="A linear damper between two points.",
        mirrored=unchanged,
    )
)
