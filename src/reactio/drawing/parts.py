"""Parts of a scene: shapes whose points are fixed on frames of a system."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from reactio.arrays import Floats
from reactio.catalogue.marks import ring
from reactio.drawing.frames import axes, origins


class PartRole(StrEnum):
    """The object that a part of a scene shows."""

    BODY = "body"
    GHOST = "ghost"  # a body that has a surface too: shown where it is displaced along a motion
    MASS = "mass"  # the centre of mass of a body
    JOINT = "joint"
    GROUND = "ground"
    SPRING = "spring"
    DRIVE = "drive"


class FramePoint(NamedTuple):
    """A point fixed on a frame: the number of the frame, and coordinates in its axes [m]."""

    frame: int
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    @classmethod
    def at(cls, frame: int, x: Floats) -> FramePoint:
        """The point with coordinates x (3,) in the axes of a frame [m]."""
        return cls(frame, float(x[0]), float(x[1]), float(x[2]))

    @classmethod
    def of_place(cls, frames: Floats, frame: int, place: Floats) -> FramePoint:
        """The point at a place (3,) of the world on frame number ``frame`` of the frames (k, 12)."""
        return cls.at(frame, axes(frames[frame]) @ (place - origins(frames[frame])))


@dataclass(frozen=True, slots=True)
class ScenePart:
    """A ball swept along a path of points, or over the polygon that they enclose."""

    points: tuple[FramePoint, ...]
    role: PartRole
    name: str  # of the body, joint, drive or coupling it belongs to; empty for a spring
    radius: float = 0.0  # of the ball [m]; 0 for a line
    filled: bool = False  # is it the polygon?


def circle(frame: int, radius: float, role: PartRole, name: str, sides: int = 48) -> ScenePart:
    """A circle about the z axis of a frame [m], as wheels are drawn."""
    return ScenePart(tuple(FramePoint(frame, *point) for point in ring(radius=radius, sides=sides).points), role, name)
