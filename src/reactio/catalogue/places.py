"""Places in a model: the plane or space, a frame on a body, a joint coordinate by name, and axes of reactions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

GROUND = "ground"


@dataclass(frozen=True, slots=True)
class SpaceSizes:
    """How many numbers things have in the plane or in space."""

    vector: int  # a point, a velocity, a force
    orientation: int  # an angle, or a unit quaternion
    rotation: int  # an angular velocity, a torque

    @property
    def twist(self) -> int:
        """Components of a velocity with an angular velocity, or of a force with a torque."""
        return self.vector + self.rotation


SPACE_SIZES = {"planar": SpaceSizes(2, 1, 1), "spatial": SpaceSizes(3, 4, 3)}


class ReactionAxes(StrEnum):
    """Along which axes the components of a reaction are named and judged."""

    JOINT = "joint"  # of the first frame of the joint, z along its axis; along a rod, across a knife edge
    WORLD = "world"


@dataclass(frozen=True, slots=True)
class End:
    """A frame fixed on a body: one side of a joint, or where a load acts."""

    body: str  # name of the body, or "ground"
    point: tuple[float, ...] = ()  # origin in body axes [m], (2,) or (3,)
    orientation: tuple[float, ...] = ()  # against the body: (angle [rad],) or unit quaternion (4,)


@dataclass(frozen=True, slots=True)
class CoordinateName:
    """A coordinate of a joint; the name may be left out where the joint has only one."""

    joint: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.joint}.{self.name}" if self.name else self.joint
