"""Couplings: one linear equation between joint coordinates, one file each; the folder is the registry.

Σ k_i s_i = offset

The equation has the unit of the first coordinate, and so have ``offset`` and the multiplier, a force along a length or
a torque about an angle: k_1 is a number without a unit.  A rope on a drum of radius r is s − r φ = offset, or
φ − s/r = offset.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reactio.catalogue.fields import Coordinates, Number, Numbers
from reactio.catalogue.registry import Registry

COUPLINGS: Registry[CouplingType] = Registry("coupling", "reactio.couplings")
register = COUPLINGS.register


@dataclass(frozen=True, slots=True)
class CouplingType:
    """A kind of coupling: which coordinates it takes and the coefficient k_i of each, k_1 without a unit."""

    name: str
    joints: Coordinates
    parameters: tuple[Number | Numbers, ...]
    coefficients: Callable[[Mapping[str, Any]], tuple[float, ...]]
    doc: str
    # Forces [N] over the effort, by the names Ft (tangential) and Fr (radial): of teeth and belts of known radius.
    line_forces: Callable[[Mapping[str, Any]], dict[str, float]] = lambda parameters: {}
    unilateral: bool = False  # can only push, λ ≥ 0: the sum is a depth, which falls where the contact opens


PRESSURE_ANGLE = Number(
    "pressure_angle", "Angle between tooth force and pitch line, for the radial force Fr = Ft tan α.", None, "angle"
)


def tooth_forces(radius: float | None, pressure_angle: float | None = None) -> dict[str, float]:
    """Ft = M/r and, where the pressure angle α is given, Fr = Ft tan α, over the effort M; r = 1 of a force."""
    if radius is None:
        return {}
    radial = {} if pressure_angle is None else {"Fr": math.tan(pressure_angle) / radius}
    return {"Ft": 1.0 / radius, **radial}


OFFSET = Number("offset", "Value of the sum; as at the given pose if left out.", None, "any")
