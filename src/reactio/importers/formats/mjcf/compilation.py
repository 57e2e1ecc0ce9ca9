"""MJCF files compiled by MuJoCo itself, without meshes, sensors, contacts and deformable bodies."""

from __future__ import annotations

import logging
import math
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from reactio.errors import ModelError, did_you_mean
from reactio.importers import Options
from reactio.importers.formats.mjcf.joint_equalities import FLEXES
from reactio.importers.mechanism import Mesh
from reactio.importers.pose import Pose, from_quaternion
from reactio.model.notes import Note, NoteKind
from reactio.operating_system.files import check_file
from reactio.optional_libraries import optional_library

SITE_NAME = "surface of geom "  # with a number: name of a site at the pose of a geom with a mesh
INCLUDE = re.compile(rb"""<include\b[^>]*\bfile\s*=\s*["']([^"'\0]+)["']""")
INCLUDED = "mujocoinclude"  # root tag of files that others include
# Seconds in which MuJoCo 4.0 reads and compiles a model, over the square of its bodies (measured: 13 s for 10,000).
SECONDS_PER_SQUARED_BODIES = 1.3e-7
UNANNOUNCED_SECONDS = 3.0  # below which no message announces how long reading takes
MOST_MJCF_BODIES = 20_000  # which take a minute; for 30,000 MuJoCo needs more memory than machines have
log = logging.getLogger("reactio")


def mujoco() -> Any:
    """The library of MuJoCo, or an error that says how to install it."""
    return optional_library("mujoco", "MJCF files are read by MuJoCo, which is not installed", "mjcf")


class CompiledModel(NamedTuple):
    """A model and its data in MuJoCo, and the elements set aside before it was compiled."""

    model: Any
    data: Any
    meshes: dict[str, list[Mesh]]  # by body
    unweighed: set[str]  # bodies whose mass is not read
    notes: list[Note]


@contextmanager
def without_a_log(library: Any) -> Iterator[None]:
    """Without this, MuJoCo writes its warnings to MUJOCO_LOG.TXT in the working directory."""
    before = library.get_mju_user_warning()
    library.set_mju_user_warning(lambda message: None)
    try:
        yield
    finally:
        library.set_mju_user_warning(before)


def compiled(library: Any, path: Path, options: Options) -> CompiledModel:
    """The model of a file, compiled by MuJoCo at its home pose or at a keyframe."""
    _announce_size(path)
    _note_included(path, set())
    spec = _spec(library, path)
    without = _without_flexes(spec)
    surfaces, unweighed = _stripped(library, spec, weigh=not options.geometry)
    model, notes = _model(spec, path)
    data = library.MjData(model)
    _pose(library, model, data, options.pose, path)
    library.mj_kinematics(model, data)
    return CompiledModel(model, data, _meshes(model, surfaces), unweighed, [*without, *notes])


def _announce_size(path: Path) -> None:
    """Tell how long MuJoCo will take for a large file, and refuse one that is too large."""
    try:
        bodies = path.read_bytes().count(b"<body")
    except OSError:
        return  # MuJoCo reports the error
    if bodies > MOST_MJCF_BODIES:
        raise ModelError(
            f"holds {bodies:,} bodies; MuJoCo, which compiles MJCF, takes time with the square of their number, and "
            f"{SECONDS_PER_SQUARED_BODIES * bodies**2 / 60:.0f} minutes here: at most {MOST_MJCF_BODIES:,} are taken. "
            "Write it as URDF or SDF, which are read without MuJoCo.",
            place=str(path),
        )
    if (seconds := SECONDS_PER_SQUARED_BODIES * bodies**2) > UNANNOUNCED_SECONDS:
        log.info(f"{path.name}: MuJoCo compiles {bodies:,} bodies, in about {seconds:.0f} s …")


def _note_included(path: Path, known: set[Path]) -> None:
    """Note the files that MuJoCo will read by itself, so that no command overwrites them."""
    if path in known or not path.is_file():
        return
    known.add(path)
    check_file(path)
    for name in INCLUDE.findall(path.read_bytes()):
        _note_included(path.parent / name.decode("utf-8", "replace"), known)


