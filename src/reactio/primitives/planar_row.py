"""The common parts of planar primitives: the result and the axes of a frame."""

from __future__ import annotations

from typing import TypeAlias

from reactio.kernels import kernel
from reactio.space.algebra import Vector2
from reactio.space.frames import PlanarFrame

PlanarRow: TypeAlias = tuple[float, Vector2, float, Vector2, float, float]  # s, D_Av, D_Aw, D_Bv, D_Bw, σ


@kernel
def axis(frame: PlanarFrame, k: int) -> Vector2:
    """Axis k of a frame: 0, 1 for x, y."""
    if k == 0:
        return frame.x
    return frame.y
