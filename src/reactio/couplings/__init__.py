"""Couplings: one linear equation between joint coordinates, one file each; the folder is the registry.

Σ k_i s_i = offset

The equation has the unit of the first coordinate, and so have ``offset`` and the multiplier, a force along a length or
a torque about an angle: k_1 is a number without a unit.  A rope on a drum of radius r is s − r φ = offset, or
φ − s/r = offset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reactio.catalogue.fields import Coordinates, Number, Numbers
from reactio.catalogue.registry import Registry

COUPLINGS: Registry[CouplingType] = Registry("coupling", "reactio.couplings")


@dataclass(frozen=True, slots=True)
class CouplingType:
    """A kind of coupling: which coordinates it takes and the coefficient k_i of each, k_1 without a unit."""

    name: str
    joints: Coordinates
    parameters: tuple[Number | Numbers, ...]
    coefficients: Callable[[Mapping[str, object]], tuple[float, ...]]
    doc: str
    unilateral: bool = False  # can only push, λ ≥ 0: the sum is a depth, which falls where the contact opens


OFFSET = Number("offset", "Value of the sum; as at the given pose if left out.", None, "any")


def register(coupling: CouplingType) -> CouplingType:
    """Make a coupling type known by its name."""
    return COUPLINGS.add(coupling.name, coupling)
