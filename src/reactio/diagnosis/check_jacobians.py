"""Verdicts on many constraint Jacobians of another program, one for each of its worlds or states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from reactio.arrays import Bools, Floats
from reactio.constraint_matrix import Rows, partition
from reactio.diagnosis.check_many import VerdictTable, empty_table, write_answer
from reactio.errors import ReactioError
from reactio.joint_reactions.component_batches import ABSENT, IS_NOT, IS_UNIQUE, VERDICT_ORDER
from reactio.linear.precision import ROUNDOFF
from reactio.uniqueness import Tolerances, solvability
from reactio.uniqueness.words import Verdict

ROUNDINGS = 100  # of single precision that a chain of some ten bodies adds up in its Jacobian, with a reserve
PARTLY = VERDICT_ORDER.index(Verdict.PARTLY)


def check_jacobians(
    C: ArrayLike | Sequence[ArrayLike],
    groups: Mapping[str, Rows],
    *,
    present: ArrayLike | None = None,
    columns: Sequence[str] | None = None,
    tolerances: Tolerances | None = None,
    times: ArrayLike | None = None,
) -> VerdictTable:
    """The verdicts of ``solvability`` on a stack of Jacobians C (k, m, n), one for each world, or on k matrices.

    groups: name → rows, the same in every world; columns: their units.  Worlds with equal matrices are judged once.
    present: the number of rows of each world (k,), or flags (k, m); other rows are padding, which may hold anything,
    and a group without rows has no verdict there.  tolerances: those of ``solvability``; arrays in single precision, as
    of MJX or Newton, have coarser ones by default.  A present row that is zero but for rounding has an undetermined
    force: no motion of the tree works against it.

    >>> import numpy as np
    >>> aligned, tilted = [[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.6, 0.8]]
    >>> table = check_jacobians(np.array([aligned, tilted]), {"A": [0], "B": [1]})
    >>> table.redundancy.tolist(), table.words_of("A")
    ([1, 0], ('not unique', 'unique'))
    >>> check_jacobians(np.array([aligned, tilted]), {"A": [0], "B": [1]}, present=[1, 2]).words_of("B")
    ('', 'unique')
    """
    matrices, dtype = _matrices(C)
    k, m = len(matrices), max(len(matrix) for matrix in matrices)
    exists = _present(present, [len(matrix) for matrix in matrices], m)
    instants = np.zeros(k) if times is None else np.asarray(times, dtype=float)
    if instants.shape != (k,):
        raise ReactioError(f"check_jacobians needs one time for each of the {k} worlds; got {instants.shape}.")
    parts, order = partition(groups, m)
    rows = {part.name: order[part.start : part.stop] for part in parts}
    shape = exists.sum(axis=1), np.array([matrix.shape[1] for matrix in matrices])
    table = empty_table(instants, tuple(rows), tuple(f"row {row}" for row in range(m)), "", shape)
    first: dict[bytes, int] = {}  # rows that are present → the first world that has them
    same = np.zeros(k, dtype=np.int64)
    for world, matrix in enumerate(matrices):
        held = matrix[exists[world, : len(matrix)]]
        if not np.isfinite(held).all():
            raise ReactioError(f"The Jacobian of world {world} is not finite.")
        same[world] = first.setdefault(exists[world].tobytes() + held.tobytes(), world)
        if same[world] == world:
            _judge(table, world, matrix, exists[world], rows, columns, tolerances or _tolerances(dtype))
    for column in (table.verdict, table.determined, table.component_verdict, table.rank, table.margin, table.confident):
        column[:] = column[same]
    return table


def _matrices(C: ArrayLike | Sequence[ArrayLike]) -> tuple[list[Floats], np.dtype[Any]]:
    """The matrices (m, n) of all worlds, and the type of their numbers."""
    try:
        given = [np.asarray(matrix) for matrix in (C if isinstance(C, list | tuple) else np.asarray(C))]
        matrices = [matrix.astype(float) for matrix in given]
    except (TypeError, ValueError):
        raise ReactioError(f"check_jacobians needs an array of numbers; got {type(C).__name__}.") from None
    if not matrices or any(matrix.ndim != 2 or not matrix.size for matrix in matrices):
        shape = (len(given), *(given[0].shape if given else ()))
        raise ReactioError(f"check_jacobians needs an array (worlds, rows, columns); got {shape}.")
    return matrices, np.result_type(*given)


def _present(present: ArrayLike | None, rows: list[int], m: int) -> Bools:
    """Flags (k, m) of the rows that are not padding; rows (k,): how many rows the matrix of each world has."""
    places = np.arange(m)
    own = places < np.array(rows)[:, None]
    if present is None:
        return own
    given = np.asarray(present)
    if given.dtype == bool and given.shape == own.shape:
        return given & own
    if given.shape != own.shape[:1] or not np.issubdtype(given.dtype, np.integer):
        raise ReactioError(
            f"present= is the number of rows of each world ({len(rows)},) or flags {own.shape}; "
            f"got an array {given.shape} of {given.dtype}."
        )
    for world, (count, most) in enumerate(zip(given.tolist(), rows, strict=True)):
        if not 0 <= count <= most:
            raise ReactioError(f"present= gives world {world} {count} rows; its matrix has {most}.")
    return places < given[:, None]


def _tolerances(dtype: np.dtype[Any]) -> Tolerances | None:
    """Coarser tolerances for entries of fewer digits than double precision: up to a hundred roundings are zero."""
    if not np.issubdtype(dtype, np.floating) or np.finfo(dtype).eps <= np.finfo(float).eps:
        return None
    eps = float(np.finfo(dtype).eps)
    return Tolerances(zero=ROUNDINGS * eps, decide=10 * ROUNDINGS * eps, sure=100 * ROUNDINGS * eps)


def _judge(
    table: VerdictTable,
    k: int,
    C: Floats,
    present: Bools,
    groups: Mapping[str, list[int]],
    columns: Any,
    tol: Tolerances | None,
) -> None:
    """Write the verdicts on the rows of C (m, n) that are present into row k; rows of zeros are undetermined."""
    size = np.where(present[: len(C)], np.abs(C).max(axis=1), 0.0)
    rounding = None if tol is None else tol.zero
    kept = np.flatnonzero(size > (rounding or ROUNDOFF) * size.max())
    place = {row: at for at, row in enumerate(kept.tolist())}
    some = {name: [place[row] for row in rows if row in place] for name, rows in groups.items()}
    if len(kept):
        held = {name: rows for name, rows in some.items() if rows}
        labels = [table.components[row] for row in kept]
        answer = solvability(C[kept], held, rows=labels, columns=columns, tolerances=tol, rounding=rounding)
        write_answer(table, k, answer)
    for at, (name, rows) in enumerate(groups.items()):
        zero = [row for row in rows if row not in place and present[row]]
        table.component_verdict[k, at, zero] = IS_NOT
        if not some[name]:
            table.verdict[k, at] = IS_NOT if zero else ABSENT
        elif zero and table.verdict[k, at] == IS_UNIQUE:
            table.verdict[k, at] = PARTLY
