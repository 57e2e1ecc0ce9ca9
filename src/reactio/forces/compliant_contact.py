"""A contact that yields: it pushes as deep as two bodies overlap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Choice, Number, Place
from reactio.forces import AppliedLoad, ForceLaw, ForceType, FrameMeasures, distance, register
from reactio.functions.expression import Expression
from reactio.primitives import PRIMITIVES_BY_SPACE

NORMAL_AXES = {2: ("planar", "y"), 3: ("spatial", "z")}  # of a surface, by the number of its coordinates


def _loads(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    """f = k δ (1 + χ δ̇) where the depth δ = r − s is positive, and never a pull (Hunt & Crossley 1975)."""
    text = "k*max(0, r - s)*max(0, 1 - c*rate)"
    law = ForceLaw((Expression(text, (("k", p["stiffness"]), ("r", p["reach"]), ("c", p["damping"]))),))
    if p["surface"] == "centre":
        return (AppliedLoad(distance(p["a"], p["b"]), law),)
    space, axis = NORMAL_AXES[len(p["a"].point)]
    return (AppliedLoad(FrameMeasures(p["a"], p["b"], (PRIMITIVES_BY_SPACE[space].get("slide")(axis),)), law),)


COMPLIANT_CONTACT = register(
    ForceType(
        name="compliant-contact",
        fields=(
            Place("a", "The surface: its normal is z of this frame, in the plane y; or the centre of a ball or disc."),
            Place("b", "The point, or the centre of a ball or disc, that may touch it."),
            Choice(
                "surface",
                "Kind of surface a: a plane, or a ball or disc given by its centre.",
                "plane",
                options=("plane", "centre"),
            ),
            Number("reach", "Distance at which they touch: the sum of the radii.", 0.0, "length"),
            Number("stiffness", "Force per depth.", dimension="stiffness", positive=True),
            Number("damping", "χ of f = k δ (1 + χ δ̇), about 1.5 (1 − e)/v at a speed v.", 0.0, "per velocity"),
        ),
        loads=_loads,
        doc="A contact that yields: it pushes with k δ (1 + χ δ̇), δ the overlap of the bodies, and never pulls.",
    )
)
