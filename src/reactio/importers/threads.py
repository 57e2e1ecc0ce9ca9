"""Threads in files: their coordinates are zero in the pose of the file, and a thread without a guide is a screw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.importers.mechanism import Link, Mechanism, Note
from reactio.importers.pose import Pose
from reactio.places import GROUND
from reactio.uniqueness.graph import biconnected


def with_threads(mechanism: Mechanism) -> Mechanism:
    """The mechanism with threads and screws that are closed in the pose of the file.

    Solvers have one equation for a thread, z − pitch θ/2π = const, with the constant of the first pose; other joints
    guide the two parts.  Where no other joint connects them, a screw joint is meant.
    """
    if not any(link.type in ("thread", "screw") for link in mechanism.links):
        return mechanism
    notes, links, alone = list(mechanism.notes), [], _bridges(mechanism)
    poses = {part.name: part.pose for part in mechanism.parts} | {GROUND: Pose()}
    for link in mechanism.links:
        if link.type == "thread" and link.name in alone:
            said = "nothing else holds its two parts together: taken as a screw that guides them too"
            notes.append(Note("said", f"thread '{link.name}'", said))
            link = replace(link, type="screw")
        links.append(_at_rest(link, poses) if link.type in ("thread", "screw") else link)
    return replace(mechanism, links=tuple(links), notes=tuple(notes))


def _bridges(mechanism: Mechanism) -> set[str]:
    """Bridges of the graph, the joints in no loop: those alone in their biconnected component."""
    place = {GROUND: 0} | {part.name: k for k, part in enumerate(mechanism.parts, 1)}
    ends = np.array([(place[link.a], place[link.b]) for link in mechanism.links], dtype=np.int64)
    component = biconnected(len(place), ends[:, 0], ends[:, 1])
    alone = np.bincount(component)[component] == 1
    return {link.name for link, is_bridge in zip(mechanism.links, alone, strict=True) if is_bridge}


def _at_rest(link: Link, poses: dict[str, Pose]) -> Link:
    """The joint with frame a moved along its axis so that advance and rotation in the file agree."""
    between = (poses[link.a] @ link.frame_a).inverse @ (poses[link.b] @ link.frame_b)
    angle = float(np.arctan2(between.R[1, 0], between.R[0, 0]))
    shift = float(between.r[2]) - link.parameters["pitch"] * angle / (2 * np.pi)
    return replace(link, frame_a=link.frame_a @ Pose(np.array([0.0, 0.0, shift])))
