"""Parts connected by fixed joints, merged into one."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np

from reactio.errors import AssemblyError
from reactio.importers.closure import LARGEST_MISFIT
from reactio.importers.convert import satisfied
from reactio.importers.mechanism import Link, Load, Mechanism, Mesh, Note, Part, combined
from reactio.importers.pose import Pose
from reactio.places import GROUND


def welded(mechanism: Mechanism, keep_fixed: bool) -> Mechanism:
    """Merge parts that fixed joints connect; a fixed joint that closes a loop stays, because it has a reaction."""
    fixed = [link for link in mechanism.links if link.type == "fixed" and not link.closes]
    if keep_fixed or not fixed:
        return mechanism
    place = _places(mechanism, fixed)
    kept = [link for link in mechanism.links if link.type != "fixed" or link.closes]
    inside = [_moved(link, place) for link in kept if place[link.a][0] == place[link.b][0]]
    size = max((float(np.linalg.norm(link.frame_a.r)) for link in mechanism.links), default=0.0)
    for link in inside:
        _refuse_if_open(link, size)
    return replace(
        mechanism,
        parts=_parts(mechanism, place),
        links=tuple(_moved(link, place) for link in kept if place[link.a][0] != place[link.b][0]),
        loads=tuple(_reloaded(load, place) for load in mechanism.loads),
        ground=(*mechanism.ground, *_meshes([p for p in mechanism.parts if place[p.name][0] == GROUND], place)),
        notes=(*mechanism.notes, *_notes(fixed, inside, place)),
    )


Place = dict[str, tuple[str, Pose]]  # of each part: the part that it is welded to, and its pose on it


def _places(mechanism: Mechanism, fixed: list[Link]) -> Place:
    """Breadth first along the fixed joints, from ground and then from each part in the order of the file."""
    beside: dict[str, list[tuple[str, Pose]]] = {}
    for link in fixed:
        step = link.frame_a @ link.frame_b.inverse
        beside.setdefault(link.a, []).append((link.b, step))
        beside.setdefault(link.b, []).append((link.a, step.inverse))
    place: Place = {}
    for root in (GROUND, *(part.name for part in mechanism.parts)):
        if root in place:
            continue
        place[root] = (root, Pose())
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there, step in beside.get(here, ()):
                if there not in place:
                    place[there] = (root, place[here][1] @ step)
                    queue.append(there)
    return place


def _parts(mechanism: Mechanism, place: Place) -> tuple[Part, ...]:
    members: dict[str, list[Part]] = {}
    for part in mechanism.parts:
        members.setdefault(place[part.name][0], []).append(part)
    made = []
    for part in mechanism.parts:
        if place[part.name][0] != part.name:
            continue
        own = members[part.name]
        known = [(one.inertia, place[one.name][1]) for one in own if one.inertia is not None]
        made.append(replace(part, inertia=combined(known) if known else None, meshes=_meshes(own, place)))
    return tuple(made)


def _meshes(parts: list[Part], place: Place) -> tuple[Mesh, ...]:
    """The meshes of parts on the part to which these are welded."""
    return tuple(Mesh(mesh.file, place[one.name][1] @ mesh.pose, mesh.scale) for one in parts for mesh in one.meshes)


def _moved(link: Link, place: Place) -> Link:
    (a, at_a), (b, at_b) = place[link.a], place[link.b]
    return replace(link, a=a, b=b, frame_a=at_a @ link.frame_a, frame_b=at_b @ link.frame_b)


def _refuse_if_open(link: Link, size: float) -> None:
    """Refuse a joint inside one part that is open: nothing can close it; size [m] of the largest part."""
    between = link.frame_a.inverse @ link.frame_b
    allowed = satisfied(link, between)
    gap = float(np.linalg.norm(between.r - allowed.r))
    turn = float(np.linalg.norm(between.R - allowed.R))
    if gap > LARGEST_MISFIT * size or turn > LARGEST_MISFIT:
        raise AssemblyError(
            f"joint '{link.name}' stays open by {gap:.3g} m: fixed joints hold both of its bodies in '{link.a}'."
        )


def _reloaded(load: Load, place: Place) -> Load:
    frames = {key: (place[part][0], place[part][1] @ pose) for key, (part, pose) in load.frames.items()}
    return replace(load, frames=frames)


def _notes(fixed: list[Link], inside: list[Link], place: Place) -> list[Note]:
    notes = [
        Note("merged", f"'{name}'", f"welded to '{root}'") for name, (root, _) in place.items() if name not in (root,)
    ]
    notes += [Note("skipped", f"joint '{link.name}'", f"its bodies are both part of '{link.a}'") for link in inside]
    return notes
