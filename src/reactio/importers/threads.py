"""Threads of files: their zero is the pose of the file, and a thread that nothing guides is a screw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.importers.mechanism import Link, Mechanism, Note
from reactio.importers.pose import Pose
from reactio.places import GROUND
from reactio.uniqueness.graph import biconnected


def with_threads(mechanism: Mechanism) -> Mechanism:
    """Threads and screws at rest in the pose of the file.

    Solvers hold a thread by one equation, z − pitch θ/2π = const, with the constant of the first pose, and leave it to
    other joints to guide the two parts.  Where no other joint connects them, a screw is what was meant.
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
    """Joints without which the mechanism falls apart: alone in their biconnected component."""
    place = {GROUND: 0} | {part.name: k for k, part in enumerate(mechanism.parts, 1)}
    ends = np.array([(place[link.a], place[link.b]) for link in mechanism.links], dtype=np.int64)
    component = biconnected(len(place), ends[:, 0], ends[:, 1])
    alone = np.bincount(component)[component] == 1
    return {link.name for link, is_bridge in zip(mechanism.links, alone, strict=True) if is_bridge}


def _at_rest(link: Link, poses: dict[str, Pose]) -> Link:
    """Frame a moved along its axis until the turn that the file has belongs to the advance."""
    between = (poses[link.a] @ link.frame_a).inverse @ (poses[link.b] @ link.frame_b)
    angle = float(np.arctan2(between.R[1, 0], between.R[0, 0]))
    shift = float(between.r[2]) - link.parameters["pitch"] * angle / (2 * np.pi)
    return replace(link, frame_a=link.frame_a @ Pose(np.array([0.0, 0.0, shift])))
