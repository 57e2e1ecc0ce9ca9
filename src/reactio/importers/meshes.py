"""Surfaces that a file names: found inside its folder, and weighed where a density is given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.errors import ReactioError, how_to_install
from reactio.importers import Options
from reactio.importers.mechanism import Inertia, Mechanism, Mesh, Note, Part, combined

PACKAGE = "package://"


def found(mesh: Mesh, folder: Path, options: Options) -> Path:
    """The file of a mesh: below the folder of the model or of a package that was named, unless others are allowed."""
    name, base = mesh.file.removeprefix("file://"), folder
    if name.startswith(PACKAGE):
        package, _, rest = name.removeprefix(PACKAGE).partition("/")
        if package not in options.packages:
            raise ReactioError(f"mesh '{mesh.file}': where is the package? Give --package {package}=DIR.")
        base, name = options.packages[package], rest
    path = (base / name).resolve()
    if not options.anywhere and not path.is_relative_to(base.resolve()):
        raise ReactioError(f"mesh '{mesh.file}' lies outside the folder of the model; --anywhere allows it.")
    return path


def weighed(mechanism: Mechanism, folder: Path, options: Options) -> Mechanism:
    """Parts without a known mass get that of their meshes, closed surfaces of the density given [kg/m³]."""
    if options.density is None:
        return mechanism
    notes, parts = list(mechanism.notes), []
    for part in mechanism.parts:
        inertia = part.inertia
        if inertia is None and part.meshes:
            inertia = _inertia(part, folder, options)
            notes.append(Note("said", f"mass of '{part.name}'", f"{inertia.mass:.4g} kg, from its meshes"))
        parts.append(replace(part, inertia=inertia))
    return replace(mechanism, parts=tuple(parts), notes=tuple(notes))


def _inertia(part: Part, folder: Path, options: Options) -> Inertia:
    try:
        import trimesh
    except ImportError:
        raise ReactioError(f"Meshes are read by trimesh: {how_to_install('import')}.") from None
    made = []
    for mesh in part.meshes:
        path = found(mesh, folder, options)
        if not path.is_file():
            raise ReactioError(f"mesh '{mesh.file}' of '{part.name}' is not there; masses from meshes need every file.")
        surface: Any = trimesh.load_mesh(path)
        surface.apply_scale(mesh.scale)
        if not surface.is_watertight:
            raise ReactioError(f"mesh '{mesh.file}' of '{part.name}' is no closed surface; it has no volume to weigh.")
        surface.density = options.density
        J = np.array(surface.moment_inertia)
        made.append((Inertia(float(surface.mass), np.array(surface.center_mass), J), mesh.pose))
    return combined(made)
