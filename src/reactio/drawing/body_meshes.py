"""Bodies as surfaces from files, in place of bars and plates; a surface that cannot be read is named in a remark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.places import GROUND
from reactio.drawing.frames import axes, bare_bodies, bodies_of_frames, origins, world
from reactio.errors import ReactioError
from reactio.kinematics.body_state import body_state
from reactio.model.specs import Shape
from reactio.space.rotations import axes_of
from reactio.surfaces import Surface, read_surface
from reactio.surfaces.decimate import decimated
from reactio.system.equations import Equations

MOST_FACES_OF_BODY = 2_000  # what a picture of this size can show
MOST_FACES = 24_000  # faces of all bodies together: a browser turns them without a pause
LEAST_FACES = 60  # faces of one shape, however many there are


@dataclass(frozen=True, slots=True, eq=False)
class BodyMesh:
    """The surface of a body: points (k, 3) in the axes of a frame on it [m], and faces (f, 3)."""

    name: str  # of the body
    frame: int
    points: Floats
    faces: Ints

    @property
    def outermost(self) -> Floats:
        """Its outermost points (k, 3) along 26 directions, in the axes of its frame: a view must hold these."""
        directions = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z])
        return np.asarray(self.points[np.unique((self.points @ directions.T).argmax(axis=0))])


def body_meshes(
    eqs: Equations, frames: Floats, names: Collection[str] | None
) -> tuple[tuple[BodyMesh, ...], tuple[str, ...]]:
    """The surfaces of all bodies, or of those named, and a sentence for every reason why one is not shown."""
    system = eqs.system
    owner, bare = bodies_of_frames(system), bare_bodies(system)
    wanted = [(b, body) for b, body in enumerate(system.model.bodies) if names is None or body.name in names]
    every = [(b, body.name, body.shapes) for b, body in wanted] + [(-1, GROUND, system.model.ground.shapes)]
    count = sum(len(shapes) for _, _, shapes in every)
    meshes: list[BodyMesh] = []
    reasons: Counter[str] = Counter()
    for b, name, shapes in every:
        if not shapes:
            continue
        of_body = np.flatnonzero(owner == b)
        k = world(system) if b < 0 else int(of_body[0]) if len(of_body) else len(owner) + bare.index(b)
        r, R = (np.zeros(3), np.eye(3)) if b < 0 else _pose(eqs, b)
        most = max(LEAST_FACES, min(MOST_FACES_OF_BODY // len(shapes), MOST_FACES // count))
        for shape in shapes:
            try:
                surface = _surface(shape.file, most)
            except ReactioError as error:
                reasons[str(error)] += 1
                continue
            x = r + _placed(shape, surface.points) @ R.T
            meshes.append(BodyMesh(name, k, (x - origins(frames[k])) @ axes(frames[k]).T, surface.faces))
    notes = tuple(f"{n} shapes are not shown: {why}" if n > 1 else f"Not shown: {why}" for why, n in reasons.items())
    return tuple(meshes), notes


def _pose(eqs: Equations, b: int) -> tuple[Floats, Floats]:
    body = body_state(eqs.system, b, eqs.state.q, eqs.state.v)
    w, x, y, z = (body.orientation / np.linalg.norm(body.orientation)).tolist()
    return np.asarray(body.position), _axes((w, x, y, z))


def _axes(q: tuple[float, ...]) -> Floats:
    """R (3, 3) of a unit quaternion; ``axes_of`` gives its columns."""
    return np.array(axes_of.plain(q)).T  # type: ignore[arg-type]


def _placed(shape: Shape, points: Floats) -> Floats:
    return np.asarray(np.array(shape.position) + (points * np.array(shape.scale)) @ _axes(shape.orientation).T)


def _surface(file: str, most: int) -> Surface:
    path = Path(file)
    existing = path if path.is_file() else path.parent
    try:
        stamp = existing.stat().st_mtime_ns
    except OSError:
        raise ReactioError(f"'{path.name}' is missing.") from None
    return _kept(file, stamp, most)


@lru_cache(maxsize=256)
def _kept(file: str, stamp: int, most: int) -> Surface:
    """Read once for every picture of a model."""
    return decimated(read_surface(Path(file)), most)
