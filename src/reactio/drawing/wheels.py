"""Wheels of couplings: pitch circles of gears, pulleys and sprockets with the spans of their belts and chains."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.frames import axes, origins
from reactio.drawing.parts import FramePoint, PartRole, ScenePart, circle
from reactio.joints import JOINTS_BY_SPACE
from reactio.linear.precision import LOCATED
from reactio.model.specs import Coupling
from reactio.system.types import System

MESH_RADIUS = 0.35  # sizes of a glyph: of the ball at the point where two circles mesh
PARALLEL = LOCATED  # sine of the angle between axes that count as parallel
SPROCKET_PART = 0.25  # radius of the larger sprocket of a chain, as part of the distance: a chain has no pitch


def wheels(system: System, frames: Floats, size: float) -> list[ScenePart]:
    """The wheels of every coupling of two rotations about parallel axes."""
    couplings = [(coupling, _parallel_axes(system, coupling, frames)) for coupling in system.model.couplings]
    known = [(coupling, pair) for coupling, pair in couplings if pair is not None]
    gears = [part for coupling, pair in known for part in _gears(system, coupling, pair, frames, size)]
    return gears + [part for coupling, pair in known for part in _belt(coupling, pair, frames)]


class _ParallelAxes(NamedTuple):
    """The frames of two rotations, the axis u (3,) of the first, and d (3,) from it to the second, across u [m]."""

    A: int
    B: int
    u: Floats
    d: Floats


def _parallel_axes(system: System, coupling: Coupling, frames: Floats) -> _ParallelAxes | None:
    """The axes of the first two coordinates of a coupling; None where they are not rotations about parallel axes."""
    A, B = (_rotation_frame(system, coupling, k) if k < len(coupling.along) else None for k in (0, 1))
    if A is None or B is None:
        return None
    u, d = axes(frames[A])[2], origins(frames[B]) - origins(frames[A])
    if np.linalg.norm(np.cross(u, axes(frames[B])[2])) > PARALLEL:
        return None
    return _ParallelAxes(A, B, u, d - u * (u @ d))


def _rotation_frame(system: System, coupling: Coupling, k: int) -> int | None:
    """Frame A of the joint of a rotation, None where it is a translation."""
    along = coupling.along[k]
    group = system.group(along.joint)
    free = JOINTS_BY_SPACE[system.space].get(system.model.joint(along.joint).type).free
    freedom = next((f for f in free if f.name == along.name), free[0])
    return group.frames[0] if freedom.rotates and group.frames is not None else None


def _gears(system: System, coupling: Coupling, pair: _ParallelAxes, frames: Floats, size: float) -> list[ScenePart]:
    """Circles about both axes of a gear coupling, and the point where they mesh.

    The rotation of the first is ``ratio`` times that of the second, so r₂ = |ratio| r₁; circles outside each other
    (negative ratio) have r₁ + r₂ = d, one inside the other r₂ − r₁ = ±d, with d the distance of the axes.
    """
    given, gap = coupling.parameters.get("ratio"), float(np.linalg.norm(pair.d))
    if given is None or len(coupling.along) != 2:
        return []
    ratio = float(given)
    spread = abs(1.0 + abs(ratio)) if ratio < 0 else abs(abs(ratio) - 1.0)
    if gap < PARALLEL * system.length or not spread:
        return []
    r1, r2 = gap / spread, abs(ratio) * gap / spread
    inside_out = -1.0 if ratio > 0 and r1 < r2 else 1.0
    mesh = FramePoint.at(pair.A, axes(frames[pair.A]) @ (inside_out * r1 * pair.d / gap))
    circles = [circle(frame, radius, PartRole.DRIVE, coupling.name) for frame, radius in ((pair.A, r1), (pair.B, r2))]
    return [*circles, ScenePart((mesh,), PartRole.DRIVE, coupling.name, MESH_RADIUS * size)]


def _belt(coupling: Coupling, pair: _ParallelAxes, frames: Floats) -> list[ScenePart]:
    """Pulleys of radii r₁, r₂ at a distance d: spans touch both where the normal m has m·u = (r₁ − r₂)/d.

    u points from the first axis to the second.  r₂ is negative where the belt is crossed, and the same holds.
    """
    gap = float(np.linalg.norm(pair.d))
    r1, r2 = _radii(coupling, gap)
    if not r1 or gap <= abs(r1 - r2):
        return []
    u, sine = pair.d / gap, (r1 - r2) / gap
    normals = [sine * u + side * math.sqrt(1.0 - sine**2) * np.cross(pair.u, u) for side in (1.0, -1.0)]
    ends = ((pair.A, r1), (pair.B, r2))
    circles = [circle(frame, abs(radius), PartRole.DRIVE, coupling.name) for frame, radius in ends]
    spans = [tuple(FramePoint.at(frame, axes(frames[frame]) @ (r * m)) for frame, r in ends) for m in normals]
    return [*circles, *(ScenePart(span, PartRole.DRIVE, coupling.name) for span in spans)]


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
