"""The scene of a mechanism: shapes fixed on frames, so that one scene serves every instant of a motion."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.marks import Glyph, Mark, sliding_arrow, turning_arrow
from reactio.catalogue.places import GROUND
from reactio.drawing.bodies import outlines
from reactio.drawing.body_meshes import BodyMesh, body_meshes
from reactio.drawing.camera import view
from reactio.drawing.frames import axes, bodies_of_frames, origins, placed, points, world
from reactio.drawing.ground import SUPPORTS
from reactio.drawing.parts import FramePoint, PartRole, ScenePart, circle
from reactio.drawing.wheels import wheels
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.specs import Joint
from reactio.system.equations import Equations
from reactio.system.plan import MEASURE_A, MEASURE_B
from reactio.system.types import System

MOST_DRAWN_JOINTS = 400  # joints beyond which only their verdicts are drawn


@dataclass(frozen=True, slots=True)
class Badge:
    """Where the verdict on a joint is shown: Σ w p over its points, midway between them by default.

    Joints at one place stand side by side: ``aside`` is how far to the right on the picture [size of a glyph].
    """

    name: str
    points: tuple[FramePoint, ...]
    aside: float = 0.0
    weights: tuple[float, ...] = ()  # of the points, with sum 1

    def at(self, frames: Floats) -> Floats:
        """Its place (3,) in the world at frames (k, 12) [m]."""
        x = points(frames, np.array(self.points))
        return np.asarray(np.array(self.weights) @ x if self.weights else x.mean(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The picture of a mechanism, independent of its pose."""

    space: str
    size: float  # of a glyph [m]
    up: tuple[float, float, float]  # against gravity
    gravity: bool
    parts: tuple[ScenePart, ...]
    badges: tuple[Badge, ...]
    meshes: tuple[BodyMesh, ...] = ()
    remarks: tuple[str, ...] = ()  # on surfaces that are not shown


def scene(eqs: Equations, names: Collection[str] | None = None) -> Scene:
    """The scene of a system; the pose says how large it is and where its sliders stand.

    ``names``: of a large system only these joints, and the bodies that they join.

    >>> import reactio
    >>> system = reactio.build(reactio.load("four-bar-planar"))
    >>> drawn = scene(reactio.equations(system))
    >>> [badge.name for badge in drawn.badges]
    ['A', 'B', 'C', 'D']
    """
    system, frames = eqs.system, placed(eqs)
    size, up = _size(system, frames), _up(system)
    chosen = [joint for joint in system.model.joints if names is None or joint.name in names]
    joints = [_sketch(system, joint, frames, size) for joint in chosen]
    bodies = None if names is None else {end.body for joint in chosen for end in (joint.a, joint.b)}
    surfaces, remarks = body_meshes(eqs, frames, bodies)
    covered = {mesh.name for mesh in surfaces}
    parts = [
        replace(part, role=PartRole.GHOST) if part.role is PartRole.BODY and part.name in covered else part
        for part in outlines(eqs, frames, size, {sketch.A for sketch in joints if sketch.loose}, bodies)
    ]
    ground = world(system)
    for sketch in joints:
        parts += [*_glyph(sketch, size), *_support(ground, sketch, frames, size, system.space, up)]
    parts += [*_holders(system, joints, frames), *_drives(system, joints, size)]
    if names is None:
        parts += [*_springs(system), *wheels(system, frames, size)]
    badges = _side_by_side(joints, frames, size, view(system.space, up)[0])
    gravity = bool(np.any(system.model.gravity))
    return Scene(system.space, size, up, gravity, tuple(parts), badges, surfaces, remarks)


# Axes of frame A along which the picture of a joint follows frame B: a rail has no point of its own on its line.
SLIDES_ALONG = {
    ("rail", "planar"): (1.0, 0.0, 0.0),
    ("rail", "spatial"): (0.0, 0.0, 1.0),
    ("plane", "spatial"): (1.0, 1.0, 0.0),
}
NOWHERE = (0.0, 0.0, 0.0)
LINK_RADIUS = 0.3  # sizes of a glyph: radius of the bar that a massless link is drawn as
# Size of a glyph over the diagonal of the picture and over the characteristic length, whichever makes it smaller.
GLYPH_IN_PICTURE, GLYPH_ON_BODY = 0.026, 0.11
RIM = 1.5  # sizes of a glyph between the pitch circle of a ring gear and its rim
BADGE_DISTANCE = 1.7  # sizes of a glyph between verdicts on joints at one point


