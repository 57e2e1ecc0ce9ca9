"""Doubt stays doubt: neither another part of the matrix nor units turn it into a confident "unique"."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.sparse import csr_array

from reactio.errors import ReactioError
from reactio.uniqueness import Solvability, Verdict, solvability
from reactio.uniqueness.functional import directions, flags

TRIANGLE = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def agree(answer: Solvability) -> None:
    """What a few random vectors say of all groups is never more than what the null space says of each."""
    tol = answer.tolerances
    for group in answer:
        rows = answer.rows_of(group.index)
        exact = [
            np.linalg.norm(directions(np.eye(len(rows)), e, rows) @ N, axis=1)
            for e in answer.evidences
            for N in e.null_rows(rows)
        ]
        for one, many in zip(flags(exact, [tol.zero] * len(exact), tol.sure), group.components, strict=True):
            assert many.unique in (None, one)


@pytest.mark.parametrize("method", ["nullspace", "qr", "svd", "rank"])
@pytest.mark.parametrize("e", [5e-10, 1e-10, 2e-11])
def test_ill_conditioned_neighbour_hides_nothing(e: float, method: str) -> None:
    T, P = np.array([[1.0, 0.0], [1.0, e], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 4e-9]])
    answer = solvability(block_diag(T, P), {"a": [0], "b": [1], "X": [2], "p": [3], "q": [4]}, method=method)
    assert answer["X"].verdict is Verdict.AMBIGUOUS
    assert answer["X"].components[0].unique is None
    assert answer.functional("X").unique is None
    agree(answer)


@pytest.mark.parametrize("method", ["nullspace", "qr", "svd", "rank"])
@pytest.mark.parametrize(("e", "rounding"), [(2e-12, None), (3e-14, 0)])
def test_a_share_above_rounding_is_not_zero(e: float, rounding: float | None, method: str) -> None:
    """X has a share of e in the self-stress: more than errors of the entries make, so it is not called unique."""
    T, P = np.array([[1.0, 0.0], [1.0, e], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 4e-6]])
    groups = {"a": [0], "b": [1], "X": [2], "p": [3], "q": [4]}
    answer = solvability(block_diag(T, P), groups, method=method, rounding=rounding)
    assert answer["X"].verdict is Verdict.AMBIGUOUS
    assert answer["X"].components[0].unique is None
    assert answer.functional("X").unique is None
    assert [answer[name].verdict for name in "pq"] == [Verdict.UNIQUE] * 2
    many = solvability(csr_array(block_diag(*[T] * 60)), rounding=rounding)  # judged in blocks
    assert many["row 2"].verdict is Verdict.AMBIGUOUS
    assert many.functional("row 2").unique is None


def test_shares_that_rounding_makes_are_zero() -> None:
    """A matrix whose entries are right to 1e-16: the rows outside its one self-stress stay unique, however many."""
    rng = np.random.default_rng(12)
    for m in (6, 40, 140):
        Q, _ = np.linalg.qr(rng.standard_normal((m + 4, m + 4)))
        C = np.diag(np.logspace(0, -4, m)) @ Q[:m]  # a condition of 1e4
        answer = solvability(np.vstack([C, C[0] + C[1]]), rounding=0)
        assert [str(g.verdict) for g in answer] == ["not unique"] * 2 + ["unique"] * (m - 2) + ["not unique"]


@pytest.mark.parametrize("copies", [1, 100])  # 100: judged in blocks
@pytest.mark.parametrize("s", [-200, -20, -15, -12, -8, 8, 12, 15, 20, 200])
def test_units_of_columns_make_nothing_unique(s: int, copies: int) -> None:
    answer = solvability(csr_array(np.kron(np.eye(copies), TRIANGLE * [1.0, 10.0**s])))
    for group in answer:
        assert group.verdict in (Verdict.NOT, Verdict.AMBIGUOUS)
        assert not group.components[0].unique
        assert not answer.functional(group.name).unique
    agree(answer)


def test_rounding_is_no_unit() -> None:
    """6e-17 is what cos 90° leaves in floating point, or what somebody means: saying so settles it."""
    C = np.array([[1.0, 0.0], [1.0, 6e-17], [0.0, 1.0]])
    answer = solvability(C, rounding=1e-12)
    assert answer.confident
    assert [g.verdict for g in answer] == [Verdict.NOT, Verdict.NOT, Verdict.UNIQUE]
    unsaid = solvability(C)
    assert [g.verdict for g in unsaid] == [Verdict.NOT, Verdict.NOT, Verdict.AMBIGUOUS]
    assert unsaid["row 2"].components[0].unique is None
    assert unsaid.functional("row 2").unique is None


@pytest.mark.parametrize("blocks", [1, 60, 400])  # 60: judged in blocks; 400: too large for exact arithmetic
def test_what_small_entries_decide_is_ambiguous_at_every_size(blocks: int) -> None:
    """Row 2 is unique only if 6e-17 is zero; row 3 is whatever it is, and a block without self-stress is untouched."""
    T = np.array([[1.0, 0.0, 0.0], [1.0, 6e-17, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    free = np.array([[1.0, 1e-17], [0.0, 1.0]])
    answer = solvability(csr_array(block_diag(*[T] * blocks, free)))
    words = [str(g.verdict) for g in answer]
    assert words == ["not unique", "not unique", "ambiguous", "unique"] * blocks + ["unique"] * 2
    assert answer["row 2"].components[0].unique is None
    assert answer.functional("row 2").unique is None
    assert any("ambiguous" in note for note in answer.notes)


def test_dependent_rows_of_a_unique_wrench_are_not_unique_each() -> None:
    answer = solvability([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], {"A": [0, 1], "B": [2]})
    assert answer["A"].verdict is Verdict.UNIQUE
    assert [c.unique for c in answer["A"].components] == [False] * 2


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e26, 1e200, 1e300])
def test_overall_size_changes_nothing(scale: float) -> None:
    answer = solvability(TRIANGLE * scale)
    assert (answer.rank, answer.confident) == (2, True)
    assert [g.components[0].unique for g in answer] == [False] * 3
    assert solvability(TRIANGLE[:2] * scale).rank == 2


def test_entries_beyond_the_square_root_of_the_range() -> None:
    answer = solvability([[1e200, 0.0], [1e200, 1.0]])
    assert 2 in (answer.rank, *answer.decision.alternatives)
    assert not answer.confident


@pytest.mark.parametrize("what", ["1.2.3*A", "1e999*A", "", " ", {}, {("A", ""): np.inf}, ["x"], [[1.0], [1.0, 2.0]]])
def test_functionals_that_say_nothing_are_refused(what: Any) -> None:
    with pytest.raises(ReactioError):
        solvability(TRIANGLE, {"A": [0]}).functional(what)


@pytest.mark.parametrize(
    ("C", "options"),
    [
        (TRIANGLE, {"groups": [[0, 1]]}),
        (TRIANGLE, {"groups": {"A": 0.5}}),
        (TRIANGLE, {"rows": 3}),
        (TRIANGLE, {"unilateral": [0.5]}),
        (TRIANGLE, {"unilateral": 3}),
        ([[1.0, 2.0], [3.0]], {}),
        ([1.0, 2.0], {}),
        (3.0, {}),
    ],
)
def test_input_of_the_wrong_shape_is_refused(C: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ReactioError):
        solvability(C, **options)


@pytest.mark.parametrize("units", [("m/s", "m/s"), ("m/s", "rad/s"), None])
@pytest.mark.parametrize("decades", [3, 9, 12, 14])
def test_stated_units_do_not_hide_a_small_column(units: tuple[str, str] | None, decades: int) -> None:
    """Three rows on two velocities: exactly, no multiplier is unique, whatever the size of a column."""
    C = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * [1.0, 10.0**decades]
    answer = solvability(C, {"a": [0], "b": [1], "X": [2]}, columns=units)
    assert all(group.verdict in ("not unique", "ambiguous") for group in answer.groups)
