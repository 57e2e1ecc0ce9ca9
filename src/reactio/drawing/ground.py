"""How the ground is drawn under a joint: hatched stands, rails and planes, as marks in world axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.marks import Mark, face, line
from reactio.drawing.camera import horizon
from reactio.drawing.frames import axes

Up = tuple[float, float, float]
DROP, HALF, TICK = 2.6, 2.0, 0.75  # height of a stand, half width of a base, length of a stroke, in sizes of a glyph


def stand(space: str, frame: Floats, up: Up) -> tuple[Mark, ...]:
    """A pedestal below the joint on a hatched base."""
    u, side, depth = _axes(space, np.array(up))
    foot = -DROP * u
    if space == "planar":
        legs = face(_point(-0.55 * u), _point(foot - 1.3 * side), _point(foot + 1.3 * side))
        return (legs, *_hatched(foot, side, -u))
    corners = [foot + HALF * 0.7 * (x * side + y * depth) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    legs3 = tuple(line(_point(0 * u), _point(c)) for c in corners)
    return (face(*(_point(c) for c in corners)), *legs3, *_stripes(foot, 0.7 * HALF, side, depth))


def rail(space: str, frame: Floats, up: Up) -> tuple[Mark, ...]:
    """A hatched line along a rail: the x axis of its frame in the plane, the z axis in space."""
    if space == "planar":
        x, y, _ = axes(frame)
        away = -y if y @ np.array(up) >= 0 else y
        return _hatched(0.8 * away, x, away, half=3.2)
    x, _, z = axes(frame)
    away = -np.array(up) - z * (-np.array(up) @ z)
    if np.linalg.norm(away) < 1e-6:
        away = x
    away = away / np.linalg.norm(away)
    return tuple(mark for end in (-3.2, 3.2) for mark in _hatched(end * z + away, np.cross(z, away), away, half=1.0))


def plane(space: str, frame: Floats, up: Up) -> tuple[Mark, ...]:
    """Stripes below a plane."""
    x, y, z = axes(frame)
    return _stripes(-0.1 * z, 2.6, x, y)


def _axes(space: str, u: Floats) -> tuple[Floats, Floats, Floats]:
    """Upwards, sidewards, and towards the viewer."""
    if space == "planar":
        return u, np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    return horizon(u)


def _hatched(at: Floats, along: Floats, away: Floats, half: float = HALF) -> tuple[Mark, ...]:
    """A base line with slanting strokes on its far side."""
    base = line(_point(at - half * along), _point(at + half * along))
    starts = np.linspace(-half + TICK, half, max(3, round(2 * half / TICK)))
    ticks = (line(_point(at + s * along), _point(at + (s - TICK) * along + TICK * away)) for s in starts)
    return (base, *ticks)


def _stripes(at: Floats, half: float, side: Floats, depth: Floats) -> tuple[Mark, ...]:
    """Slanting strokes over a square."""
    lines = []
    for c in np.linspace(-1.6, 1.6, 7) * half:  # the strokes x − y = c
        low, high = max(-half, c - half), min(half, c + half)
        lines.append(line(_point(at + low * side + (low - c) * depth), _point(at + high * side + (high - c) * depth)))
    return tuple(lines)


def _point(x: Floats) -> tuple[float, float, float]:
    return (float(x[0]), float(x[1]), float(x[2]))


SUPPORTS: Mapping[str, Callable[[str, Floats, Up], tuple[Mark, ...]]] = {"stand": stand, "rail": rail, "plane": plane}
