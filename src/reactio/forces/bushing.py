"""A bushing: linear forces and moments between two frames, coupled by a stiffness matrix and a damping matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from reactio.catalogue.fields import Matrix, Place
from reactio.errors import ReactioError
from reactio.forces import AppliedLoad, ForceLaw, ForceType, FrameMeasures, register
from reactio.linear.precision import SOLUTION
from reactio.primitives import PLANAR_PRIMITIVES, SPATIAL_PRIMITIVES, Combination


def measures(size: int) -> tuple[Combination, ...]:
    """Displacements of frame B along the axes of A, and its rotations about them: their sines in space."""
    if size == 2:
        slide = PLANAR_PRIMITIVES.get("slide")
        return slide("x"), slide("y"), PLANAR_PRIMITIVES.get("turn")()
    slide, perp = SPATIAL_PRIMITIVES.get("slide"), SPATIAL_PRIMITIVES.get("perp")
    return slide("x"), slide("y"), slide("z"), perp("z", "y"), perp("x", "z"), perp("y", "x")


def _loads(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    along = FrameMeasures(p["a"], p["b"], measures(len(p["a"].point)))
    load = AppliedLoad(along, ForceLaw(stiffness=p["stiffness"], damping=p["damping"] or ()))
    K = np.array(load.law.stiffness)
    if np.abs(K - K.T).max() > SOLUTION * np.abs(K).max():
        raise ReactioError("stiffness is not symmetric, and has no potential; give a symmetric matrix.")
    return (load,)


def _mirrored(p: Mapping[str, Any], signs: tuple[float, ...]) -> dict[str, Any]:
    """S K S with S for displacements and −S for rotations, which are axial."""
    S = (*signs, *(-s for s in signs))
    return {
        name: tuple(tuple(s * t * x for t, x in zip(S, row, strict=True)) for s, row in zip(S, p[name], strict=True))
        for name in ("stiffness", "damping")
        if p[name] is not None
    }


BUSHING = register(
    ForceType(
        name="bushing",
        fields=(
            Place("a", "One frame; displacements are along its axes, rotations about them, in space by their sines."),
            Place("b", "The other frame; at rest it lies on the first."),
            Matrix("stiffness", "Symmetric, SI units: 3 rows of 3 in the plane (x, y, angle), 6 of 6 in space."),
            Matrix("damping", "As many, per velocity.", None),
        ),
        loads=_loads,
        doc="A rubber bushing or mount: linear forces and moments coupled by a stiffness and a damping matrix.",
        mirrored=_mirrored,
    )
)
