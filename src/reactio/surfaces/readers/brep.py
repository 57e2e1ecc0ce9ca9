"""Boundary representations of Open Cascade, as CAD programs keep them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.surfaces import Surface, SurfaceReader, register

SAG = 2e-3  # largest distance of triangles from the true surface as part of its size: not seen in a drawing
BEND = 0.35  # and largest angle between neighbours [rad], 18 sides to a circle


def read(data: bytes, suffix: str) -> Surface:
    """The surface in triangles, by OCP, the Python binding of Open Cascade that CadQuery and build123d bring."""
    try:
        import OCP  # noqa: F401
    except ImportError:
        raise ReactioError(
            "surfaces of CAD files (BRep) are read by OCP, which is not installed: pip install cadquery-ocp-novtk."
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shape.brep"
        path.write_bytes(data)
        return _triangles(path)


def _triangles(path: Path) -> Surface:
    from OCP.Bnd import Bnd_Box
    from OCP.BRep import BRep_Builder, BRep_Tool
    from OCP.BRepBndLib import BRepBndLib
    from OCP.BRepMesh import BRepMesh_IncrementalMesh
    from OCP.BRepTools import BRepTools
    from OCP.TopAbs import TopAbs_ShapeEnum
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS, TopoDS_Shape

    shape = TopoDS_Shape()
    if not _static(BRepTools, "Read")(shape, str(path), BRep_Builder()):
        raise ReactioError("a file that is not a boundary representation.")
    box = Bnd_Box()
    _static(BRepBndLib, "Add")(shape, box)
    BRepMesh_IncrementalMesh(shape, SAG * float(np.sqrt(box.SquareExtent())), False, BEND, False)
    points: list[Any] = []
    faces: list[list[int]] = []
    walk = TopExp_Explorer(shape, TopAbs_ShapeEnum.TopAbs_FACE)
    while walk.More():
        _add_face(_static(TopoDS, "Face")(walk.Current()), _static(BRep_Tool, "Triangulation"), points, faces)
        walk.Next()
    return _joined(np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3))


def _static(owner: Any, name: str) -> Any:
    """A function of a class of Open Cascade; OCP ended their names in ``_s`` up to version 7."""
    return getattr(owner, f"{name}_s", None) or getattr(owner, name)


def _add_face(face: Any, triangulation: Any, points: list[Any], faces: list[list[int]]) -> None:
    """The triangles of one face, in its place, with their senses outwards; Open Cascade counts from 1."""
    from OCP.TopAbs import TopAbs_Orientation
    from OCP.TopLoc import TopLoc_Location

    at, before = TopLoc_Location(), len(points) - 1
    mesh = triangulation(face, at)
    if mesh is None:
        return
    move = at.Transformation()
    nodes = (mesh.Node(k).Transformed(move) for k in range(1, mesh.NbNodes() + 1))
    points += [(p.X(), p.Y(), p.Z()) for p in nodes]
    sense = -1 if face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED else 1
    for k in range(1, mesh.NbTriangles() + 1):
        triangle = mesh.Triangle(k)
        faces.append([before + triangle.Value(i) for i in (1, 2, 3)][::sense])


def _joined(points: Floats, faces: Ints) -> Surface:
    """Faces of a solid share the points of their common edges: equal points become one."""
    size = float(np.ptp(points, axis=0).max(initial=0.0))
    keys = np.round(points / (1e-7 * size)) if size else points
    _, first, same = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return Surface(points[first], same.reshape(-1)[faces])


BREP = register(SurfaceReader("brep", (".brp", ".brep"), read, "Boundary representations, by OCP."))
