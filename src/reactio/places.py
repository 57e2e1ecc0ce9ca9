"""Where things act: a frame on a body, and a joint coordinate, by name."""

from __future__ import annotations

from dataclasses import dataclass

GROUND = "ground"


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
