"""A double is the fraction that it is: exact ranks are those of the given numbers, and rounding settles no doubt."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, lil_array

from reactio.arrays import Floats
from reactio.uniqueness import Tolerances, Verdict, solvability
from reactio.uniqueness.last_digits import is_plain, modular_null_space
from reactio.uniqueness.words import LAST_DIGITS_DECIDE, LAST_DIGITS_UNREAD


@pytest.mark.parametrize("k", [20, 31, 40, 51, 60])
def test_rows_parallel_exactly_stay_parallel(k: int) -> None:
    """[1, 2^k] and [2^-k, 1]: small fractions nearby would make 2^-k zero, and the matrix regular."""
    C = np.array([[1.0, 2.0**k], [2.0**-k, 1.0]])
    answer = solvability(C, exact=True)
    assert answer.exact is not None
    assert (answer.rank, answer.exact.rank) == (1, 1)
    assert [g.verdict for g in answer] == [Verdict.NOT] * 2
    assert [g.components[0].unique for g in answer] == [False] * 2
    assert answer.functional([1.0, 1.0]).unique is False


def test_fractions_nearby_are_said_with_what_was_rounded() -> None:
    answer = solvability([[0.1, 0.3], [0.3, 0.9]], exact=True)
    assert answer.exact is not None
    assert [g.verdict for g in answer] == [Verdict.NOT] * 2
    assert "4 entries read as fractions with denominators up to 10" in answer.exact.statement
    assert "to the last digit, have rank 2" in answer.exact.statement


def test_doubles_settle_what_is_larger_than_rounding() -> None:
    answer = solvability([[1.0, 0.3], [1.0, 0.3 * (1 + 1e-9)]], exact=True)
    assert (answer.rank, answer.confident) == (2, True)
    assert [g.verdict for g in answer] == [Verdict.UNIQUE] * 2


def test_last_digits_of_rounded_numbers_make_nothing_unique() -> None:
    """√2 · √2 is not 2 in doubles: exactly the rank is 2, by a digit that means nothing."""
    root = np.sqrt(2.0)
    answer = solvability([[root, 1.0], [2.0, root]], exact=True)
    assert not answer.confident
    assert [g.verdict for g in answer] == [Verdict.AMBIGUOUS] * 2
    assert [g.components[0].unique for g in answer] == [None] * 2


def test_ranks_modulo_a_prime_are_exact() -> None:
    C = np.array([[1.0, 2.0**31, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0**31 + 1.0, 0.0]])
    null = modular_null_space(C)
    assert null is not None
    assert null.rank == 2
    assert null.vanishes(np.array([1.0, 0.0, 1.0]), np.arange(3))  # N = (1, 1, −1)
    assert not null.vanishes(np.array([1.0]), np.array([2]))


@pytest.mark.parametrize(("x", "plain"), [(3.0, True), (0.375, True), (2.0**-51, True), (0.1, False), (1 / 3, False)])
def test_numbers_that_were_rounded_are_known_by_their_bits(x: float, plain: bool) -> None:
    assert is_plain(np.array([[x]])) is plain


@pytest.mark.parametrize("distance", [1e-7, 1e-9, 1e-11, 1e-12, 1e-13])
def test_rows_that_nearly_repeat_are_ambiguous_at_every_distance(distance: float) -> None:
    """Larger than rounding and smaller than what is meant; 1e-11 … 1e-13 were "not unique" for unique."""
    answer = solvability([[1.0, 0.3, 0.0], [1.0, 0.3 * (1 + distance), 0.0], [0.0, 0.0, 1.0]])
    assert [g.verdict for g in answer] == [Verdict.AMBIGUOUS] * 2 + [Verdict.UNIQUE]
    assert not answer.decision.confident


def test_a_difference_in_the_last_digit_is_said() -> None:
    answer = solvability([[0.1, 0.3], [0.3, 0.9]])
    assert [g.verdict for g in answer] == [Verdict.NOT] * 2
    assert "To the last digit the matrix has rank 2" in answer.last_digits
    assert not solvability([[1.0, 3.0], [3.0, 9.0]]).last_digits


@pytest.mark.parametrize("k", [20, 40, 51])
def test_a_determined_term_in_large_units_hides_nothing(k: int) -> None:
    """λ_0 = 2^-k t is undetermined, and λ_2 unique: so is their sum not, whatever the units of the rows."""
    C = np.array([[1.0, 2.0**k, 0.0], [2.0**-k, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert solvability(C).functional([1.0, 0.0, 1.0]).unique is not True
    assert solvability(C).functional([0.0, 0.0, 1.0]).unique is True


def test_a_sample_of_structured_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near-duplicate and near-dependent rows, rings, graded, integers, single precision: 20 of each."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    tallies, wrong = importlib.import_module("verdicts_matrices").run(140, seed=5, progress=False)
    assert not wrong
    assert tallies["integers"]["groups ambiguous"] == 0


def test_unique_within_rounding_alone_is_ambiguous() -> None:
    """Two rows that differ in their last digit carry a third one, to that digit; other thresholds ask for no digits."""
    third = 1 / 3
    C = [[1.0, third, 0.0], [1.0, np.nextafter(third, 1), 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    answer = solvability(C)
    assert [str(group.verdict) for group in answer] == ["not unique", "not unique", "ambiguous", "unique"]
    assert answer["row 2"].components[0].unique is None
    assert answer.functional([0, 0, 2, 1]).unique is None
    assert LAST_DIGITS_DECIDE in answer.notes
    assert str(solvability(C, tolerances=Tolerances())["row 2"].verdict) == "unique"


def chained(C: list[list[float]], length: int) -> csr_array:
    """C with a chain of rows on its columns, each of which alone acts on one more column: all in one block."""
    m, n = np.shape(C)
    links = [*range(n), *range(n, n + length - 1)]
    out = lil_array((m + length, n + length))
    out[:m, :n] = np.array(C)
    for k in range(length):
        out[m + k, n + k] = 1.0
        out[m + k, links[k]] = -1.0
    for j in range(n):
        out[m + n, j] = 1.0
    return csr_array(out)


def test_last_digits_count_in_large_matrices() -> None:
    """Row 2 is row 0 and 2⁻⁴⁹ of row 1, which so is undetermined; a thousand rows take no load and change nothing."""
    C = [[1.0, 1.0, 1.0, 1.0], [1.0, 2.0, -1.0, 1.0]]
    C.append([x + 2.0**-49 * y for x, y in zip(*C, strict=True)])
    answer = solvability(chained(C, 1200))
    assert answer.rank == 1202
    assert [answer[f"row {i}"].verdict for i in range(4)] == ["not unique", "ambiguous", "not unique", "unique"]
    assert LAST_DIGITS_DECIDE in answer.notes
    nearly = solvability(chained([[0.1, 0.3], [0.3, 0.9]], 1200))
    assert "To the last digit the matrix has rank 1202" in nearly.last_digits


def test_rows_that_alone_act_on_a_column_bear_nothing() -> None:
    """The elimination of the others gives the same null space; zeros that are stored are none the less zeros."""
    C = csr_array(np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [2.0, 4.0, 0.0, 0.0], [0.0, 3.0, 1.0, 1.0]]))
    C.data[C.data == 4.0] = 0.0
    null = modular_null_space(C)
    assert null is not None
    assert null.rank == 3
    assert null.place.tolist() == [0, 1, 2, 3]
    assert [null.vanishes(np.ones(1), np.array([i])) for i in range(4)] == [False, False, False, True]


def test_what_is_too_large_for_the_last_digit_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reactio.uniqueness.last_digits.LARGEST_CORE", 1)
    assert solvability([[0.1, 0.3], [0.3, 0.9]]).last_digits == LAST_DIGITS_UNREAD
    assert not solvability([[0.1, 0.3], [0.3, 0.8]]).last_digits


@pytest.mark.parametrize("factor", [1e-9, 1e-13, 1e-14, 1e-17, 1e-30, 2.0**-60])
@pytest.mark.parametrize("turn", [np.eye(3), np.array([[0.3, 0.1, 0.77], [0.2, 0.9, 0.33], [1 / 3, 1 / 7, 0.5]])])
def test_a_small_factor_of_an_undetermined_term_is_no_rounding(factor: float, turn: Floats) -> None:
    """1 A + δ B, with B anything: the sum is anything too; a reaction that is determined may have any factor."""
    C = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]) @ turn
    answer = solvability(C, {"A": [0], "B": [1], "C": [2], "D": [3]})
    P = np.array([[1.0, factor, 0.0, 0.0]])
    assert answer.functional(P).unique is None
    assert answer.functional({("A", "row 0"): 1.0, ("B", "row 1"): factor}).unique is None
    assert answer.functional(P[:, [0, 2, 3, 1]]).unique
    assert answer.functional(np.array([[1.0, 1.0, 1.0, factor]])).unique
