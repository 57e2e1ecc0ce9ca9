"""The inertia of a motor's rotor, as a joint coordinate feels it through its gear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Coordinate, Number, unchanged
from reactio.errors import ReactioError
from reactio.forces import AppliedLoad, ForceType, register


def _loads(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    """No load of its own: −J q̈ depends on accelerations, and a coordinate q of inertia J follows the joint instead."""
    if (p["inertia"] is None) == (p["mass"] is None):
        raise ReactioError("give `inertia` on a rotation, or `mass` on a translation, and one of them alone.")
    return ()


ROTOR = register(
    ForceType(
        name="rotor",
        fields=(
            Coordinate("joint", "The coordinate that turns it."),
            Number("inertia", "Reflected inertia on a rotation: that of the rotor × ratio².", None, "inertia", True),
            Number("mass", "Reflected mass on a translation.", None, "mass", True),
        ),
        loads=_loads,
        doc="The inertia of a rotor, reflected to a joint coordinate: it resists by −J q̈, and nothing else of it acts.",
        mirrored=unchanged,
    )
)
