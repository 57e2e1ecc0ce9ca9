"""Gears that couple two rotations: their pitch circles, and the point where they mesh."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.marks import ring
from reactio.drawing.frames import axes, origins
from reactio.drawing.parts import FramePoint, PartRole, ScenePart
from reactio.joints import JOINTS_BY_SPACE
from reactio.linear.precision import LOCATED
from reactio.model.specs import Coupling
from reactio.system.types import System

MESH_RADIUS = 0.35  # sizes of a glyph: of the ball at the point where two circles mesh
PARALLEL = LOCATED  # sine of the angle between axes that count as parallel


def pitch_circles(system: System, frames: Floats, size: float) -> list[ScenePart]:
    """Circles about the axes of both joints of every gear coupling whose axes are parallel, and the mesh point.

    The rotation of the first is ``ratio`` times that of the second, so r₂ = |ratio| r₁; circles outside each other
    (negative ratio) have r₁ + r₂ = d, one inside the other r₂ − r₁ = ±d, with d the distance of the axes.
    """
    parts: list[ScenePart] = []
    for coupling in system.model.couplings:
        ratio = coupling.parameters.get("ratio")
        if ratio is not None and len(coupling.along) == 2:
            parts += _pair(system, coupling, float(ratio), frames, size)
    return parts


def _pair(system: System, coupling: Coupling, ratio: float, frames: Floats, size: float) -> list[ScenePart]:
    places = [rotation_frame(system, coupling, k) for k in (0, 1)]
    if any(place is None for place in places):
        return []
    A, B = (int(place) for place in places if place is not None)
    axis, axis_b = axes(frames[A])[2], axes(frames[B])[2]
    d = origins(frames[B]) - origins(frames[A])
    d = d - axis * (axis @ d)
    gap = float(np.linalg.norm(d))
    spread = abs(1.0 + abs(ratio)) if ratio < 0 else abs(abs(ratio) - 1.0)
    if gap < PARALLEL * system.length or np.linalg.norm(np.cross(axis, axis_b)) > PARALLEL or not spread:
        return []
    radii = (gap / spread, abs(ratio) * gap / spread)
    parts: list[ScenePart] = []
    for frame, radius in zip((A, B), radii, strict=True):
        circle = tuple(FramePoint(frame, *point) for point in ring(radius=radius, sides=48).points)
        parts.append(ScenePart(circle, 0.0, False, PartRole.DRIVE, coupling.name))
    inside_out = -1.0 if ratio > 0 and radii[0] < radii[1] else 1.0
    x, y, z = (axes(frames[A]) @ (inside_out * radii[0] * d / gap)).tolist()
    parts.append(ScenePart((FramePoint(A, x, y, z),), MESH_RADIUS * size, False, PartRole.DRIVE, coupling.name))
    return parts


def rotation_frame(system: System, coupling: Coupling, k: int) -> int | None:
    """Frame A of the joint of a rotation, None where it is a translation."""
    along = coupling.along[k]
    group = system.group(along.joint)
    joint = next(j for j in system.model.joints if j.name == along.joint)
    free = JOINTS_BY_SPACE[system.space].get(joint.type).free
    freedom = next((f for f in free if f.name == along.name), free[0])
    return group.frames[0] if freedom.rotates and group.frames is not None else None
