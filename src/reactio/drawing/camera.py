"""The orthographic view: from world axes to the picture."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats

YAW, PITCH = np.radians(-58.0), np.radians(22.0)


def view(space: str, up: tuple[float, float, float], yaw: float = YAW, pitch: float = PITCH) -> Floats:
    """V (3, 3): rows are rightwards, upwards and towards the viewer; the plane is seen from the front.

    >>> view("spatial", (0.0, 0.0, 1.0), 0.0, 0.0).round(3).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    if space == "planar":
        return np.eye(3)
    u, x, y = horizon(np.array(up))
    ahead = np.cos(yaw) * x + np.sin(yaw) * y
    towards = np.cos(pitch) * ahead + np.sin(pitch) * u
    right = np.cross(u, ahead)
    return np.array([right, np.cross(towards, right), towards])


def horizon(u: Floats) -> tuple[Floats, Floats, Floats]:
    """Upwards u (3,), a unit vector, and two directions of the horizon."""
    x = np.array([1.0, 0.0, 0.0]) if abs(u[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = x - u * (u @ x)
    x /= np.linalg.norm(x)
    return u, x, np.cross(u, x)
