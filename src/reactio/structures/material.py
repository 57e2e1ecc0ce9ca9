"""Materials of flexible bodies."""

from __future__ import annotations

from dataclasses import dataclass


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
