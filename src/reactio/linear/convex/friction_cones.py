"""Impulses of contacts with Coulomb friction: proximal steps, each by Newton's method on the velocities.

Of the impulses that satisfy the law those of smallest norm are wanted.  A proximal step from P₀

    P = proj(P₀ − U/δ),   U = u + A (y + z),   y = AᵀP₀,   z = Aᵀ(P − P₀)

projects on the half lines of the normal impulses, then on the discs of friction that these span.  It has one unknown
for each velocity, z (n,), however many contacts share the load, and its matrix I + AᵀD A/δ is never singular.  From
P₀ = 0 a small δ gives the solution of smallest norm (Tikhonov); further steps from there remove the effect of δ on U.
Rockafellar 1976, SIAM J. Control Optim. 14, for proximal steps; Alart & Curnier 1991, Comput. Methods Appl. Mech. Eng.
92, for Newton's method on the projections.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.linear.convex.cone_steps import Cones, solve_parts
from reactio.topology.components import connected

CONVERGED_RESIDUAL = 1e-10  # residual that is accepted, part of the largest velocity in the problem
KEPT_PATTERNS = 4  # patterns of contacts and columns that are kept: they seldom change from step to step


class ConeSolution(NamedTuple):
    """Impulses of all contacts."""

    P: Floats  # (c, 1 + s) normal and s tangential impulses of each contact [N s]
    residual: float  # of the conditions [m/s]
    iterations: int  # linear systems that were solved
    converged: bool
    first: Floats  # (c, 1 + s) impulses of the first proximal step, from which a similar problem may start


def solve_cones(A: Floats, u: Floats, mu: Floats, before: Floats, speed: float) -> ConeSolution:
    """P with 0 ≤ P_n ⊥ U_n ≥ 0, |P_t| ≤ μ P_n, and P_t = −μ P_n U_t/|U_t| where U_t ≠ 0;  U = u + A AᵀP.

    A (c, 1 + s, n): changes of velocities with impulses, both in the metric of the masses; u (c, 1 + s) [m/s]:
    velocities without impulses, restitution added to the normal ones; mu (c,); before (c, 1 + s): impulses of a similar
    problem, whose contacts are tried first; ``speed`` [m/s]: the unit of the residual.  P is the solution of
    smallest norm where many have the same velocities.  A contact whose normal row is zero has no impulse.
    """
    P, first = np.zeros(u.shape), np.zeros(u.shape)
    moves = A.any(axis=1) & A[:, :1].any(axis=2)
    if not moves.any():
        return ConeSolution(P, 0.0, 0, True, first)
    layout = _layout(moves.tobytes(), moves.shape)
    at = layout.contacts
    blocks = np.where(layout.padding[:, None, :], 0.0, np.take_along_axis(A[at], layout.places[:, None, :], axis=2))
    squares = np.square(blocks).sum(axis=2)
    cones = Cones(blocks, layout.columns, np.sqrt(squares), squares.max(axis=1), u[at], mu[at], layout.reach)
    impulses, first_impulses = np.zeros_like(cones.u), np.zeros_like(cones.u)
    wanted = CONVERGED_RESIDUAL * speed
    residual, iterations = solve_parts(cones, layout.parts, before[at], wanted, impulses, first_impulses)
    P[at], first[at] = impulses, first_impulses
    return ConeSolution(P, residual, iterations, residual <= wanted, first)


class _ContactLayout(NamedTuple):
    """Contacts that bear in an order in which independent parts follow each other, and so do their columns."""

    contacts: Ints  # (b,) of all contacts
    places: Ints  # (b, k) columns of each in A, those that are zero last
    padding: Bools  # (b, k) those that are zero
    columns: Ints  # (b, k) the same columns within their part
    parts: Ints  # (p + 1, 2) the first contact and the first column of each part
    reach: Ints  # the last column within its part that a contact joins to a column or to one before it


@lru_cache(KEPT_PATTERNS)
def _layout(pattern: bytes, shape: tuple[int, int]) -> _ContactLayout:
    """The layout of contacts (c,) that change velocities (n,)."""
    moves: Bools = np.frombuffer(pattern, dtype=bool).reshape(shape)
    bearing = np.flatnonzero(moves.any(axis=1))
    row, column = np.nonzero(moves)
    label = connected(sum(shape), row, shape[0] + column)
    part = np.unique(label[bearing], return_inverse=True)[1]
    order = np.argsort(part, kind="stable")
    contacts, part = bearing[order], part[order]
    moves = moves[contacts]
    count = int(part[-1]) + 1
    home = np.full(shape[1], count)  # the part of each column
    home[np.nonzero(moves)[1]] = part[np.nonzero(moves)[0]]
    sizes = np.bincount(home, minlength=count)[:count]
    parts = np.zeros((count + 1, 2), dtype=np.int64)
    parts[1:, 0], parts[1:, 1] = np.cumsum(np.bincount(part)), np.cumsum(sizes)
    place = np.empty(shape[1], dtype=np.int64)
    place[np.argsort(home, kind="stable")] = np.arange(shape[1])
    places = np.argsort(~moves, axis=1, kind="stable")[:, : int(moves.sum(axis=1).max())]
    padding = ~np.take_along_axis(moves, places, axis=1)
    columns = np.where(padding, place[places[:, :1]], place[places]) - parts[part, 1][:, None]
    reach = np.concatenate([np.arange(size) for size in sizes])
    np.maximum.at(reach, parts[part, 1] + columns.min(axis=1), columns.max(axis=1))
    for first, end in zip(parts[:-1, 1], parts[1:, 1], strict=True):
        reach[first:end] = np.maximum.accumulate(reach[first:end])
    return _ContactLayout(contacts, places, padding, columns, parts, reach)
