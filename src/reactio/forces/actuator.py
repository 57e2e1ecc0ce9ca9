"""A force or torque along a joint coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.fields import Coordinate, Law, unchanged
from reactio.forces import Effort, ForceType, register


def _loads(p: Mapping[str, Any]) -> tuple[Effort, ...]:
    return (Effort(p["effort"], along=p["joint"]),)


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
        loads=_loads,
        doc="A force or torque along a joint coordinate, as a function of time, coordinate and rate.",
        mirrored=unchanged,
    )
)
