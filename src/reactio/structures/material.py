"""Materials of flexible bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from reactio.errors import ModelError


@dataclass(frozen=True, slots=True)
class Material:
    """A material: isotropic, linear."""

    E: float  # Young's modulus [Pa]
    nu: float = 0.3  # Poisson's ratio
    density: float = 0.0  # [kg/m³]
    expansion: float | None = None  # coefficient of thermal expansion [1/K]
    G: float | None = None  # shear modulus [Pa]; E / 2(1 + ν) when left out

    @property
    def shear(self) -> float:
        """Shear modulus [Pa]."""
        return self.E / (2 * (1 + self.nu)) if self.G is None else self.G


def loaded(
    material: Material, given: Mapping[str, Any], key: str, per: float, what: str, where: tuple[str, ...]
) -> Material:
    """The material with non-structural mass μ, ``given[key]`` [kg/m, kg/m²], spread over it: ρ + μ/A or ρ + μ/h.

    ``per``: the area [m²] or thickness [m]; paint, cables or water that weigh and do not stiffen.
    """
    mass = given.get(key, 0.0)
    if not (isinstance(mass, int | float) and math.isfinite(mass) and mass >= 0.0):
        raise ModelError(f"{what}: {key} is {mass!r}; give a number, 0 or more.", where)
    return replace(material, density=material.density + mass / per) if mass else material
