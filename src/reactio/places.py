"""Places in a model: a frame on a body, a joint coordinate by name, and axes of reactions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

GROUND = "ground"


class ReactionAxes(StrEnum):
    """Along which axes the components of a reaction are named and judged."""

    JOINT = "joint"  # of the first frame of the joint, z along its axis
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
