"""Axes of reactions: those of frame A of a joint, of the world, or along the forces of its own rows."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, ReactionAxes
from reactio.errors import listed
from reactio.joints import TANGENTIAL_FORCE
from reactio.linear.precision import GEOMETRY, NEAR_ZERO
from reactio.space.frames import axes_of_frames, origins_of_frames
from reactio.system.evaluate.evaluation import Evaluation
from reactio.system.types import RowGroup, System

# Part of a unit vector below which a direction is lost: a rod of no length, or two rows along one line.
NO_DIRECTION = GEOMETRY
MOST_AXES_NAMES = 6  # of joints, and of bodies, in a sentence on axes


def frame_axes(eqs: Evaluation, group: RowGroup) -> Floats:
    """The axes of frame A of a joint, a row each: (2, 2) or (3, 3), world → frame A."""
    assert group.frames is not None
    return np.asarray(axes_of_frames(eqs.work.F[group.frames[0]]))


def reaction_axes(eqs: Evaluation, group: RowGroup) -> Floats:
    """The axes in which the reaction of a joint is given, a row each: (2, 2) or (3, 3), world → axes of the reaction.

    Those of frame A; of the world where its rows are written in it; along the force of a row (its moment, where it has
    no force) for joints that hold along another line, so that a rod or a knife edge has one component.
    """
    A = frame_axes(eqs, group)
    if group.in_world:
        return np.eye(len(A))
    if TANGENTIAL_FORCE in group.line_labels:
        return _pitch_axes(eqs, group, A)
    if not group.axes:
        return A
    size, directions = len(A), dict[int, Floats]()
    for axis, row, sign in group.axes:
        D = sign * eqs.D_B[group.start + row]
        d = D[:size] if np.abs(D[:size]).max() > NO_DIRECTION * np.abs(D).max(initial=0.0) else D[size:]
        _add(directions, axis, d)
    return _completed(directions, A)


def _pitch_axes(eqs: Evaluation, group: RowGroup, A: Floats) -> Floats:
    """Along the pitch circles, and along the line of centres from A to B, of wheels in the plane; A where they meet."""
    assert group.frames is not None
    a, b = (origins_of_frames(eqs.work.F[frame]) for frame in group.frames)
    d = float(np.linalg.norm(b - a))
    if not d > 0.0:
        return A
    u = (b - a) / d
    return np.array([[u[1], -u[0]], u])


def axes_carriers(system: System) -> dict[str, str]:
    """For every joint the body with which its axes turn; ``ground`` and ``world`` where they do not.

    A joint that holds along a line, as a rod, has axes along that line, and is left out.
    """
    names = [body.name for body in system.model.bodies]
    carriers = {}
    for group in system.reacting:
        if group.frames is None or group.axes or group.line_labels:
            continue
        fixed = group.in_world or system.axes == ReactionAxes.WORLD
        first = group.bodies[0]
        carriers[group.name] = "world" if fixed else GROUND if first < 0 else names[first]
    return carriers


def moving_axes_words(system: System) -> str:
    """A sentence on joint axes that turn with bodies; empty where none does.

    >>> import reactio
    >>> moving_axes_words(reactio.build(reactio.load("four-bar-spatial")))
    'Joint axes turn with the first body of each joint: B with crank, C with coupler.'
    """
    turning: dict[str, list[str]] = {}
    for joint, body in axes_carriers(system).items():
        if body not in ("world", GROUND):
            turning.setdefault(body, []).append(joint)
    if not turning:
        return ""
    parts = [f"{listed(joints, most=MOST_AXES_NAMES)} with {body}" for body, joints in turning.items()]
    return f"Joint axes turn with the first body of each joint: {listed(parts, most=MOST_AXES_NAMES)}."


def _add(directions: dict[int, Floats], axis: int, d: Floats) -> None:
    """Add the part of d across the known directions as a unit vector, unless nothing is left of it."""
    size = float(np.linalg.norm(d))
    for unit in directions.values():
        d = d - (unit @ d) * unit
    length = float(np.linalg.norm(d))
    if length > NO_DIRECTION * max(size, NEAR_ZERO):
        directions[axis] = d / length


def _completed(directions: dict[int, Floats], A: Floats) -> Floats:
    """Right-handed axes that hold the known directions; the axis of A that is most perpendicular to them stays."""
    if not directions:
        return A
    size = len(A)
    if size == 2:
        (axis, d), *_ = directions.items()
        second = np.array([-d[1], d[0]]) if axis == 0 else np.array([d[1], -d[0]])
        return np.array([d, second] if axis == 0 else [second, d])
    if len(directions) == 1:
        (known, d), *_ = directions.items()
        free = min(((known + step) % 3 for step in (1, 2)), key=lambda k: abs(float(A[k] @ d)))
        _add(directions, free, A[free])
    i, j = list(directions)[:2]
    k = 3 - i - j
    third = np.cross(directions[i], directions[j]) * (1.0 if (j - i) % 3 == 1 else -1.0)
    return np.array([{i: directions[i], j: directions[j], k: third}[axis] for axis in range(3)])
