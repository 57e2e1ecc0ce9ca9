"""The poses of all frames of a system in the world, as rows of an array (k, 12): origin, x, y and z axis."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kinematics.body_state import body_state
from reactio.space.frames import axes_of_frames, origins_of_frames
from reactio.system.equations import Equations
from reactio.system.plan import FRAME_V
from reactio.system.types import System


def placed(eqs: Equations) -> Floats:
    """(k, 12) origin r [m] and axes x, y, z in world axes of every frame, of bodies without one, and of the world."""
    system, F = eqs.system, eqs.work.F
    size = system.dimension
    bare = bare_bodies(system)
    out = np.zeros((len(F) + len(bare) + 1, 12))
    out[:, 3:] = np.eye(3).ravel()
    out[: len(F), :size] = origins_of_frames(F)
    out[: len(F), 3:].reshape(-1, 3, 3)[:, :size, :size] = axes_of_frames(F)
    for row, b in enumerate(bare, start=len(F)):
        out[row, :size] = body_state(system, b, eqs.state.q, eqs.state.v).position
    return out


def world(system: System) -> int:
    """The number of the frame that is the world itself."""
    return len(system.F0) + len(bare_bodies(system))


def bodies_of_frames(system: System) -> Ints:
    """(frames,) the body each frame is on, −1 for ground."""
    frames = system.plan.frames
    body = np.searchsorted(system.body_v, frames.table[:, FRAME_V], side="right") - 1
    body[frames.start[-1] :] = -1
    return body.astype(np.int64)


def bare_bodies(system: System) -> list[int]:
    """Bodies on which nothing acts: they have no frame."""
    known = set(bodies_of_frames(system).tolist())
    return [b for b in range(len(system.model.bodies)) if b not in known]


ORIGIN_X_Y = slice(0, 9)  # columns of a frame with its origin and its x and y axes, from which z follows


def origins(frames: Floats) -> Floats:
    """The origins (…, 3) of frames (…, 12) [m]."""
    return np.asarray(frames[..., :3])


def axes(frames: Floats) -> Floats:
    """The axes of frames (…, 12): x, y and z as rows of (…, 3, 3)."""
    return frames[..., 3:].reshape(*frames.shape[:-1], 3, 3)


def points(frames: Floats, at: Floats) -> Floats:
    """World points (k, 3) of ``at`` (k, 4): a frame and coordinates in its axes, r + x X + y Y + z Z."""
    on = frames[at[:, 0].astype(int)]
    points: Floats = origins(on) + np.einsum("ki,kij->kj", at[:, 1:], axes(on))
    return points
