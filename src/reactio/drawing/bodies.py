"""Bodies as links through the points where something acts on them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.bodies import BODIES
from reactio.drawing.frames import BentBody, axes, bare_bodies, bent_bodies, bodies_of_frames, origins
from reactio.drawing.parts import FramePoint, PartRole, ScenePart
from reactio.kinematics.body_state import centre
from reactio.system.equations import Equations
from reactio.system.types import System

THIN = 1e-3  # part of the extent of points: points nearer than this to a line or a plane are on it
OFF_JOINTS = 0.05  # part of the extent of joints: a centre of mass farther from them is part of the outline
BODY_RADIUS, MASS_RADIUS = 0.42, 0.5  # of bars and plates, and of centres of mass, in sizes of a glyph


def outlines(
    eqs: Equations, frames: Floats, size: float, loose: set[int], names: Collection[str] | None = None
) -> list[ScenePart]:
    """Bars and plates of all bodies or of those named, and their centres of mass.

    ``loose``: frames whose origin is no point of the body, which are left out where there are others.
    """
    system = eqs.system
    owner = bodies_of_frames(system)
    order = np.argsort(owner, kind="stable")
    first = np.searchsorted(owner[order], np.arange(len(system.model.bodies) + 1))
    bare = {b: k for k, b in enumerate(bare_bodies(system))}
    bent = {shape.body: shape for shape in bent_bodies(system)}
    parts: list[ScenePart] = []
    for b, body in enumerate(system.model.bodies):
        if BODIES.get(body.kind).internal or (names is not None and body.name not in names):
            continue
        own_frames = order[first[b] : first[b + 1]]
        beams = bent[b] if b in bent and bent[b].beams is not None else None
        if not len(own_frames) and beams is None:
            at = FramePoint(len(owner) + bare[b])
            parts.append(ScenePart((at,), PartRole.BODY, body.name, size))
            continue
        firm = [k for k in own_frames.tolist() if k not in loose]
        places, points = _distinct(system, frames, firm if len(firm) > 1 else own_frames.tolist())
        middle = np.array(_three(centre(system, b, eqs.state.q)))
        if beams is not None:
            paths = [*_beam_axes(beams), *_arms(beams, frames, places, points, THIN * system.length)]
            shapes = [(path, False) for path in paths]
        else:
            panel = system.space == "spatial" if body.mass is not None and _off(points, middle) else None
            shapes = _hull(frames, own_frames, places, points, middle, panel)
        parts += [ScenePart(path, PartRole.BODY, body.name, BODY_RADIUS * size, filled) for path, filled in shapes]
        if body.mass:
            host = bent[b].mean if b in bent else int(own_frames[0])
            at_middle = FramePoint.of_place(frames, host, middle)
            parts.append(ScenePart((at_middle,), PartRole.MASS, body.name, MASS_RADIUS * size))
    return parts


def _hull(
    frames: Floats, own_frames: Ints, places: list[FramePoint], points: Floats, middle: Floats, panel: bool | None
) -> list[tuple[tuple[FramePoint, ...], bool]]:
    """Bars and plates through points (k, 3) of a rigid body, and where they leave it out its centre of mass (3,).

    ``panel``: may it be a panel whose far side is shown, rather than its centre?  None where the centre is among them.
    """
    if panel is not None:
        added = _far_side(frames, own_frames, points, middle) if panel else middle[None]
        places = [*places, *(FramePoint.of_place(frames, int(own_frames[0]), point) for point in added)]
        points = np.vstack([points, added])
    return [(tuple(places[k] for k in shape), filled) for shape, filled in _shapes(points)]


def _beam_axes(bent: BentBody) -> list[tuple[FramePoint, ...]]:
    """The axes of beams as paths through their nodes, each as long as the next piece begins where the last one ends."""
    assert bent.beams is not None
    paths: list[list[int]] = []
    for p, q in bent.beams.bars:
        if paths and paths[-1][-1] == p:
            paths[-1].append(q)
        else:
            paths.append([p, q])
    return [tuple(FramePoint(bent.mean + 1 + node) for node in path) for path in paths]


def _arms(
    bent: BentBody, frames: Floats, places: list[FramePoint], points: Floats, least: float
) -> list[tuple[FramePoint, ...]]:
    """The rigid arms from the axes of beams to points (k, 3) that are farther from their nodes than ``least``."""
    assert bent.beams is not None
    first = bent.mean + 1
    nodes = origins(frames[first : first + len(bent.beams.nodes)])
    far = np.linalg.norm(points[:, None] - nodes, axis=2)
    return [
        (place, FramePoint(first + int(row.argmin())))
        for place, row in zip(places, far, strict=True)
        if row.min() > least
    ]


def _three(point: Any) -> list[float]:
    return [*(float(x) for x in point), 0.0, 0.0, 0.0][:3]


def _distinct(system: System, frames: Floats, own_frames: list[int]) -> tuple[list[FramePoint], Floats]:
    """The frames of a body at different points, and these points (k, 3)."""
    r = origins(frames[own_frames])
    keep: list[int] = []
    for k in range(len(own_frames)):
        if all(np.abs(r[k] - r[j]).max() > 1e-9 * system.length for j in keep):
            keep.append(k)
    return [FramePoint(int(own_frames[k])) for k in keep], r[keep]


def _off(points: Floats, centre: Floats) -> bool:
    """Is the mass centre clearly off the line, plane or body that the points span?"""
    origin = points.mean(axis=0)
    spread = float(np.abs(points - origin).max())
    if len(points) == 1 or not spread:
        return bool(np.abs(centre - origin).max() > 0)
    _, s, V = np.linalg.svd(points - origin)
    V = V[: int((s > THIN * s[0]).sum())]
    d = centre - origin
    return len(V) < 2 and bool(np.linalg.norm(d - V.T @ (V @ d)) > OFF_JOINTS * spread)


def _far_side(frames: Floats, own_frames: Any, points: Floats, middle: Floats) -> Floats:
    """Points (k, 3) that complete an outline: of a panel hung by hinges on one line its far side, else its middle."""
    line = points[-1] - points[0]
    size = float(np.linalg.norm(line))
    z = axes(frames[np.asarray(own_frames, dtype=int)])[:, 2]
    if len(points) < 2 or np.abs(np.cross(z, line)).max() > THIN * size:
        return middle[None]
    ends = points[[int(np.argmin(points @ line)), int(np.argmax(points @ line))]]
    return np.asarray(2 * middle - ends)


def _shapes(points: Floats) -> list[tuple[list[int], bool]]:
    """Paths through points (k, 3) as (numbers, filled): a bar, a plate, or the faces of a hull."""
    origin = points.mean(axis=0)
    _, s, V = np.linalg.svd(points - origin)
    dimension = int((s > THIN * max(s[0], 1e-300)).sum()) if s[0] > 0 else 0
    flat = (points - origin) @ V.T
    if dimension < 2:
        return [([int(k) for k in np.argsort(flat[:, 0])], False)]
    if dimension == 2:
        return [(hull(flat[:, :2]), True)]
    from scipy.spatial import ConvexHull

    return [([int(k) for k in simplex], True) for simplex in ConvexHull(points).simplices]


def hull(points: Floats) -> list[int]:
    """The convex hull of points in the plane, as their numbers around it (Andrew's monotone chain)."""
    order = sorted(range(len(points)), key=lambda k: (points[k, 0], points[k, 1]))
    chain: list[int] = []
    for half in (order, order[::-1]):
        start = len(chain)
        for k in half:
            while len(chain) - start > 1 and _turn(points[chain[-2]], points[chain[-1]], points[k]) <= 0:
                chain.pop()
            chain.append(k)
        chain.pop()
    return chain


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
