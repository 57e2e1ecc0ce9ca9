"""Surfaces that a file names: found in its folder, shown in drawings, and used for masses where a density is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.importers import Options
from reactio.importers.mechanism import Inertia, Mechanism, Mesh, Part, combined_inertia
from reactio.model.notes import Note, NoteKind, NoteTopic
from reactio.model.specs import Shape
from reactio.surfaces import Surface, read_surface
from reactio.surfaces.members import is_there
from reactio.surfaces.solid import moments

PACKAGE = "package://"


def mesh_path(mesh: Mesh, folder: Path, options: Options) -> Path:
    """The file of a mesh, in the folder of the model or of a named package; elsewhere only where that is allowed."""
    name, base = mesh.file.removeprefix("file://"), folder
    if name.startswith(PACKAGE):
        package, _, rest = name.removeprefix(PACKAGE).partition("/")
        around = options.packages.get(package) or _package_around(package, rest, folder)
        if around is None:
            remedy = f"give --package {package}=DIR" if package else "it names none; write package://NAME/… in the file"
            raise ReactioError(f"mesh '{mesh.file}': its package is not known; {remedy}.")
        base, name = around, rest
    try:
        path = (base / name).resolve()
    except (OSError, ValueError, RuntimeError):
        raise ReactioError(f"mesh '{mesh.file[:80]}' cannot be the name of a file.") from None
    if not options.anywhere and not path.is_relative_to(base.resolve()):
        raise ReactioError(f"mesh '{mesh.file}' lies outside the folder of the model; --anywhere allows it.")
    return path


def _package_around(package: str, rest: str, folder: Path) -> Path | None:
    """The folder of a package that the model lies in, by its name and its package.xml, or one next to the model."""
    inside = folder.resolve()
    around = [
        folder for folder in (inside, *inside.parents) if folder.name == package and (folder / "package.xml").is_file()
    ]
    beside = [folder for folder in (inside / package if package else inside, inside) if is_there(folder / rest)]
    return next(iter((*around, *beside)), None)


def drawn_shapes(
    mechanism: Mechanism, folder: Path, options: Options
) -> tuple[dict[str, tuple[Shape, ...]], list[Note]]:
    """The shapes for drawings of each part and of ground, and notes on those that are left out."""
    shapes: dict[str, tuple[Shape, ...]] = {}
    missing: list[str] = []
    refused: dict[str, str] = {}  # name of a file → why it is not opened
    for name, meshes in (*((part.name, part.meshes) for part in mechanism.parts), (GROUND, mechanism.ground)):
        parts_shapes = []
        for mesh in meshes:
            try:
                path = mesh_path(mesh, folder, options)
            except ReactioError as error:
                refused[mesh.file] = str(error)
                continue
            if is_there(path):
                parts_shapes.append(Shape(str(path), tuple(mesh.pose.r), mesh.pose.quaternion, mesh.scale))
            else:
                missing.append(mesh.file)
        shapes[name] = tuple(parts_shapes)
    return shapes, _left_out(missing, refused)


def _left_out(missing: Sequence[str], refused: dict[str, str]) -> list[Note]:
    """A note on missing files, and one on files outside the allowed folders."""
    notes = []
    if missing:
        names = list(dict.fromkeys(missing))
        some = ", ".join(f"'{name}'" for name in names[:3]) + (", …" if len(names) > 3 else "")
        count = f"{len(names)} meshes" if len(names) > 1 else "1 mesh"
        notes.append(
            Note(
                NoteKind.SKIPPED,
                count,
                f"missing ({some}): bodies are drawn as links between their joints",
                NoteTopic.MESH,
            )
        )
    if refused:
        more = f" ({len(refused) - 1} more likewise)" if len(refused) > 1 else ""
        notes.append(Note(NoteKind.SKIPPED, "meshes for drawings", f"{next(iter(refused.values())).rstrip('.')}{more}"))
    return notes


def with_masses_of_meshes(mechanism: Mechanism, folder: Path, options: Options) -> Mechanism:
    """The mechanism whose parts without a mass get that of their meshes, closed surfaces, at a density [kg/m³]."""
    if options.density is None:
        return mechanism
    notes, parts = list(mechanism.notes), []
    for part in mechanism.parts:
        inertia = part.inertia
        if inertia is None and part.meshes:
            inertia = _inertia(part, folder, options, options.density)
            notes.append(Note(NoteKind.REMARK, f"mass of '{part.name}'", f"{inertia.mass:.4g} kg, from its meshes"))
        parts.append(replace(part, inertia=inertia))
    return replace(mechanism, parts=tuple(parts), notes=tuple(notes))


def _inertia(part: Part, folder: Path, options: Options, density: float) -> Inertia:
    inertias = []
    for mesh in part.meshes:
        path = mesh_path(mesh, folder, options)
        if not is_there(path):
            raise ReactioError(f"mesh '{mesh.file}' of '{part.name}' is missing; masses from meshes need every file.")
        try:
            surface = read_surface(path)
            volume, center, J = moments(Surface(surface.points * np.array(mesh.scale), surface.faces))
        except ReactioError as error:
            raise ReactioError(f"mesh '{mesh.file}' of '{part.name}': {error}") from None
        inertias.append((Inertia(density * volume, center, density * J), mesh.pose))
    return combined_inertia(inertias)
