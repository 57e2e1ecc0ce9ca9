"""Where a flexible body is held: points of joints and loads, each on an interface frame over a rigid arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ModelError
from reactio.linear.precision import LOCATED
from reactio.structures import Flexibility, extent

AT_INTERFACE = LOCATED  # part of the size of a body within which a joint is at an interface


@dataclass(frozen=True, eq=False)
class Attachment:
    """The points where a body is held: each belongs to an interface frame, over a rigid arm."""

    body: str
    interfaces: Floats  # (J, 3)
    points: Floats  # (P, 3)
    interface_of: tuple[int, ...]  # (P,)

    @classmethod
    def of(cls, structure: Flexibility) -> Attachment:
        """Of a structure."""
        if structure.held is None:
            return cls(structure.name, structure.points, structure.points, tuple(range(len(structure.points))))
        return cls(structure.name, structure.points, structure.held, structure.interface_of)

    def holds(self, points: Floats) -> bool:
        """Is the body held at all these points (k, 3)?"""
        far = np.linalg.norm(points[:, None] - self.points[None], axis=2).min(axis=1, initial=np.inf)
        return bool((far <= AT_INTERFACE * extent(self.points)).all())

    def at(self, point: tuple[float, ...], what: str) -> tuple[int, Floats]:
        """The interface that holds a point of the body, and the arm from it."""
        place = np.array([*point, 0.0][:3])
        far = np.linalg.norm(self.points - place, axis=1)
        k = int(far.argmin())
        if far[k] > AT_INTERFACE * extent(self.points):
            raise ModelError(
                f"{what} is at no interface of the flexible body '{self.body}': the nearest is "
                f"{quantity(far[k], 'm')} away, at "
                f"{np.round(self.points[k], 6).tolist()}. Move it there, or give the body an interface at "
                f"{np.round(place, 6).tolist()}.",
                ("bodies", self.body, "flexible"),
            )
        return self.interface_of[k], place - self.interfaces[self.interface_of[k]]
