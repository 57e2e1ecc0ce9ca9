"""Parts connected by fixed joints, merged into one."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.errors import AssemblyError
from reactio.importers.conversion.closure import LARGEST_MISFIT
from reactio.importers.conversion.convert import nearest_admissible_pose
from reactio.importers.mechanism import ImportedJoint, Load, Mechanism, Mesh, Part, PartFrame, combined_inertia
from reactio.importers.pose import Pose
from reactio.model.notes import Note, NoteKind

Welds = dict[str, PartFrame]  # of each part: the part that it is welded to, and its pose on that one


def welded(mechanism: Mechanism, keep_fixed: bool) -> Mechanism:
    """Merge parts that fixed joints connect; a fixed joint that closes a loop stays, because it has a reaction."""
    fixed = [joint for joint in mechanism.joints if joint.type == "fixed" and not joint.closes_loop]
    if keep_fixed or not fixed:
        return mechanism
    welds = _find_welds(mechanism, fixed)
    kept = [joint for joint in mechanism.joints if joint.type != "fixed" or joint.closes_loop]
    inside = [_moved(joint, welds) for joint in kept if welds[joint.a].part == welds[joint.b].part]
    size = max((float(np.linalg.norm(joint.frame_a.r)) for joint in mechanism.joints), default=0.0)
    for joint in inside:
        _refuse_if_open(joint, size)
    return replace(
        mechanism,
        parts=_parts(mechanism, welds),
        joints=tuple(_moved(joint, welds) for joint in kept if welds[joint.a].part != welds[joint.b].part),
        loads=tuple(_moved_load(load, welds) for load in mechanism.loads),
        ground=(*mechanism.ground, *_meshes([p for p in mechanism.parts if welds[p.name].part == GROUND], welds)),
        notes=(*mechanism.notes, *_notes(inside, welds)),
    )


def _find_welds(mechanism: Mechanism, fixed: list[ImportedJoint]) -> Welds:
    """Where each part is welded: breadth first along fixed joints, from ground, then from each part in its order."""
    neighbours: dict[str, list[tuple[str, Pose]]] = {}
    for joint in fixed:
        step = joint.frame_a @ joint.frame_b.inverse
        neighbours.setdefault(joint.a, []).append((joint.b, step))
        neighbours.setdefault(joint.b, []).append((joint.a, step.inverse))
    welds: Welds = {}
    for root in (GROUND, *(part.name for part in mechanism.parts)):
        if root in welds:
            continue
        welds[root] = PartFrame(root, Pose())
        queue = deque([root])
        while queue:
            current = queue.popleft()
            for neighbour, step in neighbours.get(current, ()):
                if neighbour not in welds:
                    welds[neighbour] = PartFrame(root, welds[current].pose @ step)
                    queue.append(neighbour)
    return welds


def _parts(mechanism: Mechanism, welds: Welds) -> tuple[Part, ...]:
    """The parts that others are welded to, with the inertia and the meshes of all of them together."""
    members: dict[str, list[Part]] = {}
    for part in mechanism.parts:
        members.setdefault(welds[part.name].part, []).append(part)
    welded = []
    for part in mechanism.parts:
        if welds[part.name].part != part.name:
            continue
        merged = members[part.name]
        known = [(member.inertia, welds[member.name].pose) for member in merged if member.inertia is not None]
        welded.append(replace(part, inertia=combined_inertia(known) if known else None, meshes=_meshes(merged, welds)))
    return tuple(welded)


def _meshes(parts: list[Part], welds: Welds) -> tuple[Mesh, ...]:
    """The meshes of parts on the part to which these are welded."""
    return tuple(
        Mesh(mesh.file, welds[part.name].pose @ mesh.pose, mesh.scale) for part in parts for mesh in part.meshes
    )


def _moved(joint: ImportedJoint, welds: Welds) -> ImportedJoint:
    (a, at_a), (b, at_b) = welds[joint.a], welds[joint.b]
    return replace(joint, a=a, b=b, frame_a=at_a @ joint.frame_a, frame_b=at_b @ joint.frame_b)


def _refuse_if_open(joint: ImportedJoint, size: float) -> None:
    """Refuse a joint between two frames of one part that is open, as nothing can close it; size [m] of the part."""
    between = joint.frame_a.inverse @ joint.frame_b
    allowed = nearest_admissible_pose(joint, between)
    gap = float(np.linalg.norm(between.r - allowed.r))
    turn = float(np.linalg.norm(between.R - allowed.R))
    if gap > LARGEST_MISFIT * size or turn > LARGEST_MISFIT:
        raise AssemblyError(
            f"joint '{joint.name}' stays open by {gap:.3g} m: fixed joints hold both of its bodies in '{joint.a}'."
        )


def _moved_load(load: Load, welds: Welds) -> Load:
    frames = {key: PartFrame(welds[part].part, welds[part].pose @ pose) for key, (part, pose) in load.frames.items()}
    return replace(load, frames=frames)


def _notes(inside: list[ImportedJoint], welds: Welds) -> list[Note]:
    notes = [
        Note(NoteKind.MERGED, f"'{name}'", f"welded to '{root}'") for name, (root, _) in welds.items() if name != root
    ]
    notes += [
        Note(NoteKind.SKIPPED, f"joint '{joint.name}'", f"its bodies are both part of '{joint.a}'") for joint in inside
    ]
    return notes
