"""Screw threads in files: zero of their coordinates is the pose of the file; a thread without a guide is a screw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.importers.mechanism import ImportedJoint, Mechanism
from reactio.importers.pose import Pose
from reactio.model.notes import Note, NoteKind
from reactio.topology.biconnected import biconnected


def with_closed_threads(mechanism: Mechanism) -> Mechanism:
    """The mechanism with threads and screws that are closed in the pose of the file.

    Solvers have one equation for a thread, z − pitch θ/2π = const, with the constant of the first pose; other joints
    guide the two parts.  Where no other joint connects them, a screw joint is meant.
    """
    if not any(joint.type in ("thread", "screw") for joint in mechanism.joints):
        return mechanism
    notes, joints, unguided = list(mechanism.notes), [], _bridges(mechanism)
    poses = {part.name: part.pose for part in mechanism.parts} | {GROUND: Pose()}
    for joint in mechanism.joints:
        if joint.type == "thread" and joint.name in unguided:
            why = "no other joint connects its two parts: read as a screw that also guides them"
            notes.append(Note(NoteKind.REMARK, f"thread '{joint.name}'", why))
            joint = replace(joint, type="screw")
        joints.append(_zeroed(joint, poses) if joint.type in ("thread", "screw") else joint)
    return replace(mechanism, joints=tuple(joints), notes=tuple(notes))


def _bridges(mechanism: Mechanism) -> set[str]:
    """Bridges of the graph, the joints in no loop: those alone in their biconnected component."""
    index = {GROUND: 0} | {part.name: k for k, part in enumerate(mechanism.parts, 1)}
    ends = np.array([(index[joint.a], index[joint.b]) for joint in mechanism.joints], dtype=np.int64)
    component = biconnected(len(index), ends[:, 0], ends[:, 1])
    alone = np.bincount(component)[component] == 1
    return {joint.name for joint, is_bridge in zip(mechanism.joints, alone, strict=True) if is_bridge}


def _zeroed(joint: ImportedJoint, poses: dict[str, Pose]) -> ImportedJoint:
    """The joint with frame a moved along its axis so that advance and rotation in the file agree."""
    between = (poses[joint.a] @ joint.frame_a).inverse @ (poses[joint.b] @ joint.frame_b)
    angle = float(np.arctan2(between.R[1, 0], between.R[0, 0]))
    shift = float(between.r[2]) - joint.parameters["pitch"] * angle / (2 * np.pi)
    return replace(joint, frame_a=joint.frame_a @ Pose(np.array([0.0, 0.0, shift])))
