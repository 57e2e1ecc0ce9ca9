"""A coordinate at its end stop, which only pushes."""

from __future__ import annotations

import math

from reactio.catalogue.fields import Coordinates, Number
from reactio.couplings import OFFSET, CouplingType, register

LIMIT = register(
    CouplingType(
        name="limit",
        joints=Coordinates("joints", "The coordinate, in a list.", units=("",), least=1),
        parameters=(
            Number("side", "Its sign counts: 1 at the upper end of the coordinate, -1 at the lower one.", nonzero=True),
            OFFSET,
        ),
        coefficients=lambda given: (math.copysign(1.0, given["side"]),),
        doc="A coordinate at its end stop: `side` times it equals `offset`; the stop only pushes back.",
        unilateral=True,
    )
)
