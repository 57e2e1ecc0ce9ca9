"""Shapes as plain data: what joints and bodies look like, for any drawing backend.

There is one shape: a ball swept along a path, or over the polygon that the path encloses.  A ball is a path of one
point, a bar one of two; with radius 0 the path is a pen line or a flat face.  Seen from afar its outline is a stroke of
twice the radius, exactly, so a plane picture needs no mesh.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Point = tuple[float, float, float]
CENTRE: Point = (0.0, 0.0, 0.0)
SIDES = 14  # of a cylinder: round enough at the size of a joint


@dataclass(frozen=True, slots=True)
class Mark:
    """A swept path in the axes of its frame, in sizes of a glyph (of a parameter where it is named)."""

    points: tuple[Point, ...]
    radius: float = 0.0
    filled: bool = False  # the polygon inside belongs to it
    parameter: str = ""  # of the joint: the unit of its points and radius


@dataclass(frozen=True, slots=True)
class Glyph:
    """The picture of a joint: marks on frame A and on frame B, and how it stands on the ground."""

    a: tuple[Mark, ...] = ()
    b: tuple[Mark, ...] = ()
    link: bool = False  # a bar from A to B belongs to it
    radii: tuple[str, ...] = ()  # parameters of two wheels on A and B: the joint acts where their circles touch
    support: str = "stand"  # drawn where it is fixed to the ground: "stand", "rail", "plane" or "" for nothing


def ball(radius: float = 1.0, at: Point = CENTRE, parameter: str = "") -> Mark:
    """A ball."""
    return Mark((at,), radius, parameter=parameter)


def rod(*points: Point, radius: float) -> Mark:
    """A round bar along points."""
    return Mark(points, radius)


def line(*points: Point) -> Mark:
    """A pen line along points."""
    return Mark(points)


def face(*points: Point, radius: float = 0.0) -> Mark:
    """A flat polygon, or a plate with rounded edges."""
    return Mark(points, radius, filled=True)


def ring(axis: str = "z", radius: float = 1.0, at: float = 0.0, parameter: str = "", sides: int = 96) -> Mark:
    """A circle about an axis, at a place along it."""
    points = _circle(axis, radius, at, sides)
    return Mark((*points, points[0]), parameter=parameter)


def turning_arrow(radius: float = 2.4) -> tuple[Mark, ...]:
    """An arrow three quarters around the z axis."""
    angles = [math.radians(20 + 15 * k) for k in range(18)]
    arc = tuple((radius * math.cos(a), radius * math.sin(a), 0.0) for a in angles)
    end, last = arc[-1], angles[-1]
    barbs = [(end[0] + 0.8 * math.cos(last - d), end[1] + 0.8 * math.sin(last - d), 0.0) for d in (1.07, 2.07)]
    return (line(*arc), line(barbs[0], end, barbs[1]))


def sliding_arrow(axis: str, half: float = 3.4, beside: float = 1.7) -> tuple[Mark, ...]:
    """A double arrow along an axis, next to it."""

    def at(along: float, across: float) -> Point:
        return (along, across, 0.0) if axis == "x" else (0.0, across, along)

    heads = (
        line(at(s * (half - 0.7), beside - 0.45), at(s * half, beside), at(s * (half - 0.7), beside + 0.45))
        for s in (-1, 1)
    )
    return (line(at(-half, beside), at(half, beside)), *heads)


def cylinder(axis: str, radius: float, half: float) -> tuple[Mark, ...]:
    """A cylinder about an axis from −half to half, as faces."""
    low, high = _circle(axis, radius, -half, SIDES), _circle(axis, radius, half, SIDES)
    sides = (face(low[k], low[k - 1], high[k - 1], high[k]) for k in range(SIDES))
    return (*sides, face(*low), face(*high))


def box(x: float, y: float, z: float) -> tuple[Mark, ...]:
    """A box of half sizes x, y, z, as faces."""
    faces = []
    for k in range(3):
        for side in (-1.0, 1.0):
            corners = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
            faces.append(face(*(_corner(k, side, u, v, (x, y, z)) for u, v in corners)))
    return tuple(faces)


def helix(radius: float, half: float, turns: int) -> Mark:
    """A thread about z."""
    count = 16 * turns
    return Mark(
        tuple(
            (
                radius * math.cos(math.tau * turns * k / count),
                radius * math.sin(math.tau * turns * k / count),
                half * (2 * k / count - 1),
            )
            for k in range(count + 1)
        )
    )


def rails(half: float, gap: float) -> tuple[Mark, ...]:
    """Two lines along x."""
    return tuple(line((-half, y, 0.0), (half, y, 0.0)) for y in (-gap, gap))


def square(half: float) -> Mark:
    """A square on the x-y plane."""
    return face(*((half * u, half * v, 0.0) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))))


def _corner(k: int, side: float, u: float, v: float, half: Point) -> Point:
    out = [0.0, 0.0, 0.0]
    out[k], out[(k + 1) % 3], out[(k + 2) % 3] = side * half[k], u * half[(k + 1) % 3], v * half[(k + 2) % 3]
    return (out[0], out[1], out[2])


def _circle(axis: str, radius: float, at: float, sides: int) -> tuple[Point, ...]:
    k = "xyz".index(axis)
    points = []
    for i in range(sides):
        out = [0.0, 0.0, 0.0]
        out[k] = at
        out[(k + 1) % 3] = radius * math.cos(math.tau * i / sides)
        out[(k + 2) % 3] = radius * math.sin(math.tau * i / sides)
        points.append((out[0], out[1], out[2]))
    return tuple(points)
