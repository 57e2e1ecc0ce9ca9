"""Slip of a sphere on a plane."""

from __future__ import annotations

from reactio.primitives import primitive
from reactio.primitives.slip import slip
from reactio.primitives.spatial_row import SpatialRow, axis
from reactio.space.algebra import cross, mul
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="m", label="slip_{k}", holonomic=False, exact=True)
def roll_sphere(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Slip of a sphere (centre at B, radius p) on the plane z of A, along axis k of A.

    c = −p z_A,  t = R_A e_k                                                 slip: see primitives/slip.py
    """
    t = axis(A, k)
    return slip(A, B, t, cross(A.w, t), mul(-p, A.z), mul(-p, cross(A.w, A.z)))
