"""Files of polygons, by trimesh."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from reactio.errors import ReactioError
from reactio.optional_libraries import optional_library
from reactio.surfaces import Surface, SurfaceReader, register


def read(data: bytes, suffix: str) -> Surface:
    """The triangles of a file; trimesh gets its bytes alone, so that no material or picture next to it is opened."""
    trimesh = optional_library("trimesh", "meshes are read by trimesh", "import")
    if suffix == ".dae":
        _check_collada(data)
    try:
        mesh: Any = trimesh.load_mesh(io.BytesIO(data), file_type=suffix.removeprefix("."))
        points, faces = np.array(mesh.vertices, dtype=float), np.array(mesh.faces, dtype=np.int64)
    except Exception as error:  # whatever a reader of foreign files stumbles over: the file is not a mesh
        raise ReactioError(f"a file that is not a {suffix} mesh: {str(error)[:120] or type(error).__name__}.") from None
    return Surface(points * (_metres(data) if suffix == ".dae" else 1.0), faces)


def _check_collada(data: bytes) -> None:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ReactioError("a COLLADA file that declares entities is not opened.")
    optional_library("collada", ".dae files are read by pycollada", "import")


def _metres(data: bytes) -> float:
    """The unit of a COLLADA file in metres, 1 where it says none."""
    unit = re.search(rb"<unit\b[^>]*\bmeter\s*=\s*[\"']([0-9.eE+-]+)[\"']", data[: 2**16])
    try:
        return float(unit.group(1)) if unit else 1.0
    except ValueError:
        return 1.0


POLYGONS = register(SurfaceReader("polygons", (".stl", ".obj", ".dae", ".ply", ".off"), read, "Polygons, by trimesh."))
