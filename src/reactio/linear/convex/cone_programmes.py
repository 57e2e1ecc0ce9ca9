"""Coulomb's law as a sequence of convex programmes, each solved by its active contacts.

With the slip |U_t| of every contact frozen in s = μ |U_t| the law is the condition of a smallest value:

    min ½ PᵀW P + (u + s n)ᵀP   over   |P_t| ≤ μ P_n          (n: the normal components)

A solution whose slips are those that were frozen satisfies Coulomb's law; they are taken over from one programme to the
next.  De Saxcé & Feng 1998, Math. Comput. Modelling 28, for the law in this form; Acary, Cadoux, Lemaréchal & Malick
2011, Z. Angew. Math. Mech. 91, for the sequence.
"""

from __future__ import annotations

import math

import numpy as np

from reactio.arrays import Floats
from reactio.linear.convex.least_distance import least_pushes

ZERO_EIGENVALUE = 1e-14  # eigenvalues of W below this part of the largest are rounding of zero
CONE_DIRECTIONS = 8  # directions across the normal from which a cone in space begins; slips add their own


class ConeProgrammes:
    """The programmes of one contact problem, W (m, m), u (m,) [m/s], mu (c,), m = c (1 + s): see ``solve_cones``."""

    def __init__(self, W: Floats, u: Floats, mu: Floats) -> None:
        self.u, self.mu, self.sizes = u, mu, len(u) // len(mu)
        weight, V = np.linalg.eigh(W)
        kept = weight > ZERO_EIGENVALUE * weight[-1]
        self.root = V[:, kept] * np.sqrt(weight[kept])  # W = root rootᵀ
        self.used = np.zeros((len(u), 0))  # impulses on cones in space that the last solution is made of

    def solution(self, U: Floats) -> Floats | None:
        """P (m,) with the slips of the velocities U (m,) frozen; None where no velocities satisfy the law."""
        slips = U.reshape(-1, self.sizes)[:, 1:]
        frozen = np.array(self.u)
        frozen[:: self.sizes] += self.mu * np.linalg.norm(slips, axis=1)
        edges = _first_edges(self.mu, self.sizes)
        if self.sizes == 3:
            edges = np.hstack([edges, self.used, _edges(self.mu, self.sizes, -slips)])
        share = least_pushes(edges.T @ self.root, -(edges.T @ frozen))
        if share is None:
            return None
        if self.sizes == 3:
            self.used = edges[:, share > 0.0]
        return np.asarray(edges @ share)


def _first_edges(mu: Floats, sizes: int) -> Floats:
    """(m, k) impulses on the surface of every cone: both edges in the plane, evenly around in space."""
    if sizes == 1:
        return np.eye(len(mu))
    if sizes == 2:
        around = [np.array([1.0]), np.array([-1.0])]
    else:
        around = [
            np.array([math.cos(a), math.sin(a)]) for a in np.linspace(0.0, math.tau, CONE_DIRECTIONS, endpoint=False)
        ]
    return np.hstack([_edges(mu, sizes, np.tile(way, (len(mu), 1))) for way in around])


def _edges(mu: Floats, sizes: int, ways: Floats) -> Floats:
    """(m, k) impulses (1, μ d) along the ways (c, s), d of unit length; a contact without a way has none."""
    far = np.linalg.norm(ways, axis=1)
    moving = np.flatnonzero(far > 0.0)
    edges = np.zeros((len(mu) * sizes, len(moving)))
    at = np.arange(len(moving))
    edges[moving * sizes, at] = 1.0
    for i in range(sizes - 1):
        edges[moving * sizes + 1 + i, at] = mu[moving] * ways[moving, i] / far[moving]
    return edges
