"""Bad input gives a clear sentence; odd but good input gives an answer."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array

from reactio.constraint_matrix import Components, ConstraintMatrix, Group, GroupKind, RowTable
from reactio.errors import ReactioError
from reactio.uniqueness import Tolerances, Verdict, solvability

from . import mobile_robot as robot

GOOD = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


class Huge:
    """Looks like a sparse matrix with too many entries, without holding them."""

    shape, ndim, nnz, dtype = (2**20, 2**20), 2, 2**32, np.dtype(float)

    def tocsr(self) -> None:
        """Never called."""


@pytest.mark.parametrize(
    ("C", "groups", "message"),
    [
        (np.array([[1.0, np.nan]]), None, "nan at row 0, column 1"),
        (np.array([[1.0, 1.0], [np.inf, 1.0]]), {"A": [1]}, r"inf at row 1 \(group 'A'\), column 0"),
        (csr_array([[1.0, 1.0], [1.0, np.nan]]), None, "nan at row 1, column 1"),
        (np.zeros((0, 3)), None, "empty"),
        (np.zeros((3, 0)), None, "empty"),
        (np.ones(3), None, "two axes"),
        (np.ones((2, 2, 2)), None, "two axes"),
        (np.array([[1.0], [0.0]]), {"A": [0, 1]}, r"Row 1 \(group 'A'\) is zero"),
        (GOOD * 1j, None, "complex"),
        ([["a", "b"]], None, "numbers"),
        (Huge(), None, r"2\^31"),
        (np.lib.stride_tricks.as_strided(np.ones(1), (2**16, 2**16), (0, 0)), None, r"2\^31"),
        (GOOD, {"A": [0, 1], "B": [1]}, "Row 1 is in groups 'A' and 'B'"),
        (GOOD, {"A": [0, 0]}, "twice"),
        (GOOD, {"A": [3]}, "names row 3; the matrix has rows 0 to 2"),
        (GOOD, {"A": [-1]}, "names row -1"),
        (GOOD, {"A": []}, "no rows"),
        (GOOD, {"A": [0.5]}, "integers"),
        (GOOD, {"A": [True, False, True]}, "integers"),
        (GOOD, {"A": np.array([True, False, True])}, "integers"),
        (GOOD, {"A": [[0, 1]]}, "integers"),
        (GOOD, {"A": "xy"}, "integers"),
        (GOOD, {"row 1": [0]}, "kept for the ungrouped row 1"),
    ],
)
def test_bad_matrices_and_groups(C: Any, groups: Any, message: str) -> None:
    with pytest.raises(ReactioError, match=message):
        solvability(C, groups)


def test_bad_options() -> None:
    with pytest.raises(ReactioError, match="Did you mean 'rank'"):
        solvability(GOOD, method="ranks")
    with pytest.raises(ReactioError, match="zero ≤ decide"):
        Tolerances(zero=1e-3)
    with pytest.raises(ReactioError, match="Did you mean 'A1'"):
        solvability(GOOD, {"A1": [0]})["A11"]
    with pytest.raises(ReactioError, match="one for each of the 2 columns"):
        solvability(GOOD, columns=["m/s"])
    with pytest.raises(ReactioError, match="3 rows"):
        solvability(GOOD, rows=["a", "b"])
    with pytest.raises(ReactioError, match="own labels"):
        solvability(robot.labelled(), {"A": [0]})
    with pytest.raises(ReactioError, match="does not cover"):
        solvability(ConstraintMatrix(GOOD, RowTable((Group("A", GroupKind.JOINT, "", 0, 2),))))
    with pytest.raises(ReactioError, match="names row 7"):
        solvability(GOOD, unilateral=[7])
    for wrong in ("A.Fz", "B", "A.row 0 + +", np.ones(4)):
        with pytest.raises(ReactioError):
            solvability(GOOD, {"A": [0, 1]}).functional(wrong)


def test_exact_takes_fractions() -> None:
    third = Fraction(1, 3)
    answer = solvability([[third, 1], [2 * third, 2], [1, 1]], exact=True)
    assert answer.exact is not None
    assert answer.exact.rank == 2
    assert "as given" in answer.exact.statement


def test_exact_settles_what_is_ambiguous() -> None:
    tiny = Fraction(1, 10**9)
    answer = solvability([[1, 1], [1, 1 + tiny]], exact=True)
    assert not solvability([[1, 1], [1, 1 + float(tiny)]]).confident
    assert {g.verdict for g in answer} == {Verdict.UNIQUE}
    assert answer.rank == 2
    assert answer.N.shape == (2, 0)


def test_exact_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flint", None)
    with pytest.raises(ReactioError, match="pip install"):
        solvability(GOOD, exact=True)


@pytest.mark.parametrize("rows", [[2, 0], (2, 0), np.array([2, 0]), iter([2, 0]), slice(2, None, -2)])
def test_groups_of_any_iterable_keep_the_callers_rows(rows: Any) -> None:
    answer = solvability(np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]), {"A": rows})
    assert answer["A"].rank == 1
    assert answer["A"].verdict is Verdict.UNIQUE  # the wrench is; its two multipliers are not
    assert not answer["A"].multipliers_unique
    np.testing.assert_allclose(np.abs(answer.N[:, 0]), np.array([2, 0, 1]) / np.sqrt(5), atol=1e-14)  # rounding
    np.testing.assert_allclose(np.abs(answer["A"].free[:, 0]), np.array([1, 2]) / np.sqrt(5), atol=1e-14)
    assert [c.name for c in answer["A"].components] == ["row 2", "row 0"]


def test_sparse_equals_dense() -> None:
    C = robot.constraint_matrix()
    for sparse in (csr_array(C), coo_array(C)):
        assert np.array_equal(solvability(sparse).verdicts.determined, solvability(C).verdicts.determined)


def test_named_components_and_intrinsic_rows() -> None:
    """A turned joint frame: components by P; intrinsic rows count in the rank but get no verdict."""
    c = np.sqrt(0.5)
    groups = (
        Group("J", GroupKind.JOINT, "pin", 0, 2),
        Group("K", GroupKind.JOINT, "slot", 2, 3),
        Group("rigid", GroupKind.INTRINSIC, "", 3, 4),
    )
    parts = {"J": Components(("Fu", "Fv"), ("N", "N"), np.array([[c, c], [-c, c]]))}
    C = np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    answer = solvability(ConstraintMatrix(C, RowTable(groups, components=parts)))
    assert [(x.name, x.unit, x.unique) for x in answer["J"].components] == [("Fu", "N", False), ("Fv", "N", True)]
    assert [g.name for g in answer] == ["J", "K"]
    assert answer.rank == 3
    assert "1 of 4" in answer.headline
    assert "0 of 2" in answer.headline


def test_full_rank_and_single_rows() -> None:
    answer = solvability(np.eye(3))
    assert answer.N.shape == (3, 0)
    assert answer.self_stress == ()
    assert answer.eliminations() == ()
    assert answer.T.shape == (3, 0)
    assert all(g.verdict is Verdict.UNIQUE and g.free.shape == (1, 0) and g.shares_with == () for g in answer)


def test_unilateral_is_noted() -> None:
    answer = solvability(GOOD, {"A": [0]}, unilateral=["A", 2])
    assert answer.unilateral == (0, 2)
    assert "`bounds`" in answer.notes[0]
