"""Motions in words: what each body does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reactio.arrays import Floats
from reactio.singular.spaces import weights
from reactio.system.types import State, System

STILL = 1e-6  # part of the largest speed below which a body rests
SAME = 1e-6
MOST = 8


def body_velocities(system: System, v: Floats) -> dict[str, dict[str, list[float]]]:
    """Velocity and angular velocity of each body that moves."""
    size = 2 if system.space == "planar" else 3
    _, columns = weights(system)
    fast = np.abs(v / columns)
    found = {}
    for b, body in enumerate(system.model.bodies):
        own = slice(int(system.body_v[b]), int(system.body_v[b + 1]))
        if fast[own].max(initial=0.0) > STILL * fast.max(initial=0.0):
            part = np.where(fast[own] > STILL * fast.max(), v[own], 0.0)
            found[body.name] = {"velocity": part[:size].tolist(), "angular_velocity": part[size:].tolist()}
    return found


def motion_words(system: System, state: State, v: Floats) -> str:
    """A motion in one sentence: ``bar1 turns about (0, 0); bar2 moves along y``."""
    moving = body_velocities(system, v)
    said: dict[str, list[str]] = {}
    for name, twist in moving.items():
        said.setdefault(_does(system, state, name, twist), []).append(name)
    parts = [f"{listing(names)} {_verb(does, len(names))}" for does, names in said.items()]
    more = f"; and {len(parts) - MOST} more" if len(parts) > MOST else ""
    return "; ".join(parts[:MOST]) + more if parts else "nothing moves"


def listing(names: Sequence[str], most: int = 12) -> str:
    """``A, B and C``."""
    shown = [*names[:most], f"{len(names) - most:,} more"] if len(names) > most else list(names)
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def _verb(does: str, count: int) -> str:
    first, _, rest = does.partition(" ")
    return f"{first.removesuffix('s') if count > 1 else first} {rest}"


def _does(system: System, state: State, name: str, twist: dict[str, list[float]]) -> str:
    b = system.model.body_index[name]
    v, w = np.array(twist["velocity"]), np.array(twist["angular_velocity"])
    r = state.q[system.body_q[b] : system.body_q[b] + len(v)]
    if not np.any(w):
        return f"moves along {direction(v)}"
    if len(v) == 2:
        return f"turns about {_point(system, r + np.array([-v[1], v[0]]) / w[0])}"
    axis = w / np.linalg.norm(w)
    screw = "screws" if abs(v @ axis) > SAME * np.linalg.norm(v) and np.any(v) else "turns"
    return f"{screw} about {direction(w)} through {_point(system, r + np.cross(w, v) / (w @ w))}"


def direction(vector: Floats) -> str:
    """``x``, or the unit vector, its first entry positive."""
    unit = vector / np.linalg.norm(vector)
    unit = np.where(np.abs(unit) < SAME, 0.0, unit)
    unit = unit * (1.0 if unit[np.flatnonzero(unit)[0]] > 0 else -1.0)
    for axis, letter in zip(np.eye(len(unit)), "xyz", strict=False):
        if np.allclose(unit, axis, atol=SAME):
            return letter
    return "(" + ", ".join(f"{x:.3g}" for x in unit) + ")"


def _point(system: System, r: Floats) -> str:
    cleaned = np.where(np.abs(r) < SAME * system.length, 0.0, r)
    return "(" + ", ".join(f"{x:.3g}" for x in cleaned) + ")"
