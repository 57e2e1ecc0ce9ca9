"""Elimination of redundant rows: their multipliers are zero, and the other rows carry the load."""

from __future__ import annotations

from itertools import islice

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.constraint_matrix import Group, components, row_label
from reactio.errors import ReactioError, did_you_mean, listed
from reactio.linear.precision import SUBSPACE
from reactio.sharing import Problem, Rule, Weights, register
from reactio.sharing.named_axes import in_named_axes
from reactio.sharing.problem import MOST_NULL_SPACE_ROWS, multipliers_without
from reactio.uniqueness.evidence import Block
from reactio.uniqueness.explain import eliminations

LATER_ROW_PREFERENCE = 1e-3  # part by which later rows are preferred, so that rounding does not decide between equals
PIVOT_SHIFT = 1e-13  # keeps pivots of dependent rows from zero, far below those of independent rows
MOST_CHOICES_LISTED = 6  # admissible choices in a message: more are not read
MOST_CHOICES_SEARCHED = 2000  # admissible choices among which those nearest to the given rows are sought: a second
# Redundancies up to which all admissible choices are enumerated, and up to which one is found for a message.
MOST_ENUMERATED, MOST_EXEMPLIFIED = 3, 12
NOT_INDEPENDENT = "together they take away an independent equation and leave a redundant one."


class InadmissibleElimination(ReactioError):
    """Rows that cannot all be dropped without changing the motion."""


def _share(problem: Problem, argument: str) -> Floats:
    """λ_E = 0 and C_Dᵀ λ_D = f for the rows D that stay.

    E is admissible iff it has p = m − r rows and N_E (p, p) is regular.  Wojtyra & Frączek 2013, Sect. 3.1.
    Rows that are named are along the axes in which reactions are shown, so that what is dropped is zero there.
    """
    if not argument:
        return multipliers_without(problem, automatic(problem))
    turned, T = in_named_axes(problem, argument)
    lam = multipliers_without(turned, _dropped(turned, argument))
    return lam if T is None else np.asarray(T.T @ lam)


def _dropped(problem: Problem, argument: str) -> Ints:
    """The rows to drop: those named, if that is admissible, or else an admissible choice."""
    E = named(problem, argument) if argument else automatic(problem)
    if argument:
        _check(problem, E)
    return E


def _weights(problem: Problem, argument: str) -> Weights:
    """The same rows are dropped during a whole motion: they are chosen at its start."""
    if argument and in_named_axes(problem, argument)[1] is not None:
        raise ReactioError(
            "The motion depends on the rows that are dropped, and these turn with the joints: their names mean the "
            "axes of the joints. Leave out --axes world, or write `rows: world` in the model."
        )
    E, kept = _dropped(problem, argument), np.ones(problem.matrix.shape[0])
    kept[E] = 0.0
    return Weights(kept, 1.0, "elimination:" + ",".join(name_of(problem, int(i)) for i in E))


def automatic(problem: Problem) -> Ints:
    """p rows to drop, by pivoting: in every block of the null space those that its self-stresses load most."""
    from scipy.linalg import qr

    if not _has_dense_null_space(problem):
        return _dependent(problem)
    dropped = [np.zeros(0, dtype=np.int64)]
    for block in problem.answer.evidence.blocks():
        weight = 1.0 + LATER_ROW_PREFERENCE * np.linspace(0.0, 1.0, len(block.rows))
        pivots = qr((block.N * weight[:, None]).T, mode="r", pivoting=True)[1]
        dropped.append(block.rows[pivots[: block.N.shape[1]]])
    return np.sort(np.concatenate(dropped))


def chosen(problem: Problem) -> tuple[str, ...]:
    """The names of the rows that are dropped where none are named."""
    return tuple(name_of(problem, int(i)) for i in automatic(problem))


def _has_dense_null_space(problem: Problem) -> bool:
    """Is C small enough for a basis of its null space?"""
    return max(problem.matrix.shape) <= MOST_NULL_SPACE_ROWS


