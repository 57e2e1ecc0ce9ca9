"""Couplings of two coordinates as slopes, for programs that know no more."""

from __future__ import annotations

from collections.abc import Iterator

from reactio.couplings import COUPLINGS
from reactio.errors import ReactioError
from reactio.model.specs import Model
from reactio.places import CoordinateName


def pairs(model: Model) -> Iterator[tuple[str, CoordinateName, CoordinateName, float]]:
    """Name, first and second coordinate, and ds₁/ds₂ of every coupling."""
    for coupling in model.couplings:
        k = COUPLINGS.get(coupling.type).coefficients(coupling.parameters)
        if len(k) != 2:
            raise ReactioError(
                f"coupling '{coupling.name}' joins {len(k)} coordinates; this format couples two at a time."
            )
        yield coupling.name, coupling.along[0], coupling.along[1], -k[1] / k[0]
