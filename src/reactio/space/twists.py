"""Twists (v, ω) of a rigid body at different points, as matrices."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats


def skew(r: Floats) -> Floats:
    """[r]× (3, 3), with [r]× f = r × f."""
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def twist_at(r: Floats) -> Floats:
    """The matrix (3, 3) or (6, 6) that maps the twist of a body at its origin to that at r: (v + ω × r, ω).

    >>> twist_at(np.array([2.0, 0.0])) @ np.array([0.0, 0.0, 1.0])
    array([0., 2., 1.])
    """
    if len(r) == 2:
        return np.array([[1.0, 0.0, -r[1]], [0.0, 1.0, r[0]], [0.0, 0.0, 1.0]])
    return np.block([[np.eye(3), -skew(r)], [np.zeros((3, 3)), np.eye(3)]])
