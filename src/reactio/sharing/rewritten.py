"""The same sharing problem in millimetres, or with its joints in reverse order.

Motion and equilibrium are the same; where the reactions by a rule differ, the rule depends on the description of the
mechanism, and not on the mechanism alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.constraint_matrix import Components, Group, RowTable, components
from reactio.linear.scaling import apply
from reactio.sharing import Problem, problem, share

MILLIMETRES = 1000.0  # in a metre
LENGTHS_IN = {"N": 1, "N m": 0, "N/m": 2}  # powers of length in the equation whose multiplier has that unit
FORCES_IN = {"N": 1, "N m": 2, "N/m": 0}  # powers of length in a force, moment or force per length, mass and time kept


@dataclass(frozen=True, slots=True, eq=False)
class Rewritten:
    """A rewritten problem, and the map of its multipliers to those of the given problem."""

    change: str  # a key of CHANGES
    words: str  # that say how it is rewritten: "in millimetres"
    problem: Problem
    back: Callable[[Floats], Floats]  # λ of the rewritten problem (m,) → λ of the given one (m,)


def in_millimetres(task: Problem) -> Rewritten | None:
    """C' = diag(r) C diag(1/c), f' = s² f/c, λ = λ' r/s²: the numbers of lengths are s = 1000 times as large.

    r (m,): s for equations in metres, s² for square metres, 1 for radians; c (n,) likewise for velocities.  None where
    the units of rows or columns are not known.
    """
    matrix, s = task.matrix, MILLIMETRES
    units, columns = matrix.rows.units, matrix.columns.units
    if units is None or columns is None or not set(units) <= LENGTHS_IN.keys() or "" in columns:
        return None
    r = np.array([s ** LENGTHS_IN[unit] for unit in units])
    c = np.array([s if unit == "m/s" else 1.0 for unit in columns])
    names = {
        group.name: _scaled(components(matrix, group), r[group.start : group.stop]) for group in matrix.rows.groups
    }
    table = replace(matrix.rows, components=names)
    C = apply(task.C, r, 1.0 / c)
    scaled = replace(matrix, C=C, rows=table, length=s * matrix.length)
    M = None if task.M is None else s * s * apply(task.M, 1.0 / c, 1.0 / c)
    rewritten = problem(scaled, s * s * task.f / c, M, None, s * s * task.rounding / c)
    return Rewritten("units", "in millimetres", rewritten, lambda lam: lam * task.answer.in_given_order(r) / (s * s))


def _scaled(known: Components, r: Floats) -> Components:
    """P' such that P' λ' is the same force and moment in millimetres."""
    s = MILLIMETRES
    sizes = np.array([s ** FORCES_IN[unit] for unit in known.units])
    return Components(known.labels, known.units, sizes[:, None] * known.P * (r / (s * s)))


def in_reverse(task: Problem) -> Rewritten:
    """The same rows with the joints in reverse order."""
    matrix = task.matrix
    groups = matrix.rows.groups[::-1]
    perm: Ints = np.concatenate([np.arange(g.start, g.stop) for g in groups])
    stops = np.cumsum([g.size for g in groups])
    groups_reversed = tuple(
        Group(g.name, g.kind, g.type, int(e) - g.size, int(e)) for g, e in zip(groups, stops, strict=True)
    )
    rows: Any = matrix.rows
    table = RowTable(
        groups_reversed,
        None if rows.labels is None else tuple(rows.labels[i] for i in perm),
        None if rows.units is None else tuple(rows.units[i] for i in perm),
        rows.components,
        None if rows.edges is None else rows.edges[::-1],
    )
    order = np.arange(len(perm)) if matrix.order is None else matrix.order
    left = None if matrix.cancelled is None else matrix.cancelled[perm]
    reversed_matrix = replace(matrix, C=task.C[perm], rows=table, order=np.asarray(order)[perm], cancelled=left)
    return Rewritten(
        "order",
        "with the joints in reverse order",
        problem(reversed_matrix, task.f, task.M, None, task.rounding),
        lambda lam: lam,
    )


def shares_rewritten(task: Problem, rule: str, depends_on: tuple[str, ...]) -> list[tuple[Rewritten, Floats]]:
    """λ (m,) by the rule in every rewritten problem, except where the rule is invariant under the change."""
    rewritten = [candidate for candidate in (in_millimetres(task), in_reverse(task)) if candidate is not None]
    return [
        (rewriting, rewriting.back(share(rewriting.problem, rule)))
        for rewriting in rewritten
        if rewriting.change in depends_on
    ]