@dataclass(frozen=True, slots=True, eq=False)
class _Sketch:
    """A joint with the frames that its picture is fixed on."""

    joint: Joint
    glyph: Glyph
    A: int
    B: int
    shift: Floats  # (3,) of the marks on A, along its axes [m]
    loose: bool  # is the origin of A far from frame B?  Only the line or plane through it belongs to its body

    @property
    def ends(self) -> tuple[FramePoint, FramePoint]:
        """The origins of both frames."""
        return FramePoint(self.A), FramePoint(self.B)


def _sketch(system: System, joint: Joint, frames: Floats, size: float) -> _Sketch:
    group = system.group(joint.name)
    assert group.frames is not None
    A, B = group.frames
    glyph = (
        Glyph() if len(system.model.joints) > MOST_DRAWN_JOINTS else JOINTS_BY_SPACE[system.space].get(joint.type).glyph
    )
    local = axes(frames[A]) @ (origins(frames[B]) - origins(frames[A]))
    shift = local * np.array(SLIDES_ALONG.get((glyph.support, system.space), NOWHERE))
    return _Sketch(joint, glyph, A, B, shift, bool(np.linalg.norm(shift) > size))


def _glyph(sketch: _Sketch, size: float) -> list[ScenePart]:
    """The marks of a joint on its two frames, and the bar between them."""
    parts = [_on(sketch.A, mark, sketch.joint, size, sketch.shift) for mark in sketch.glyph.a]
    parts += [_on(sketch.B, mark, sketch.joint, size, np.zeros(3)) for mark in sketch.glyph.b]
    if sketch.glyph.link:
        parts.append(ScenePart(sketch.ends, PartRole.JOINT, sketch.joint.name, LINK_RADIUS * size))
    return parts + _rims(sketch, size)


def _support(
    ground: int, sketch: _Sketch, frames: Floats, size: float, space: str, up: tuple[float, float, float]
) -> list[ScenePart]:
    """The ground below a joint that is fixed to it."""
    bodies = (sketch.joint.a.body, sketch.joint.b.body)
    if GROUND not in bodies or not sketch.glyph.support:
        return []
    frame = frames[(sketch.A, sketch.B)[bodies.index(GROUND)]]
    at = origins(frame) + sketch.shift @ axes(frame) * (bodies[0] == GROUND)
    parts: list[ScenePart] = []
    for mark in SUPPORTS[sketch.glyph.support](space, frame, up):
        places = tuple(FramePoint.at(ground, at + size * np.array(p)) for p in mark.points)
        parts.append(ScenePart(places, PartRole.GROUND, sketch.joint.name, filled=mark.filled))
    return parts


def _on(frame: int, mark: Mark, joint: Joint, size: float, shift: Floats) -> ScenePart:
    """A mark of a joint on a frame; a mark of a parameter of the joint has its size."""
    unit = size if not mark.parameter else float(joint.parameters.get(mark.parameter) or size)
    at = tuple(FramePoint.at(frame, shift + unit * np.array(point)) for point in mark.points)
    return ScenePart(at, PartRole.JOINT, joint.name, abs(unit) * mark.radius, mark.filled)


def _side_by_side(joints: list[_Sketch], frames: Floats, size: float, right: Floats) -> tuple[Badge, ...]:
    """The verdicts, fanned out where joints are at one place: each towards the bodies that only it joins there.

    ``right`` (3,): the direction to the right in a picture.
    """
    badges = [_badge(sketch) for sketch in joints]
    centres = np.array([badge.at(frames) for badge in badges]).reshape(-1, 3)
    cells: dict[tuple[float, ...], list[int]] = {}
    for k, key in enumerate(np.round(centres / (0.5 * size)).tolist()):
        cells.setdefault(tuple(key), []).append(k)
    bodies = _middles(joints, frames)
    aside: dict[int, float] = {}
    for cell in cells.values():
        ordered = sorted(cell, key=lambda k: _towards(k, cell, joints, bodies, size) @ right) if len(cell) > 1 else cell
        aside |= {k: BADGE_DISTANCE * (i - (len(cell) - 1) / 2) for i, k in enumerate(ordered)}
    return tuple(replace(badge, aside=aside[k]) for k, badge in enumerate(badges))


def _middles(joints: list[_Sketch], frames: Floats) -> dict[str, Floats]:
    """The middle of the joints of every body (3,)."""
    places: dict[str, list[Floats]] = {}
    for sketch in joints:
        for end, frame in ((sketch.joint.a, sketch.A), (sketch.joint.b, sketch.B)):
            places.setdefault(end.body, []).append(origins(frames[frame]))
    return {name: np.mean(positions, axis=0) for name, positions in places.items()}


