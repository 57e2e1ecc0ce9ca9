"""Volume, centre and inertia of the solid inside a closed surface."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.surfaces import Surface


def moments(surface: Surface) -> tuple[float, Floats, Floats]:
    """Volume V [m³], centre c (3,) [m] and the inertia J (3, 3) about it for density 1 [m⁵].

    The solid is the sum of the tetrahedra from the origin to every face, with the sign of det(a, b, c):
    V = Σ det/6, V c = Σ det/6 (a + b + c)/4, ∫ x xᵀ dV = Σ det/120 (Σ p pᵀ + s sᵀ), s = a + b + c.
    """
    if not is_closed(surface):
        raise ReactioError("it is not a closed surface, and has no volume to weigh.")
    middle = surface.points.mean(axis=0)
    corners = (surface.points - middle)[surface.faces]
    det, s = np.linalg.det(corners), corners.sum(axis=1)
    sign = -1.0 if det.sum() < 0 else 1.0  # a surface turned inside out encloses the same solid
    volume = sign * float(det.sum()) / 6
    if not volume > 0:
        raise ReactioError("it encloses no volume.")
    c = sign * (det @ s) / 24 / volume
    squares = np.einsum("fki,fkj->fij", corners, corners) + np.einsum("fi,fj->fij", s, s)
    second = sign * np.einsum("f,fij->ij", det, squares) / 120 - volume * np.outer(c, c)
    return volume, middle + c, np.asarray(np.trace(second) * np.eye(3) - second)


def is_closed(surface: Surface) -> bool:
    """Has every edge two faces that pass it in opposite senses? Points at one place count as one."""
    _, same = np.unique(surface.points, axis=0, return_inverse=True)
    faces = same.reshape(-1)[surface.faces]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    directed, count = np.unique(edges, axis=0, return_counts=True)
    back = np.unique(edges[:, ::-1], axis=0)
    return bool((count == 1).all()) and directed.shape == back.shape and bool((directed == back).all())
