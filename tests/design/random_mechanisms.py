"""Random redundant mechanisms in space: some bodies, joined more often than needed at frames where they fit."""

from __future__ import annotations

import numpy as np

import reactio
from reactio.catalogue.places import GROUND
from reactio.model.placing import joint_at
from reactio.model.specs import Body

KINDS = ("revolute", "cylindrical", "spherical", "prismatic", "universal", "point-on-line", "point-on-plane")
MOST = 6  # redundant equations: all sets of sensors can be tried


def random_mechanism(seed: int) -> reactio.Model:
    """A mechanism of 1 to 4 bodies with 1 to 6 redundant equations, always the same for a seed."""
    random = np.random.default_rng(seed)
    while True:
        model = _joined(random, seed)
        if 1 <= reactio.check(model).redundancy <= MOST:
            return model


def _joined(random: np.random.Generator, seed: int) -> reactio.Model:
    """Bodies in a tree, and one to three joints more; axes are parallel now and then, which makes more redundant."""
    count = int(random.integers(1, 5))
    bodies = [Body(f"body{k}", 1.0, (0.1, 0.1, 0.1), tuple(random.uniform(-1, 1, 3).round(2))) for k in range(count)]
    pairs = [(int(random.integers(-1, k)), k) for k in range(count)]
    for _ in range(int(random.integers(1, 4))):
        b = int(random.integers(count))
        pairs.append((int(random.choice([k for k in range(-1, count) if k != b])), b))
    common = _direction(random)
    joints = []
    for k, (a, b) in enumerate(pairs):
        axis = common if random.random() < 0.6 else _direction(random)
        kind, place = KINDS[int(random.integers(len(KINDS)))], tuple(random.uniform(-1, 1, 3).round(2).tolist())
        joints.append(joint_at(f"j{k}", kind, GROUND if a < 0 else bodies[a], bodies[b], place, axis=axis))
    return reactio.Model(f"random-{seed}", "spatial", tuple(bodies), tuple(joints), gravity=(0.0, 0.0, -9.81))


def _direction(random: np.random.Generator) -> tuple[float, ...]:
    axis = random.normal(size=3)
    return tuple((axis / np.linalg.norm(axis)).tolist())
