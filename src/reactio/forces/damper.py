"""A damper between two points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.fields import Number, Place, unchanged
from reactio.forces import Effort, ForceType, register
from reactio.functions.linear_law import LinearLaw


def _loads(p: Mapping[str, Any]) -> tuple[Effort, ...]:
    return (Effort(LinearLaw(0.0, 0.0, p["damping"]), between=(p["a"], p["b"])),)


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
