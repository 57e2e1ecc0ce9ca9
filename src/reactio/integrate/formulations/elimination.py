"""Elimination: redundant equations are dropped, and their multipliers with them."""

from __future__ import annotations

from reactio.integrate.formulation import Formulation, register
from reactio.integrate.formulations.projection import projected

ELIMINATION = register(
    Formulation(
        name="elimination",
        doc="Some equations are left out of the model, by name (elimination:B.z) or as many as are redundant at the "
        "start; the others are projected.",
        undetermined="The reactions of dropped equations are zero, and the others carry their load: another choice of "
        "equations gives other reactions.",
        cite="Wojtyra & Frączek 2013, Sect. 3.1; Wojtyra & Frączek 2012, Sect. 3.1",
        accelerate=projected,
        dense=False,
        eliminates=True,
    )
)
