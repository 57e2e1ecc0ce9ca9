"""Belts and chains that couple two rotations: their pulleys, and the two straight spans between them."""

from __future__ import annotations

import math

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.marks import ring
from reactio.drawing.frames import axes, origins
from reactio.drawing.gears import PARALLEL, rotation_frame
from reactio.drawing.parts import FramePoint, PartRole, ScenePart
from reactio.model.specs import Coupling
from reactio.system.types import System

SPROCKET_PART = 0.25  # radius of the larger sprocket of a chain, as part of the distance: a chain has no pitch


def belts(system: System, frames: Floats) -> list[ScenePart]:
    """Circles and tangents of every belt or chain whose axes are parallel."""
    return [part for coupling in system.model.couplings for part in _belt(system, coupling, frames)]


def _belt(system: System, coupling: Coupling, frames: Floats) -> list[ScenePart]:
    """Pulleys of radii r₁, r₂ at a distance d: spans touch both where the normal m has m·u = (r₁ − r₂)/d.

    u points from the first axis to the second.  r₂ is negative where the belt is crossed, and the same holds.
    """
    A, B = (rotation_frame(system, coupling, k) if k < len(coupling.along) else None for k in (0, 1))
    if A is None or B is None:
        return []
    axis = axes(frames[A])[2]
    d = origins(frames[B]) - origins(frames[A])
    d = d - axis * (axis @ d)
    gap = float(np.linalg.norm(d))
    r1, r2 = _radii(coupling, gap)
    parallel = np.linalg.norm(np.cross(axis, axes(frames[B])[2])) <= PARALLEL
    if not r1 or not parallel or gap <= abs(r1 - r2):
        return []
    circles = [_circle(coupling, frame, abs(radius)) for frame, radius in ((A, r1), (B, r2))]
    u = d / gap
    sine = (r1 - r2) / gap
    normals = [sine * u + side * math.sqrt(1.0 - sine**2) * np.cross(axis, u) for side in (1.0, -1.0)]
    spans = [
        ScenePart((_point(frames, A, r1 * m), _point(frames, B, r2 * m)), 0.0, False, PartRole.DRIVE, coupling.name)
        for m in normals
    ]
    return [*circles, *spans]


def _radii(coupling: Coupling, gap: float) -> tuple[float, float]:
    """The radii of a belt [m]; for a chain, which has only teeth, some in their ratio; 0 for other couplings."""
    given = coupling.parameters
    if "radius_2" in given:
        return float(given["radius_1"]), float(given["radius_2"])
    if "teeth_2" in given:
        first, second = float(given["teeth_1"]), float(given["teeth_2"])
        unit = SPROCKET_PART * gap / max(first, second)
        return unit * first, unit * second
    return 0.0, 0.0


def _circle(coupling: Coupling, frame: int, radius: float) -> ScenePart:
    points = tuple(FramePoint(frame, *point) for point in ring(radius=radius, sides=48).points)
    return ScenePart(points, 0.0, False, PartRole.DRIVE, coupling.name)


def _point(frames: Floats, frame: int, arm: Floats) -> FramePoint:
    """The point at an arm (3,) in world axes from the origin of a frame."""
    return FramePoint(frame, *(axes(frames[frame]) @ arm).tolist())
