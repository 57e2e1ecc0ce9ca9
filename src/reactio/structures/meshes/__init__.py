"""Meshes of solids from files of other programs: one reader in each file.

Every keyword, card and element of a file is read, known to have no part in a free elastic body, or refused by its name.
"""

from __future__ import annotations

from pathlib import Path

from reactio.errors import ModelError
from reactio.operating_system.files import read_text
from reactio.structures.meshes.abaqus import read_abaqus
from reactio.structures.meshes.element_mesh import ElementMesh
from reactio.structures.meshes.gmsh import read_gmsh
from reactio.structures.meshes.nastran import read_nastran

MESH_READERS = {
    ".msh": read_gmsh,
    ".inp": read_abaqus,
    ".bdf": read_nastran,
    ".nas": read_nastran,
    ".dat": read_nastran,
}


def read_mesh(path: str, where: tuple[str, ...]) -> ElementMesh:
    """The mesh of a file; ``where``: the place in the model that names it."""
    ending = Path(path).suffix.lower()
    if ending not in MESH_READERS:
        raise ModelError(f"'{path}' is not a mesh file that Reactio reads: {', '.join(MESH_READERS)}.", where)
    try:
        mesh = MESH_READERS[ending](read_text(Path(path)))
    except (ValueError, IndexError, KeyError) as error:
        raise ModelError(f"'{path}' cannot be read as a mesh: {error!s}.", where) from None
    if not mesh.elements:
        raise ModelError(f"'{path}' holds no solid elements (tetrahedra or hexahedra).", where)
    return mesh
