"""Fewer triangles of nearly the same shape."""

from __future__ import annotations

import numpy as np

from reactio.surfaces import Surface

FINEST = 256  # cells along the longest side at which it begins: finer than a picture shows


def decimated(surface: Surface, most: int) -> Surface:
    """At most so many faces: points within a cell of a grid become their mean (Rossignac and Borrel 1993).

    The grid is made coarser until few enough faces are left; faces with two corners in one cell vanish.
    """
    cells = FINEST
    coarser = surface
    while len(coarser.faces) > most and cells > 1:
        coarser = _clustered(surface, cells)
        cells = int(cells / 1.25)
    return Surface(coarser.points, coarser.faces[:most])


def _clustered(surface: Surface, cells: int) -> Surface:
    low, size = surface.points.min(axis=0), float(np.ptp(surface.points, axis=0).max())
    keys = np.floor((surface.points - low) * (cells / size if size else 0.0)).astype(np.int64)
    _, cell = np.unique(keys, axis=0, return_inverse=True)
    cell = cell.reshape(-1)
    count = np.bincount(cell)
    points = np.column_stack([np.bincount(cell, weights=x) / count for x in surface.points.T])
    faces = cell[surface.faces]
    apart = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    _, once = np.unique(np.sort(faces[apart], axis=1), axis=0, return_index=True)
    return Surface(points, faces[apart][np.sort(once)])
