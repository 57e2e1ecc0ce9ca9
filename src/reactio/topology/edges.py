"""The edges of a graph whose nodes are bodies: joints, couplings and other groups of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reactio.arrays import Ints


class Edges(NamedTuple):
    """Edges u[k] – v[k] of a multigraph, and the group that each belongs to."""

    owner: Ints
    u: Ints
    v: Ints


def edges_of(groups: Sequence[Sequence[int]], ground: int) -> Edges:
    """One edge for a group of two bodies, a closed ring for more, an edge to ground for one; −1 is ground.

    >>> edges_of([(0, 1), (2, 0, 1), (1,)], 3).v.tolist()
    [1, 0, 1, 2, 3]
    """
    bodies = np.array([len(group) for group in groups], dtype=np.int64)
    flat = np.array([body for group in groups for body in group], dtype=np.int64)
    flat = np.where(flat < 0, ground, flat)
    start = np.cumsum(bodies) - bodies
    count = np.where(bodies == 2, 1, bodies)  # edges of each group
    owner = np.repeat(np.arange(len(groups)), count)
    step = np.arange(owner.size) - np.repeat(np.cumsum(count) - count, count)
    u = flat[start[owner] + step]
    v = np.where(bodies[owner] == 1, ground, flat[start[owner] + (step + 1) % bodies[owner]])
    return Edges(owner, u, v)