def _dependent(problem: Problem) -> Ints:
    """Rows of a large C̃ that depend on earlier ones, in an order of little fill-in: the smallest pivots of C̃C̃ᵀ.

    The pivot of a row is its squared distance from the span of the rows before it; rows have unit length.
    """
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    Ct, _ = problem.balance
    G = (Ct.T @ Ct + PIVOT_SHIFT * eye_array(Ct.shape[1])).tocsc()
    order = splu(G, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    pivots = np.abs(order.U.diagonal())[order.perm_c]
    E = np.sort(np.argsort(pivots)[: problem.answer.redundancy]).astype(np.int64)
    if not _independent_without(problem, E):
        raise ReactioError(
            "Pivoting finds no clear choice of rows to drop: some constraints are nearly dependent. Name the rows, or "
            "choose another sharing rule."
        )
    return E


def _independent_without(problem: Problem, E: Ints) -> bool:
    """Are the rows outside E of a large C̃ independent, by an orthogonal factorisation?"""
    from reactio.linear.sparse.sparse_qr import sparse_qr

    Ct, _ = problem.balance
    kept = np.setdiff1d(np.arange(Ct.shape[1]), E)
    factors = sparse_qr(Ct[:, kept].T.tocsr(), problem.matrix.columns.body_ptr, problem.answer.tolerances.decide)
    return factors.rank == len(kept)


def named(problem: Problem, argument: str) -> Ints:
    """Rows by name, ``B.y`` or ``W4`` for a group of one row, or by number, counted from 1 as in the papers."""
    rows = [_row(problem, name.strip()) for name in argument.split(",") if name.strip()]
    twice = [name_of(problem, i) for i in set(rows) if rows.count(i) > 1]
    if twice:
        raise InadmissibleElimination(f"Row {twice[0]} is to be dropped twice; name it once.")
    return np.array(sorted(rows), dtype=np.int64)


def _row(problem: Problem, name: str) -> int:
    """The row of a name or number, in the internal order."""
    matrix, m = problem.matrix, problem.matrix.shape[0]
    groups = {g.name: g for g in matrix.rows.groups}
    group, _, label = name.rpartition(".")
    if name in groups and groups[name].size == 1:
        return groups[name].start
    if name in groups:
        rows = range(groups[name].start, groups[name].stop)
        known = ", ".join(name_of(problem, i) for i in rows)
        raise ReactioError(f"'{name}' has {len(rows)} rows; name those to drop: {known}.")
    if group in groups:
        rows = range(groups[group].start, groups[group].stop)
        labels = {row_label(matrix, i): i for i in rows}
        labels |= {name: i for name, i in _single_rows(problem, groups[group]).items() if name not in labels}
        if label not in labels:
            raise ReactioError(f"'{group}' has no row '{label}'.{did_you_mean(label, labels)}")
        return labels[label]
    if name.isdecimal():
        number = int(name)
        if not 1 <= number <= m:
            raise ReactioError(f"There is no row {number} to drop: rows count from 1 to {m}.")
        return number - 1 if matrix.order is None else int(np.flatnonzero(matrix.order == number - 1)[0])
    raise ReactioError(f"There is no row or group '{name}'.{did_you_mean(group or name, groups)}")


ALL_OF_UNIT = {"forces": "N", "moments": "N m"}  # names for all rows whose multipliers have a unit


def rows_named(problem: Problem, name: str) -> list[int]:
    """All rows of a joint, drive or coupling, of ``forces`` or ``moments``, or the one row of ``B.y``."""
    matrix = problem.matrix
    groups = {g.name: g for g in matrix.rows.groups}
    if name in groups:
        return list(range(groups[name].start, groups[name].stop))
    if name in ALL_OF_UNIT and matrix.rows.units is not None:
        return [i for i, unit in enumerate(matrix.rows.units) if unit == ALL_OF_UNIT[name]]
    return [_row(problem, name)]


def _single_rows(problem: Problem, group: Group) -> dict[str, int]:
    """Components, ``Fy``, that are the force or moment of one row alone, with that row."""
    known = components(problem.matrix, group)
    single = ((np.abs(p) > SUBSPACE * np.abs(p).max()).nonzero()[0] for p in known.P)
    return {name: group.start + int(at[0]) for name, at in zip(known.labels, single, strict=True) if len(at) == 1}


def name_of(problem: Problem, row: int) -> str:
    """The name of a row: ``B.y``, or the name of the group where it has one row."""
    group = next(g for g in problem.matrix.rows.groups if g.start <= row < g.stop)
    return group.name if group.size == 1 else f"{group.name}.{row_label(problem.matrix, row)}"


def _check(problem: Problem, E: Ints) -> None:
    """Refuse rows whose elimination leaves a redundancy or removes an independent equation."""
    why = _wrong_count(problem, E) or (
        _wrong_in_blocks(problem, E) if _has_dense_null_space(problem) else _wrong_in_large(problem, E)
    )
    if why:
        names = ", ".join(name_of(problem, int(i)) for i in E)
        raise InadmissibleElimination(f"Dropping {names} is not admissible: {why} {_admissible(problem, E)}")


def _wrong_count(problem: Problem, E: Ints) -> str:
    """A reason why E is not admissible: a row in no self-stress, or a wrong number of rows; empty if there is none."""
    p = problem.answer.redundancy
    for i in E:
        N = problem.answer.evidence.null_rows(np.array([i]))[0]
        if np.linalg.norm(N) <= SUBSPACE:
            return f"{name_of(problem, int(i))} is in no self-stress, so without it the mechanism moves differently."
    if len(E) != p:
        return f"{p} equation{'s are' if p != 1 else ' is'} redundant, so {p} must go, not {len(E)}."
    return ""


def _wrong_in_large(problem: Problem, E: Ints) -> str:
    """The same for a large C, whose null space is not computed: the other rows are not independent."""
    return "" if _independent_without(problem, E) else NOT_INDEPENDENT


def _wrong_in_blocks(problem: Problem, E: Ints) -> str:
    """The first reason that a block of the null space gives; empty if there is none."""
    parts = (_wrong_in_block(problem, block, E) for block in problem.answer.evidence.blocks())
    return next((why for why in parts if why), "")


def _wrong_in_block(problem: Problem, block: Block, E: Ints) -> str:
    """A reason why E is not admissible among the rows of one block; empty where N_E is regular."""
    dropped = np.flatnonzero(np.isin(block.rows, E))
    p = block.N.shape[1]
    N_E = block.N[dropped] / np.linalg.norm(block.N[dropped], axis=1, keepdims=True)
    if len(dropped) == p and np.linalg.svd(N_E, compute_uv=False)[-1] > SUBSPACE:
        return ""
    if len(dropped) == p:
        return NOT_INDEPENDENT
    owners = np.searchsorted(problem.matrix.rows.ptr, block.rows, side="right") - 1
    groups = [problem.matrix.rows.groups[k].name for k in np.unique(owners)]
    shown = listed(groups, most=8)
    return f"the rows of {shown} hold {p} redundan{'cies' if p != 1 else 'cy'}, and {len(dropped)} of them would go."


def _admissible(problem: Problem, E: Ints) -> str:
    """A sentence with admissible choices, those nearest to E first."""
    order, p = problem.matrix.order, problem.answer.redundancy
    if p > MOST_EXEMPLIFIED:
        return "`elimination` alone picks admissible rows."
    inside = {int(i): k for k, i in enumerate(np.arange(problem.matrix.shape[0]) if order is None else order)}
    choices = [tuple(automatic(problem).tolist())]
    if p <= MOST_ENUMERATED:
        found = islice(eliminations(problem.matrix, problem.answer.N), MOST_CHOICES_SEARCHED)
        choices = [tuple(inside[i] for i in choice) for choice in found]
    choices.sort(key=lambda choice: -len(set(choice) & set(E.tolist())))
    words = [",".join(name_of(problem, i) for i in choice) for choice in choices]
    return f"Admissible: {listed(words, MOST_CHOICES_LISTED, between='; ')}." if p else "No row is redundant."


ELIMINATION = register(
    Rule(
        name="elimination",
        doc="Redundant rows are dropped and carry nothing: `elimination` picks them by pivoting, `elimination:B.y,W4` "
        "drops the rows named, if that leaves the motion as it is.",
        W="infinite weight on the dropped rows",
        cite="Haug 1989, Computer aided kinematics and dynamics of mechanical systems; "
        "Wojtyra & Frączek 2013, Sect. 3.1",
        share=_share,
        weights=_weights,
        argument="rows to drop: names like B.y, groups of one row, or numbers from 1",
        invariant=frozenset({"row scaling", "units"}),
    )
)