def _model(spec: Any, path: Path) -> tuple[Any, list[Note]]:
    """The compiled model, and the warnings of MuJoCo's compiler."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = spec.compile()
        except ValueError as error:
            raise ModelError(f"MuJoCo cannot compile it: {_sentence(str(error))}.", place=str(path)) from None
    return model, [Note(NoteKind.WARNING, "MuJoCo", _sentence(str(warning.message))) for warning in caught]


def _sentence(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _spec(library: Any, path: Path) -> Any:
    try:
        return library.MjSpec.from_file(str(path))
    except ValueError as error:
        if INCLUDED in str(error):
            raise ModelError("is a part that models include, not a model of its own.", place=str(path)) from None
        raise ModelError(f"MuJoCo cannot read it: {_sentence(str(error))}.", place=str(path)) from None


@dataclass(frozen=True, slots=True, eq=False)
class _GeomMesh:
    """The mesh of a geom: its file, its pose and scale in the mesh element, and whether the geom collides."""

    body: str
    file: str
    inside: Pose
    scale: tuple[float, float, float]
    collides: bool


def _stripped(library: Any, spec: Any, *, weigh: bool) -> tuple[dict[str, _GeomMesh], set[str]]:
    """Remove contacts and everything that needs other files; returns the surfaces and bodies with masses of meshes.

    Without ``weigh`` no mass is read, and all bodies are returned.  A site replaces every geom with a mesh, so that
    MuJoCo's compiler computes the pose of the mesh.
    """
    known = {mesh.name or Path(mesh.file).stem: mesh for mesh in spec.meshes}
    stripped: dict[str, _GeomMesh] = {}
    unweighed = set() if weigh else {body.name for body in spec.bodies if body.name != "world"}
    mesh_types = (library.mjtGeom.mjGEOM_MESH, library.mjtGeom.mjGEOM_SDF, library.mjtGeom.mjGEOM_HFIELD)
    _prefer_geoms(library, spec)
    for k, geom in enumerate(list(spec.geoms)):
        if geom.type not in mesh_types and not geom.meshname:
            continue
        body, mesh = geom.parent, known.get(geom.meshname)
        if mesh is not None and mesh.file:
            site = body.add_site(name=f"{SITE_NAME}{k}", pos=geom.pos, quat=geom.quat)
            site.alt.type = geom.alt.type
            for key in ("axisangle", "xyaxes", "zaxis", "euler"):
                setattr(site.alt, key, getattr(geom.alt, key))
            inside = from_quaternion(mesh.refpos, mesh.refquat, f"mesh '{mesh.name}'").inverse
            x, y, z = (float(s) for s in mesh.scale)
            file = str(Path(spec.meshdir) / mesh.file)
            stripped[site.name] = _GeomMesh(body.name, file, inside, (x, y, z), bool(geom.contype or geom.conaffinity))
        if _weighs(spec, geom) and not body.explicitinertial and body.name != "world":
            unweighed.add(body.name)
        spec.delete(geom)
    for group in ("meshes", "hfields", "skins", "textures", "materials", "pairs", "excludes", "sensors"):
        for item in list(getattr(spec, group, ())):
            spec.delete(item)
    for geom in spec.geoms:
        geom.material = ""
    for site in spec.sites:
        site.material = ""
    for body in (candidate for candidate in (list(spec.bodies) if unweighed else ()) if candidate.name in unweighed):
        # A body without mass cannot be compiled; this mass is a placeholder and is not read.
        body.explicitinertial = True
        body.mass, body.inertia, body.fullinertia = 1.0, [1.0, 1.0, 1.0], [math.nan] * 6
    return stripped, unweighed


def _prefer_geoms(library: Any, spec: Any) -> None:
    """Ignore given inertia where the compiler takes all inertia from geoms (inertiafromgeom)."""
    if spec.compiler.inertiafromgeom != library.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE:
        return
    for geom in spec.geoms:
        if _weighs(spec, geom):
            geom.parent.explicitinertial = False
    spec.compiler.inertiafromgeom = library.mjtInertiaFromGeom.mjINERTIAFROMGEOM_AUTO


def _weighs(spec: Any, geom: Any) -> bool:
    """Does a geom add to the mass of its body?  A visual one has no mass, or is in a group that is not counted."""
    low, high = spec.compiler.inertiagrouprange
    return bool(low <= geom.group <= high and geom.mass != 0 and (geom.mass > 0 or geom.density > 0))


def _without_flexes(spec: Any) -> list[Note]:
    """Remove deformable bodies, with their points and the equalities of their edges."""
    names = [flex.name for flex in spec.flexes]
    if not names:  # MuJoCo searches all bodies for every one that is deleted
        return []
    for equality in [element for element in spec.equalities if int(element.type) in FLEXES]:
        spec.delete(equality)
    for flex in list(spec.flexes):
        spec.delete(flex)
    for body in [element for element in spec.bodies if _is_point(element.name, names)]:
        spec.delete(body)
    titles = [f"flex '{name}'" if name else "a flex without name" for name in names]
    return [Note(NoteKind.SKIPPED, title, "a deformable body has no counterpart") for title in titles]


def _is_point(name: str, flexes: list[str]) -> bool:
    """Is it a body that MuJoCo makes for a point of a flex, ``cloth_12``?"""
    flex, _, number = name.rpartition("_")
    return bool(flex) and flex in flexes and number.isdigit()


def _meshes(model: Any, surfaces: dict[str, _GeomMesh]) -> dict[str, list[Mesh]]:
    """The meshes of each body at the poses of its sites; only visual ones of a body that has some."""
    shown = {surface.body for surface in surfaces.values() if not surface.collides}
    meshes: dict[str, list[Mesh]] = {}
    for name, surface in surfaces.items():
        if surface.collides and surface.body in shown:
            continue
        site = model.site(name)
        at = from_quaternion(site.pos, site.quat, f"mesh '{surface.file}'") @ surface.inside
        meshes.setdefault(surface.body, []).append(Mesh(surface.file, at, surface.scale))
    return meshes


def _pose(library: Any, model: Any, data: Any, wanted: str | None, path: Path) -> None:
    if wanted is None:
        return
    names = [model.key(k).name for k in range(model.nkey)]
    if wanted not in names:
        raise ModelError(f"--pose {wanted}: there is no such keyframe.{did_you_mean(wanted, names)}", place=str(path))
    library.mj_resetDataKeyframe(model, data, names.index(wanted))
