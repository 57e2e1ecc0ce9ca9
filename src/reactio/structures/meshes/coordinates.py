"""Coordinate systems of nodes: rectangular, cylindrical and spherical, in frames given by points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reactio.arrays import Floats
from reactio.linear.precision import GEOMETRY


@dataclass(frozen=True, eq=False)
class CoordinateSystem:
    """Coordinates of a kind in a frame: rectangular (x, y, z), cylindrical (r, θ, z), spherical (r, θ, φ); degrees.

    Spherical as in Nastran: θ from the z axis, φ about it from the x axis.
    """

    kind: str = "R"
    origin: Floats = field(default_factory=lambda: np.zeros(3))
    axes: Floats = field(default_factory=lambda: np.eye(3))  # (3, 3) columns: x, y, z

    def point(self, given: Sequence[float]) -> Floats:
        """(3,) in the axes of the file."""
        a, b, c = given
        local = np.array([a, b, c])
        if self.kind == "C":
            local = np.array([a * np.cos(np.radians(b)), a * np.sin(np.radians(b)), c])
        elif self.kind == "S":
            polar, about = np.radians(b), np.radians(c)
            local = a * np.array([np.sin(polar) * np.cos(about), np.sin(polar) * np.sin(about), np.cos(polar)])
        return np.asarray(self.origin + self.axes @ local)


def frame_of(first: Floats, second: Floats) -> Floats:
    """(3, 3) columns: an axis along ``first``, the next in the plane of both, the third across them."""
    x = first / np.linalg.norm(first)
    across = np.cross(x, second)
    if not np.linalg.norm(across) > GEOMETRY * np.linalg.norm(second):
        raise ValueError("three points of a coordinate system are in a line")
    z = across / np.linalg.norm(across)
    return np.column_stack([x, np.cross(z, x), z])
