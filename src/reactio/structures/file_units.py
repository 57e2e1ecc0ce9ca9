"""Units of the files of a structure: matrices in mm, t and N become those in SI units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reactio.errors import ModelError, did_you_mean

QUANTITIES = ("length", "mass", "force")


@dataclass(frozen=True, slots=True)
class FileUnits:
    """The units of a file in SI; angles are radians."""

    length: float = 1.0  # [m]
    mass: float = 1.0  # [kg]
    force: float = 1.0  # [N]

    def stiffness(self, K: Any, freedoms: int = 6) -> Any:
        """K (n, n) in SI units, with 3 or 6 degrees of freedom in a row for each node; dense or sparse."""
        return self._scaled(K, self.force * self.length, freedoms)

    def inertia(self, M: Any, freedoms: int = 6) -> Any:
        """M (n, n) in SI units."""
        return self._scaled(M, self.mass * self.length**2, freedoms)

    def _scaled(self, matrix: Any, factor: float, freedoms: int) -> Any:
        """Entries are ``factor`` for two rotations; a displacement is a rotation times a length."""
        from scipy.sparse import diags_array, issparse

        node_factors = np.sqrt(factor) * np.repeat([1.0 / self.length, 1.0], 3)[:freedoms]
        each = np.tile(node_factors, matrix.shape[0] // freedoms)
        if issparse(matrix):
            S: Any = diags_array(each)
            return (S @ matrix @ S).tocsc()
        return matrix * np.outer(each, each)


def file_units(parameters: Mapping[str, Any], what: str, where: tuple[str, ...]) -> FileUnits:
    """The ``units`` of a description, as factors to SI; SI where it has none."""
    given = parameters.get("units", {})
    if not isinstance(given, Mapping):
        raise ModelError(f"{what}: units are factors to SI, as in {{length: 0.001, mass: 1000, force: 1}}.", where)
    for key, value in given.items():
        if key not in QUANTITIES:
            raise ModelError(f"{what}: units have no '{key}'.{did_you_mean(key, QUANTITIES)}", where)
        if not isinstance(value, int | float) or not value > 0:
            raise ModelError(f"{what}: the unit of {key} is {value!r}; it is a positive factor to SI.", where)
    return FileUnits(**given)


def matrix_units(length: float, mass: float, force: float) -> dict[str, dict[str, float]]:
    """The units of matrices in the files of a model, from its metres, kilograms and newtons."""
    given = {"length": length, "mass": mass, "force": force}
    return {"units": given} if any(factor != 1.0 for factor in given.values()) else {}
