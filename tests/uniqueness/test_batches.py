"""Bounds of the kernels that judge batches: each of them alone leaves a doubtful matrix to the full analysis."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from reactio.arrays import Floats
from reactio.constraint_matrix import ColumnTable, ConstraintMatrix, Group, GroupKind, RowTable
from reactio.linear.rank import EPS
from reactio.uniqueness import engine, solvability
from reactio.uniqueness.batches.clear import DOUBTFUL, clear_rank
from reactio.uniqueness.batches.tables import Space, pattern_of

ROUNDING = 16 * EPS  # of entries that are right but for a few sums


def labelled(C: Floats, columns_of_a_body: int) -> ConstraintMatrix:
    """C with a group for each row, and bodies of so many columns, the last of three an angle."""
    rows = RowTable(tuple(Group(f"row {i}", GroupKind.JOINT, "", i, i + 1) for i in range(len(C))))
    units = ("m/s", "m/s", "rad/s") if columns_of_a_body == 3 else ("m/s",)
    bodies = C.shape[1] // columns_of_a_body
    ptr = np.arange(bodies + 1) * columns_of_a_body
    columns = ColumnTable(tuple(f"b{k}" for k in range(bodies)), ptr, units * bodies)
    return ConstraintMatrix(C, rows, columns, cancelled=np.ones(len(C)), rounding=ROUNDING)


def judged(matrix: ConstraintMatrix, error: float = ROUNDING) -> tuple[int, Space]:
    """The rank by bounds, or DOUBTFUL, and the arrays it was found in; ``error`` of the entries."""
    C = csr_array(matrix.C)
    places = (np.asarray(C.indptr, dtype=np.int64), np.asarray(C.indices, dtype=np.int64))
    shared = pattern_of(places, matrix.rows, matrix.columns)
    space = shared.space(matrix.length)
    space.C[:] = C.data
    return clear_rank.run_plain(shared.pattern, space, error), space


def sliders(angle: float) -> Floats:
    """Two rows on one body whose directions differ by an angle; no entry is small."""
    directions = 0.5 + np.array([0.0, angle])
    return np.column_stack([np.cos(directions), np.sin(directions), [0.3, 0.3]])


@pytest.mark.parametrize("angle", [1e-10, 1e-8, 1e-7])
def test_a_small_singular_value_is_in_doubt(angle: float) -> None:
    matrix = labelled(sliders(angle), 3)
    assert judged(matrix)[0] == DOUBTFUL
    assert not solvability(matrix).decision.confident


@pytest.mark.parametrize("angle", [1e-14, 0.1, 1.0])
def test_clear_singular_values_are_bounded(angle: float) -> None:
    matrix = labelled(sliders(angle), 3)
    rank, space = judged(matrix)
    assert rank == solvability(matrix).rank == (2 if angle > 1e-11 else 1)
    assert 0.0 < space.bounds[0] <= solvability(matrix).decision.margin


@pytest.mark.parametrize("factor", [1.5, 3.0, 10.0, 30.0, 90.0])
def test_a_second_scaling_that_differs_is_in_doubt(factor: float) -> None:
    """A chain x_i = f x_{i+1}, its ends held together: a share in its self-stress falls like a power of f."""
    n = 9
    C = np.zeros((n + 1, n))
    for i in range(n - 1):
        C[i, i], C[i, i + 1] = 1.0, -factor
    C[n - 1, n - 1] = C[n, 0] = 1.0
    matrix = labelled(C, 1)
    scale = engine.scaled(matrix)
    graded = bool(engine._graded(scale, engine.fully_scaled(matrix, scale, 1e-11)))
    rank, space = judged(matrix)
    if graded or not solvability(matrix).confident:
        assert rank == DOUBTFUL
    if rank != DOUBTFUL:
        answer = solvability(matrix)
        assert rank == answer.rank
        assert (space.free == answer.verdicts.own - answer.verdicts.determined).all()
    assert graded == (factor > 2.0)  # so that the test has cases of both kinds


@pytest.mark.parametrize(("hidden", "clear"), [(0.0, True), (5e-13, False)])
def test_a_share_below_the_errors_of_far_places_is_in_doubt_beside_a_small_one(hidden: float, clear: bool) -> None:
    """One self-stress with a share of 1e-5 in a group that bears more, and another below what counts as zero."""
    N = np.array([0.5, 1e-5, 0.6, 0.4, hidden])
    rest = np.linalg.qr(np.column_stack([N, np.random.default_rng(4).standard_normal((5, 4))]))[0][:, 1:]
    names = (("pair", 0, 2), ("row 2", 2, 3), ("row 3", 3, 4), ("row 4", 4, 5))
    rows = RowTable(tuple(Group(name, GroupKind.JOINT, "", a, b) for name, a, b in names))
    matrix = replace(labelled(rest, 1), rows=rows, rounding=1e-9)
    assert (judged(matrix, 1e-9)[0] != DOUBTFUL) is clear
    assert solvability(matrix)["row 4"].verdict == ("unique" if clear else "ambiguous")
