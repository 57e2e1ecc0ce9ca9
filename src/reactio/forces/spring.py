"""A spring between two points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.fields import Number, Place, unchanged
from reactio.forces import Effort, ForceType, register
from reactio.functions.linear_law import LinearLaw


def _loads(p: Mapping[str, Any]) -> tuple[Effort, ...]:
    return (Effort(LinearLaw(p["stiffness"], p["length"]), between=(p["a"], p["b"])),)


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
