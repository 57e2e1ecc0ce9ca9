"""Chains of bodies for what acts on joint coordinates: couplings, drives, forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.model.model import Model
from reactio.model.specs import Joint

from .scenes import carry, clear_pose, pose_of, random_pose

HOSTS = {"planar": "revolute-translational", "spatial": "cylindrical"}  # a joint with an "m" and a "rad" coordinate
NAMES = {"m": "translation", "rad": "rotation"}  # of its coordinates


def chain(space: str, count: int, rng: np.random.Generator, kind: str = "rigid", **parts: Any) -> Model:
    """Ground and bodies b0, b1, … in a row, joints J0, J1, … between neighbours, off their manifold."""
    frame = random_pose(space, rng)
    end = frame.end(GROUND)
    bodies, joints = [], []
    for i in range(count):
        frame = frame @ clear_pose(space, rng)
        body, other = carry(f"b{i}", kind, space, frame, rng)
        assert body is not None
        bodies.append(body)
        joints.append(Joint(f"J{i}", HOSTS[space], end, other))
        step = random_pose(space, rng)
        frame = frame @ step
        end = (pose_of(other.point, other.orientation) @ step).end(body.name)
    return Model("chain", space, tuple(bodies), tuple(joints), **parts)
