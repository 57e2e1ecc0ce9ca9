"""A sharing problem with the rows that hold a point along the axes in which reactions are named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import Components, Group, components
from reactio.linear.precision import GEOMETRY
from reactio.sharing.problem import Problem, problem


def in_named_axes(task: Problem, argument: str) -> tuple[Problem, Any]:
    """The problem with rows C' = T C of the joints in ``B.y,C=2``, and T (m, m) CSR, orthogonal: λ = Tᵀλ'.

    Rows x, y, z of a joint are along its own axes.  Where components are named in world axes, ``C.y`` must mean the
    world's y: the rows of a joint that hold its point are turned so that their multipliers are its force with the
    other sign, λ' = −F.  The same problem, with T = None, where they are so already.
    """
    turns = {group: _turn(task, group) for group in _named(task, argument)}
    blocks = {group: turn for group, turn in turns.items() if turn is not None}
    if not blocks:
        return task, None
    from scipy.sparse import block_diag, csr_array, eye_array

    T: Any = csr_array(block_diag([blocks.get(g, eye_array(g.size)) for g in task.matrix.rows.groups]))
    C: Any = T @ csr_array(task.C)
    turned = {group.name: _turned(components(task.matrix, group), turn) for group, turn in blocks.items()}
    rows = replace(task.matrix.rows, components={**task.matrix.rows.components, **turned})
    matrix = replace(task.matrix, C=C.toarray() if isinstance(task.C, np.ndarray) else C, rows=rows)
    return problem(matrix, task.f, task.mass, None, task.rounding, task.elasticity), T


def _named(task: Problem, argument: str) -> tuple[Group, ...]:
    """The groups that an argument names, by themselves or by a row; all where it has numbers of rows."""
    names = {part.partition("=")[0].strip() for part in argument.split(",")}
    if any(name.isdecimal() for name in names):
        return task.matrix.rows.groups
    names |= {name.rpartition(".")[0] for name in names}
    return tuple(group for group in task.matrix.rows.groups if group.name in names)


def _turned(known: Components, T: Floats) -> Components:
    return Components(known.labels, known.units, known.P @ T.T, known.axes)


def _turn(task: Problem, group: Group) -> Floats | None:
    """T (size, size) of one joint; None where its rows are along the named axes, or do not hold a point."""
    known, labels = components(task.matrix, group), task.matrix.rows.labels
    if labels is None:
        return None
    forces = [f"F{axis}" for axis in "xyz" if f"F{axis}" in known.labels]
    at = [group.start + k for k in range(group.size) if f"F{labels[group.start + k]}" in forces]
    if len(at) != len(forces) or len(at) < 2:
        return None
    places = np.array(at) - group.start
    P = -known.P[[known.labels.index(f"F{labels[i]}") for i in at]]
    block, rest = P[:, places], np.delete(P, places, axis=1)
    whole = np.abs(block @ block.T - np.eye(len(at))).max() <= GEOMETRY and not np.abs(rest).max(initial=0.0) > GEOMETRY
    if not whole or np.abs(block - np.eye(len(at))).max() <= GEOMETRY:
        return None
    T = np.eye(group.size)
    T[np.ix_(places, places)] = block
    return T
