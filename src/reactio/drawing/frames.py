"""The poses of all frames of a system in the world, as rows of an array (k, 12): origin, x, y and z axis.

They are those of the system, then bodies without one, then mean axes and nodes of bodies that bend, and the world.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kinematics.body_state import body_state, elastic_state
from reactio.model.transform.floating_frames import KIND as FLOATING_FRAME_KIND
from reactio.space.frames import axes_of_frames, origins_of_frames
from reactio.system.elasticity.interfaces import body_axes
from reactio.system.equations import Equations
from reactio.system.plan import FRAME_V
from reactio.system.types import System

if TYPE_CHECKING:
    from reactio.structures.modes import BeamAxes


def placed(eqs: Equations) -> Floats:
    """(k, 12) origin r [m] and axes x, y, z in world axes of every frame."""
    system, F = eqs.system, eqs.work.F
    size = system.dimension
    bare = bare_bodies(system)
    out = np.zeros((world(system) + 1, 12))
    out[:, 3:] = np.eye(3).ravel()
    out[: len(F), :size] = origins_of_frames(F)
    out[: len(F), 3:].reshape(-1, 3, 3)[:, :size, :size] = axes_of_frames(F)
    for row, b in enumerate(bare, start=len(F)):
        out[row, :size] = body_state(system, b, eqs.state.q, eqs.state.v).position
    for bent in bent_bodies(system):
        state = body_state(system, bent.body, eqs.state.q, eqs.state.v)
        R = body_axes(eqs, bent.body)
        out[bent.mean, :size], out[bent.mean, 3:] = state.position, R.T.ravel()
        if bent.beams is not None:
            eta = elastic_state(system, bent.body, eqs.state.q, eqs.state.v).coordinates
            nodes = bent.beams.nodes + bent.beams.shapes @ eta
            out[bent.mean + 1 : bent.mean + 1 + len(nodes), :3] = out[bent.mean, :3] + nodes @ R.T
    return out


class BentBody(NamedTuple):
    """A body with modes: the number of the frame of its mean axes, which those of the nodes of its beams follow."""

    body: int
    mean: int
    beams: BeamAxes | None


def bent_bodies(system: System) -> list[BentBody]:
    """The bodies with modes."""
    bodies: list[BentBody] = []
    row = len(system.F0) + len(bare_bodies(system))
    for b, body in enumerate(system.model.bodies):
        if body.kind == FLOATING_FRAME_KIND and body.flexible is not None and body.flexible.modal is not None:
            beams = body.flexible.modal.beams
            bodies.append(BentBody(b, row, beams))
            row += 1 + (len(beams.nodes) if beams is not None else 0)
    return bodies


def world(system: System) -> int:
    """The number of the frame that is the world itself."""
    last = bent_bodies(system)[-1:]
    nodes = sum(len(bent.beams.nodes) for bent in last if bent.beams is not None)
    return last[0].mean + 1 + nodes if last else len(system.F0) + len(bare_bodies(system))


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
