"""Surfaces of triangles from files of shapes, for drawings and for masses: one reader in each file of ``readers``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.registry import Registry
from reactio.errors import ReactioError
from reactio.surfaces.members import content

READERS: Registry[SurfaceReader] = Registry("reader of surfaces", "reactio.surfaces.readers")
register = READERS.register


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles in space: points (k, 3) in the unit of the file, and faces (f, 3) as numbers of points."""

    points: Floats
    faces: Ints


@dataclass(frozen=True, slots=True)
class SurfaceReader:
    """A reader of files with these endings: the bytes of a file and its ending, into a surface."""

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str], Surface]
    doc: str


def read_surface(path: Path) -> Surface:
    """The surface in a file, or in a member of a zip archive (``part.FCStd/Shape.brp``); nothing else is opened."""
    suffix = path.suffix.lower()
    reader = next((candidate for candidate in READERS.values() if suffix in candidate.suffixes), None)
    if reader is None:
        known = ", ".join(ending for each in READERS.values() for ending in each.suffixes)
        raise ReactioError(f"'{path.name}': surfaces are read from {known}.")
    surface = reader.read(content(path), suffix)
    if not len(surface.faces):
        raise ReactioError(f"'{path.name}' holds no faces.")
    if not np.isfinite(surface.points).all():
        raise ReactioError(f"'{path.name}' holds a point that is not finite.")
    return surface
