"""The papers' verdicts on matrices written out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from reactio.uniqueness import Solvability, Verdict, solvability
from reactio.uniqueness.deciders import DECIDERS

from . import mechanisms
from . import mobile_robot as robot


@pytest.fixture(scope="module")
def answer() -> Solvability:
    return solvability(robot.labelled())


def test_ranks_of_the_mobile_robot(answer: Solvability) -> None:
    assert (answer.m, answer.n, answer.rank, answer.redundancy, answer.mobility) == (22, 21, 20, 2, 1)
    C = robot.constraint_matrix()
    assert solvability(C[:17]).rank == 17
    assert solvability(C[17:]).rank == 4
    assert answer.confident
    assert answer.headline == "2 of 22 constraint equations are redundant; 8 of 14 reactions are unique."


@pytest.mark.parametrize("method", DECIDERS)
def test_published_tests_agree_on_the_mobile_robot(method: str) -> None:
    answer = solvability(robot.labelled(), method=method)
    assert {g.name for g in answer if g.verdict is Verdict.UNIQUE} == robot.UNIQUE
    assert {g.name: g.determined for g in answer if g.name not in robot.UNIQUE} == {
        "B": 1, "C": 1, "W1": 0, "W2": 0, "W3": 0, "W4": 0,
    }  # fmt: skip


def test_ranks_inside_and_outside(answer: Solvability) -> None:
    C = robot.constraint_matrix()
    for group in answer:
        rows = answer.rows_of(group.index)
        assert group.rank == np.linalg.matrix_rank(C[rows])
        assert group.rank_outside == np.linalg.matrix_rank(np.delete(C, rows, axis=0))
        assert (group.rank + group.rank_outside == answer.rank) == (group.name in robot.UNIQUE)


def test_norms_of_B(answer: Solvability) -> None:
    for group in answer:
        # Four printed digits; zeros are rounding of a matrix with entries near 1.
        expected = robot.FROBENIUS.get(group.name, 0.0)
        assert np.linalg.norm(answer.B(group.name)) == pytest.approx(expected, abs=5e-5 if expected else 1e-13)


def test_partners_and_eliminations_are_those_of_the_paper(answer: Solvability) -> None:
    assert answer["B"].shares_with == ("C", "W1", "W2", "W3", "W4")
    assert answer["A"].shares_with == ()
    np.testing.assert_allclose(np.abs(answer["B"].free), [[0.0], [1.0]], atol=1e-12)  # rounding
    assert [c.unique for c in answer["B"].components] == [True, False]
    assert {("W3", "W4")} < {s.groups for s in answer.self_stress}
    assert {(5, 20), (17, 20), (18, 20)} <= set(answer.eliminations())  # the three variants of Sect. 4.4
    assert (3, 5) not in answer.eliminations()


def test_self_stress_balances(answer: Solvability) -> None:
    C = robot.constraint_matrix()
    assert len(answer.self_stress) == 2
    for state in answer.self_stress:
        assert np.abs(C.T @ state.lam).max() < 1e-12  # rounding of entries up to 1
        for drop in state.rows:
            rest = [i for i in state.rows if i != drop]
            assert np.linalg.matrix_rank(C[rest]) == len(rest)


def test_functionals(answer: Solvability) -> None:
    assert answer.functional("B.Fy - C.Fy").unique
    assert answer.functional("W3 + W4 - B.Fy - C.Fy").unique
    assert answer.functional("B.Fy + C.Fy").unique is False
    assert answer.functional({("B", "Fx"): 1.0, ("C", "Fx"): 2.5}).unique
    assert answer.functional(np.eye(22)).determined == 20


def test_four_bar_in_space() -> None:
    """Revolutes with parallel axes z: in-plane force unique, out-of-plane force and the two moments not."""
    answer = solvability(mechanisms.four_bar_in_space())
    assert (answer.rank, answer.redundancy) == (17, 3)
    for group in answer:
        assert (group.verdict, group.determined) == (Verdict.PARTLY, 2)
        assert [c.unique for c in group.components] == [True, True, False, False, False]
        assert len(group.shares_with) == 3


def test_bennett_linkage() -> None:
    """Opposite links equal, a/sin α = b/sin β: 20 × 18 of rank 17, 2 of 5 components determined in every joint."""
    a, b, alpha = 1.0, 1.6, 0.5
    beta = np.pi - np.arcsin(b * np.sin(alpha) / a) if b * np.sin(alpha) < a else np.nan
    links, twist = (a, b, a, b), (alpha, beta, alpha, beta)
    k = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    first = 1.1
    second = 2.0 * np.arctan(k / np.tan(first / 2))
    angles = (first, second, 2 * np.pi - first, 2 * np.pi - second)
    frame, points, axes = np.eye(4), [], []
    for theta, length, turn in zip(angles, links, twist, strict=True):
        points.append(frame[:3, 3].copy())
        axes.append(frame[:3, 2].copy())
        frame = frame @ denavit_hartenberg(theta, length, turn)
    np.testing.assert_allclose(frame, np.eye(4), atol=1e-12)  # the loop closes: rounding only
    centres = np.array([(points[i] + points[i + 1]) / 2 for i in range(3)])
    pairs = [(0, -1), (1, 0), (2, 1), (-1, 2)]
    joints = [(i, j, p, z) for (i, j), p, z in zip(pairs, points, axes, strict=True)]
    answer = solvability(mechanisms.revolutes(centres, joints))
    assert (answer.m, answer.n, answer.rank) == (20, 18, 17)
    assert [(g.verdict, g.determined) for g in answer] == [(Verdict.PARTLY, 2)] * 4


def denavit_hartenberg(theta: float, a: float, alpha: float) -> np.ndarray:
    """Rotation θ about z, then shift a and rotation α along the new x."""
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, 0], [0, 0, 0, 1.0]])
