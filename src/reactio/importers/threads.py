"""Threads of files: their zero is the pose of the file, and a thread that nothing guides is a screw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.importers.mechanism import Link, Mechanism, Note
from reactio.importers.pose import Pose
from reactio.places import GROUND


def with_threads(mechanism: Mechanism) -> Mechanism:
    """Threads and screws at rest in the pose of the file.

    Solvers hold a thread by one equation, z − pitch θ/2π = const, with the constant of the first pose, and leave it to
    other joints to guide the two parts.  Where no other joint connects them, a screw is what was meant.
    """
    if not any(link.type in ("thread", "screw") for link in mechanism.links):
        return mechanism
    notes, links = list(mechanism.notes), []
    for link in mechanism.links:
        if link.type == "thread" and _is_bridge(link, mechanism):
            said = "nothing else holds its two parts together: taken as a screw that guides them too"
            notes.append(Note("said", f"thread '{link.name}'", said))
            link = replace(link, type="screw")
        links.append(_at_rest(link, mechanism) if link.type in ("thread", "screw") else link)
    return replace(mechanism, links=tuple(links), notes=tuple(notes))


def _is_bridge(thread: Link, mechanism: Mechanism) -> bool:
    """Does the mechanism fall apart without it?"""
    beside: dict[str, set[str]] = {}
    for link in mechanism.links:
        if link is not thread:
            beside.setdefault(link.a, set()).add(link.b)
            beside.setdefault(link.b, set()).add(link.a)
    seen, stack = {thread.a}, [thread.a]
    while stack:
        for there in beside.get(stack.pop(), set()) - seen:
            seen.add(there)
            stack.append(there)
    return thread.b not in seen


def _at_rest(link: Link, mechanism: Mechanism) -> Link:
    """Frame a moved along its axis until the turn that the file has belongs to the advance."""
    poses = {part.name: part.pose for part in mechanism.parts} | {GROUND: Pose()}
    between = (poses[link.a] @ link.frame_a).inverse @ (poses[link.b] @ link.frame_b)
    angle = float(np.arctan2(between.R[1, 0], between.R[0, 0]))
    shift = float(between.r[2]) - link.parameters["pitch"] * angle / (2 * np.pi)
    return replace(link, frame_a=link.frame_a @ Pose(np.array([0.0, 0.0, shift])))
