"""A spring between two points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Number, Place, unchanged
from reactio.forces import AppliedLoad, ForceType, distance, register, spring_law


def _loads(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    return (AppliedLoad(distance(p["a"], p["b"]), spring_law(p["stiffness"], p["length"])),)


SPRING = register(
    ForceType(
        name="spring",
        fields=(
            Place("a", "One end."),
            Place("b", "The other end."),
            Number("stiffness", "Force per elongation.", dimension="stiffness"),
            Number("length", "Free length.", dimension="length"),
        ),
        loads=_loads,
        doc="A linear spring between two points.",
        mirrored=unchanged,
    )
)
