"""Meshes of solids: any shape, by the elements of a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reactio.errors import ModelError, did_you_mean, listed
from reactio.structures import Description, FiniteElements, Flexibility, MassProperties, StructureKind, register
from reactio.structures.condense import condense, mass_properties_of
from reactio.structures.held_nodes import interfaces
from reactio.structures.material import Material
from reactio.structures.meshes import read_mesh
from reactio.structures.meshes.element_mesh import ElementMesh
from reactio.structures.solids import assemble_solids, misshapen

FILE_FACTORS = {"scale": "lengths of the file into metres, 0.001 for mm", "mass": "its point masses into kg"}
MOST_NODES_NAMED = 8  # the corners of a hexahedron come first in every format
MESH_KEYS = ("file", "materials", *FILE_FACTORS)


@lru_cache(maxsize=8)
def _read(path: str, where: tuple[str, ...], stamps: tuple[int, ...]) -> ElementMesh:
    """Once for each state of the file."""
    return read_mesh(path, where)


def _elements(given: Description) -> tuple[FiniteElements, ElementMesh]:
    """Elements with the material of their group, or that of the body.

    ``scale`` turns the lengths of the file into metres, ``mass`` its point masses into kilograms.
    """
    p, what = given.parameters, f"body '{given.name}': mesh"
    for key in p:
        if key not in MESH_KEYS:
            raise ModelError(f"{what} has no field '{key}'.{did_you_mean(key, MESH_KEYS)}", given.where)
    if not isinstance(p.get("file"), str):
        raise ModelError(
            f"{what} needs its `file`: mesh: part.msh, or mesh: {{file: part.msh, scale: 0.001}}.", given.where
        )
    mesh = _read(p["file"], given.where, given.stamps)
    by_group = p.get("materials", {})

    def material(group: str) -> Material:
        name = by_group.get(group, given.material)
        if name not in given.materials:
            hint = did_you_mean(str(name), given.materials)
            raise ModelError(f"{what}: group '{group}' has no material of the model.{hint}", given.where)
        return given.materials[name]

    for shape, table, _ in mesh.elements:
        if (wrong := misshapen(shape, mesh.nodes[table])).any():
            nodes = listed([str(mesh.numbers[k]) for k in table[wrong.argmax()]], most=MOST_NODES_NAMED)
            raise ModelError(
                f"{what}: {wrong.sum():,} of {len(table):,} {shape} elements are flat or folded, for example that with "
                f"the nodes {nodes}. Check the order of its nodes and their coordinates in {p['file']}.",
                given.where,
            )
    scale, kilograms = (_factor(p, key, what, given.where) for key in FILE_FACTORS)
    solids = [(shape, table, material(group)) for shape, table, group in mesh.elements]
    trusses = [(bar.nodes, bar.area * scale**2, material(bar.group)) for bar in mesh.trusses]
    masses = [(lump.node, lump.mass * kilograms) for lump in mesh.masses]
    return assemble_solids(mesh.nodes * scale, solids, trusses, masses), mesh


def _factor(p: Mapping[str, Any], key: str, what: str, where: tuple[str, ...]) -> float:
    value = p.get(key, 1.0)
    if not isinstance(value, int | float) or not value > 0:
        raise ModelError(f"{what}: {key} is {value!r}; it turns {FILE_FACTORS[key]}.", where)
    return float(value)


def _inertia(given: Description) -> MassProperties | None:
    return mass_properties_of(_elements(given)[0])


def _flexibility(given: Description) -> Flexibility:
    elements, mesh = _elements(given)
    return condense(elements, interfaces(given, elements.nodes, mesh.sets, None, 3, mesh.numbers), given.name)


MESH = register(
    StructureKind(
        name="mesh",
        doc="Solids, trusses and masses of a Gmsh, Abaqus, CalculiX or Nastran file; interfaces hold sets of nodes.",
        flexibility=_flexibility,
        inertia=_inertia,
        file_units=lambda length, mass, force: {
            key: unit for key, unit in (("scale", length), ("mass", mass)) if unit != 1.0
        },
    )
)
