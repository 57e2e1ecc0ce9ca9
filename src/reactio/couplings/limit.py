"""A coordinate at its end stop, which only pushes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, CouplingType, register


def _coefficients(parameters: Mapping[str, Any]) -> tuple[float, ...]:
    return (math.copysign(1.0, parameters["side"]),)


LIMIT = register(
    CouplingType(
        name="limit",
        joints=Coordinates("joints", "The coordinate, in a list.", units=("",), least=1),
        parameters=(
            Number("side", "Its sign counts: 1 at the upper end of the coordinate, -1 at the lower one.", nonzero=True),
            OFFSET,
        ),
        coefficients=_coefficients,
        doc="A coordinate stands at its end stop: `side` times it is `offset`, held by a force that only pushes back.",
        unilateral=True,
    )
)
