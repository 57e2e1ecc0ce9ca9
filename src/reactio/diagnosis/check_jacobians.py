"""Verdicts on many constraint Jacobians of another program, one for each of its worlds or states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from reactio.arrays import Floats
from reactio.constraint_matrix import Rows, partition
from reactio.diagnosis.check_many import VerdictTable, empty_table, write_answer
from reactio.errors import ReactioError
from reactio.joint_reactions.component_batches import IS_NOT, IS_UNIQUE, VERDICT_ORDER
from reactio.linear.precision import ROUNDOFF
from reactio.uniqueness import Tolerances, solvability
from reactio.uniqueness.words import Verdict

ROUNDINGS = 100  # of single precision that a chain of some ten bodies adds up in its Jacobian, with a reserve
PARTLY = VERDICT_ORDER.index(Verdict.PARTLY)


def check_jacobians(
    C: ArrayLike,
    groups: Mapping[str, Rows],
    *,
    columns: Sequence[str] | None = None,
    tolerances: Tolerances | None = None,
    times: ArrayLike | None = None,
) -> VerdictTable:
    """The verdicts of ``solvability`` on a stack of Jacobians C (k, m, n), one for each world.

    groups: name → rows, the same in every world; columns: their units.  Worlds with equal matrices are judged once.
    tolerances: those of ``solvability``; arrays in single precision, as of MJX or Newton, have coarser ones by default.
    A row that is zero but for rounding has an undetermined force: no motion of the tree works against it.

    >>> import numpy as np
    >>> aligned, tilted = [[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.6, 0.8]]
    >>> table = check_jacobians(np.array([aligned, tilted]), {"A": [0], "B": [1]})
    >>> table.redundancy.tolist(), table.words_of("A")
    ([1, 0], ('not unique', 'unique'))
    """
    given = np.asarray(C)
    try:
        stack = given.astype(float)
    except (TypeError, ValueError):
        raise ReactioError(f"check_jacobians needs an array of numbers; got {type(C).__name__}.") from None
    if stack.ndim != 3 or not stack.size:
        raise ReactioError(f"check_jacobians needs an array (worlds, rows, columns); got {stack.shape}.")
    if not np.isfinite(stack).all():
        raise ReactioError(f"The Jacobian of world {np.argwhere(~np.isfinite(stack))[0, 0]} is not finite.")
    instants = np.zeros(len(stack)) if times is None else np.asarray(times, dtype=float)
    if instants.shape != (len(stack),):
        raise ReactioError(f"check_jacobians needs one time for each of the {len(stack)} worlds; got {instants.shape}.")
    parts, order = partition(groups, stack.shape[1])
    rows = {part.name: order[part.start : part.stop] for part in parts}
    labels = tuple(f"row {row}" for row in range(stack.shape[1]))
    table = empty_table(instants, tuple(rows), labels, "", (stack.shape[1], stack.shape[2]))
    first: dict[bytes, int] = {}  # matrix → the first world that has it
    same = np.array([first.setdefault(matrix.tobytes(), k) for k, matrix in enumerate(stack)])
    for k in first.values():
        _judge(table, k, stack[k], rows, columns, tolerances or _tolerances(given.dtype))
    for column in (table.verdict, table.determined, table.component_verdict, table.rank, table.margin, table.confident):
        column[:] = column[same]
    return table


def _tolerances(dtype: np.dtype[Any]) -> Tolerances | None:
    """Coarser tolerances for entries of fewer digits than double precision: up to a hundred roundings are zero."""
    if not np.issubdtype(dtype, np.floating) or np.finfo(dtype).eps <= np.finfo(float).eps:
        return None
    eps = float(np.finfo(dtype).eps)
    return Tolerances(zero=ROUNDINGS * eps, decide=10 * ROUNDINGS * eps, sure=100 * ROUNDINGS * eps)


def _judge(
    table: VerdictTable, k: int, C: Floats, groups: Mapping[str, list[int]], columns: Any, tol: Tolerances | None
) -> None:
    """Write the verdicts on C (m, n) into row k of the table; rows of zeros have an undetermined force."""
    size = np.abs(C).max(axis=1)
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
        if zero := [row for row in rows if row not in place]:
            table.component_verdict[k, at, zero] = IS_NOT
            if not some[name]:
                table.verdict[k, at] = IS_NOT
            elif table.verdict[k, at] == IS_UNIQUE:
                table.verdict[k, at] = PARTLY