def _towards(k: int, cell: list[int], joints: list[_Sketch], bodies: dict[str, Floats], size: float) -> Floats:
    """The middle (3,) of the bodies that only one joint of a place joins, to the size of a glyph; ground counts not."""
    of = {i: {joints[i].joint.a.body, joints[i].joint.b.body} - {GROUND} for i in cell}
    others = set().union(*(of[i] for i in cell if i != k))
    members = sorted(of[k] - others) or sorted(of[k])
    middle = np.mean([bodies[name] for name in members], axis=0) if members else np.zeros(3)
    return np.asarray(np.round(middle / size))


def _badge(sketch: _Sketch) -> Badge:
    """At the middle of a bar, at the origin of B, or where two wheels touch.

    Their circles touch at A + r_A/(r_A + r_B) (B − A), also inside a ring, whose radius is negative.
    """
    if sketch.glyph.radii:
        r_a, r_b = (float(sketch.joint.parameters[key] or 0.0) for key in sketch.glyph.radii)
        if r_a + r_b:
            return Badge(sketch.joint.name, sketch.ends, weights=(r_b / (r_a + r_b), r_a / (r_a + r_b)))
    return Badge(sketch.joint.name, sketch.ends if sketch.glyph.link else sketch.ends[1:])


def _rims(sketch: _Sketch, size: float) -> list[ScenePart]:
    """A second circle around the ring of an internal gear, so that it looks like one."""
    parts: list[ScenePart] = []
    for key, frame in zip(sketch.glyph.radii, (sketch.A, sketch.B), strict=False):
        radius = float(sketch.joint.parameters[key] or 0.0)
        if radius < 0:
            parts.append(circle(frame, abs(radius) + RIM * size, PartRole.JOINT, sketch.joint.name, sides=96))
    return parts


def _holders(system: System, joints: list[_Sketch], frames: Floats) -> list[ScenePart]:
    """A line from each rail that lies off its body to the nearest point of that body."""
    owner = bodies_of_frames(system)
    loose = {sketch.A for sketch in joints if sketch.loose}
    parts: list[ScenePart] = []
    for sketch in joints:
        if not sketch.loose or owner[sketch.A] < 0:
            continue
        own_frames = [k for k in np.flatnonzero(owner == owner[sketch.A]).tolist() if k not in loose and k != sketch.B]
        if own_frames:
            nearest = min(
                own_frames, key=lambda k: float(np.linalg.norm(origins(frames[k]) - origins(frames[sketch.B])))
            )
            rail = FramePoint.at(sketch.A, sketch.shift)
            parts.append(ScenePart((rail, FramePoint(nearest)), PartRole.JOINT, sketch.joint.name))
    return parts


def _springs(system: System) -> list[ScenePart]:
    """The two points of every spring or damper along a distance; painters draw a coil between them."""
    plan = system.plan
    parts: list[ScenePart] = []
    if "distance" not in system.primitive_names:
        return parts
    k = system.primitive_names.index("distance")
    for measure in plan.efforts.effort[:, 0].tolist():
        if plan.measures.start[k] <= measure < plan.measures.start[k + 1]:
            A, B = (int(plan.measures.table[measure, side]) for side in (MEASURE_A, MEASURE_B))
            parts.append(ScenePart((FramePoint(A), FramePoint(B)), PartRole.SPRING, ""))
    return parts


def _drives(system: System, joints: list[_Sketch], size: float) -> list[ScenePart]:
    """An arrow around the axis of a rotation that is driven, or along that of a translation."""
    sketches = {sketch.joint.name: sketch for sketch in joints}
    parts: list[ScenePart] = []
    for drive in system.model.drives:
        if drive.along.joint not in sketches:
            continue
        sketch = sketches[drive.along.joint]
        free = JOINTS_BY_SPACE[system.space].get(sketch.joint.type).free
        freedom = next((f for f in free if f.name == drive.along.name), free[0])
        for mark in turning_arrow() if freedom.rotates else sliding_arrow("x" if system.space == "planar" else "z"):
            at = tuple(FramePoint.at(sketch.A, sketch.shift + size * np.array(point)) for point in mark.points)
            parts.append(ScenePart(at, PartRole.DRIVE, drive.name))
    return parts


def _size(system: System, frames: Floats) -> float:
    """The size of a glyph: small compared with the picture and with the bodies."""
    every = origins(frames[:-1] if len(frames) > 1 else frames)  # without that of the world, which is the last
    box = float(np.linalg.norm(np.ptp(every, axis=0)))
    return min(GLYPH_IN_PICTURE * box, GLYPH_ON_BODY * system.length) if box else GLYPH_ON_BODY * system.length


def _up(system: System) -> tuple[float, float, float]:
    g = np.array(system.model.gravity, dtype=float)
    if system.space == "planar":
        return (0.0, 1.0, 0.0)
    size = float(np.linalg.norm(g))
    return (0.0, 0.0, 1.0) if not size else tuple((-g / size + 0.0).tolist())
