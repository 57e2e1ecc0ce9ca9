"""The common parts of spatial primitives: the result and the axes of a frame."""

from __future__ import annotations

from typing import TypeAlias

from reactio.kernels import kernel
from reactio.space.algebra import Vector
from reactio.space.frames import SpatialFrame

SpatialRow: TypeAlias = tuple[float, Vector, Vector, Vector, Vector, float]  # s, D_Av, D_Aw, D_Bv, D_Bw, σ


@kernel
def axis(frame: SpatialFrame, k: int) -> Vector:
    """Axis k of a frame: 0, 1, 2 for x, y, z."""
    if k == 0:
        return frame.x
    if k == 1:
        return frame.y
    return frame.z
