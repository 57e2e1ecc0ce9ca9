"""Motions in words, body by body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyState
from reactio.catalogue.units import in_units, quantity
from reactio.errors import listed
from reactio.kinematics.body_state import body_state
from reactio.linear.precision import LOCATED
from reactio.system.types import State, System

MOST_NAMES_IN_SENTENCE = 12
# Part of the largest speed below which a body counts as at rest: located poses are not more accurate.
SPEED_OF_REST = 1e-5


def body_velocities(system: System, state: State, v: Floats) -> dict[str, dict[str, list[float]]]:
    """Velocity and angular velocity of each body that moves."""
    bodies = {body.name: body_state(system, b, state.q, v) for b, body in enumerate(system.model.bodies)}
    speeds = {name: _speeds(system, motion) for name, motion in bodies.items()}
    least = SPEED_OF_REST * max((float(speed.max(initial=0.0)) for speed in speeds.values()), default=0.0)
    moving = {}
    for name, motion in bodies.items():
        if speeds[name].max(initial=0.0) > least:
            size = len(motion.velocity)
            part = np.where(speeds[name] > least, np.concatenate([motion.velocity, motion.angular_velocity]), 0.0)
            moving[name] = {"velocity": part[:size].tolist(), "angular_velocity": part[size:].tolist()}
    return moving


def _speeds(system: System, state: BodyState) -> Floats:
    """The speed of a body along and about each axis [m/s]; angular speeds count times the characteristic length."""
    return np.asarray(np.abs(np.concatenate([state.velocity, system.length * state.angular_velocity])))


def motion_words(system: System, state: State, v: Floats) -> str:
    """A motion in one sentence: ``bar1 turns at 0.5 rad/s about (0, 0); bar2 moves at 0.2 m/s along y``."""
    moving = body_velocities(system, state, v)
    sentences: dict[str, list[str]] = {}
    for name, twist in moving.items():
        sentences.setdefault(_does(system, state, name, twist), []).append(name)
    parts = [f"{listing(names)} {_verb(does, len(names))}" for does, names in sentences.items()]
    return listed(parts, between="; ") if parts else "nothing moves"


def listing(names: Sequence[str]) -> str:
    """Names as part of a sentence: ``A, B and C``."""
    return listed(names, MOST_NAMES_IN_SENTENCE, last=" and ")


def _verb(does: str, count: int) -> str:
    """The motion of one body, ``turns at …``, as a phrase about several: ``turn at …``."""
    first, _, rest = does.partition(" ")
    return f"{first.removesuffix('s') if count > 1 else first} {rest}"


def _does(system: System, state: State, name: str, twist: dict[str, list[float]]) -> str:
    """The motion of a body by its velocity and angular velocity: a translation, a rotation about a line, or a screw."""
    b = system.model.body_index[name]
    v, w = np.array(twist["velocity"]), np.array(twist["angular_velocity"])
    r = body_state(system, b, state.q, state.v).position
    if not np.any(w):
        speed, along = _signed(v)
        return f"moves at {quantity(speed, 'm/s', 3)} along {along}"
    if len(v) == 2:
        return f"turns at {quantity(w[0], 'rad/s', 3)} about {_point(system, r + np.array([-v[1], v[0]]) / w[0])}"
    rate, axis = _signed(w)
    screw = "screws" if abs(v @ w) > LOCATED * np.linalg.norm(v) * np.linalg.norm(w) else "turns"
    return (
        f"{screw} at {quantity(rate, 'rad/s', 3)} about {axis} through {_point(system, r + np.cross(w, v) / (w @ w))}"
    )


def _signed(vector: Floats) -> tuple[float, str]:
    """The size of a vector with a sign, and its direction, ``x`` or numbers, the first of them positive."""
    size = float(np.linalg.norm(vector))
    unit = np.where(np.abs(vector) < LOCATED * size, 0.0, vector / size)
    size = size if unit[np.flatnonzero(unit)[0]] > 0 else -size
    unit = np.abs(unit) if np.count_nonzero(unit) == 1 else unit * np.sign(size)
    for axis, letter in zip(np.eye(len(unit)), "xyz", strict=False):
        if np.allclose(unit, axis, atol=LOCATED):
            return size, letter
    return size, "(" + ", ".join(f"{x:.3g}" for x in unit) + ")"


def _point(system: System, r: Floats) -> str:
    """The coordinates of a point, zero where they are rounding of the characteristic length."""
    cleaned = np.where(np.abs(r) < LOCATED * system.length, 0.0, r)
    return "(" + ", ".join(f"{x:.3g}" for x in in_units(cleaned, "m")) + ")"
