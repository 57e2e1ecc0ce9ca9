"""Parts of a scene: shapes whose points are fixed on frames of a system."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


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


@dataclass(frozen=True, slots=True)
class ScenePart:
    """A ball swept along a path of points, or over the polygon that they enclose."""

    points: tuple[FramePoint, ...]
    radius: float  # of the ball [m]; 0 for a line
    filled: bool  # is it the polygon?
    role: PartRole
    name: str  # of the body, joint, drive or coupling it belongs to; empty for a spring
