"""What must not change a verdict, and what may only change it in one direction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import reactio
from reactio.constraint_matrix import ConstraintMatrix, from_array
from reactio.uniqueness import Solvability, Verdict, solvability

from . import mechanisms
from . import mobile_robot as robot

Array = NDArray[np.float64]
GROUPS = {g.name: range(g.start, g.stop) for g in robot.labelled().rows.groups}


def said(answer: Solvability) -> dict[str, tuple[Verdict, int]]:
    return {g.name: (g.verdict, g.determined) for g in answer}


EXPECTED = said(solvability(robot.labelled()))


def test_row_scales_and_order() -> None:
    rng = np.random.default_rng(0)
    C = robot.constraint_matrix()
    for _ in range(50):
        order = rng.permutation(22)
        D = 10.0 ** rng.uniform(-6, 6, 22)
        back = np.argsort(order)
        groups = {name: back[list(rows)] for name, rows in GROUPS.items()}
        answer = solvability((D[:, None] * C)[order], groups)
        assert said(answer) == EXPECTED
        assert answer.confident
        # N comes back in the caller's rows: null vectors of the scaled matrix, rounding relative to each row.
        assert np.abs((D[:, None] * C)[order].T @ answer.N).max() < 1e-9 * D.max()


@pytest.mark.parametrize("scale", [1e-150, 1e-120, 1e120, 1e150])
def test_the_size_of_all_numbers(scale: float) -> None:
    """Squares of the entries just fit into double precision."""
    assert said(solvability(scale * robot.constraint_matrix(), GROUPS)) == EXPECTED


def test_column_basis_and_body_frames() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        T = rng.standard_normal((21, 21))
        assert said(solvability(robot.constraint_matrix() @ T, GROUPS)) == EXPECTED


@pytest.mark.parametrize("unit", [1e-3, 1e3])
@pytest.mark.parametrize("labels", [True, False])
def test_length_unit(unit: float, labels: bool) -> None:
    """Metres to millimetres: ω columns of length rows grow, all else stays."""
    matrix = robot.labelled()
    C = robot.constraint_matrix()
    rotation = np.array([15])  # the row in radians
    C[:, [2 + 3 * k for k in range(7)]] *= unit
    C[rotation] /= unit
    labelled = replace(matrix, C=C, length=matrix.length * unit)
    answer = solvability(labelled) if labels else solvability(C, GROUPS)
    assert said(answer) == EXPECTED
    assert answer.confident


def shifted(matrix: ConstraintMatrix, s: Array) -> ConstraintMatrix:
    """Reference points of all bodies moved by s (b, 2): v_old = v_new − ω × s."""
    C = matrix.C.copy()
    for b in range(len(s)):
        C[:, 3 * b + 2] += C[:, 3 * b] * s[b, 1] - C[:, 3 * b + 1] * s[b, 0]
    return replace(matrix, C=C)


@pytest.mark.parametrize("far", [1e1, 1e3, 1e5])
def test_far_reference_points(far: float) -> None:
    matrix = robot.labelled()
    s = far * matrix.length * np.random.default_rng(2).standard_normal((7, 2))
    near, answer = solvability(matrix), solvability(shifted(matrix, s))
    assert said(answer) == EXPECTED
    assert answer.confident
    # The shift is undone, so the margin stays within the same order.
    assert answer.decision.margin > 0.1 * near.decision.margin


@pytest.mark.parametrize("far", [1e1, 1e3, 1e5])
def test_far_reference_points_in_space(far: float) -> None:
    near = solvability(mechanisms.four_bar_in_space())
    shift = far * np.random.default_rng(3).standard_normal((3, 3))
    answer = solvability(mechanisms.four_bar_in_space(shift))
    assert said(answer) == said(near)
    assert answer.confident
    assert answer.decision.margin > 0.1 * near.decision.margin  # the shift is undone


def test_far_reference_points_without_labels() -> None:
    s = 1e3 * 0.2 * np.random.default_rng(3).standard_normal((7, 2))
    answer = solvability(shifted(robot.labelled(), s).C, GROUPS)
    assert said(answer) == EXPECTED


def test_joint_frames_may_turn() -> None:
    """Rows of a joint recombined: counts per joint stay; component flags follow the axes."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        C = robot.constraint_matrix()
        for rows in GROUPS.values():
            C[list(rows)] = (rng.standard_normal((len(rows), len(rows))) + 2 * np.eye(len(rows))) @ C[list(rows)]
        assert said(solvability(C, GROUPS)) == EXPECTED


def test_more_columns_never_lose_more_rows_never_gain() -> None:
    rng = np.random.default_rng(5)
    C = robot.constraint_matrix()
    for _ in range(30):
        wider = solvability(np.hstack([C, rng.standard_normal((22, 1)) * (rng.random((22, 1)) < 0.2)]), GROUPS)
        taller = solvability(np.vstack([C, rng.standard_normal((1, 21))]), GROUPS)
        for name, (_, determined) in EXPECTED.items():
            assert wider[name].determined >= determined
            assert taller[name].determined <= determined


def test_a_duplicated_row_is_undetermined_twice() -> None:
    C = np.random.default_rng(6).standard_normal((5, 8))
    answer = solvability(np.vstack([C, 3.0 * C[2]]))
    assert {g.name for g in answer if g.verdict is Verdict.NOT} == {"row 2", "row 5"}
    assert answer["row 2"].shares_with == ("row 5",)


@pytest.mark.parametrize(
    ("miss", "verdict"),
    [(0.0, Verdict.NOT), (1e-9, Verdict.AMBIGUOUS), (1e-3, Verdict.UNIQUE)],
)
def test_a_geometry_that_misses_redundancy(miss: float, verdict: Verdict) -> None:
    """Three parallel cranks of a rod on ground; the third is longer by ``miss``: 1e-9 has no engineering rank."""
    points = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]
    directions = [(np.cos(1.0 + d), np.sin(1.0 + d)) for d in (0.0, 0.0, miss)]
    C = np.array([[dx, dy, x * dy - y * dx] for (x, y), (dx, dy) in zip(points, directions, strict=True)])
    answer = solvability(C, {"A": [0], "B": [1], "C": [2]})
    assert {g.verdict for g in answer} == {verdict}
    assert answer.confident == (verdict is not Verdict.AMBIGUOUS)
    if verdict is Verdict.AMBIGUOUS:
        assert {v for g in answer for v, _ in g.alternatives} == {Verdict.NOT, Verdict.UNIQUE}
        assert "plausible" in answer.headline
        assert answer["A"].components[0].unique is None


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize(
    ("miss", "verdict", "determined"),
    [(0.0, Verdict.NOT, 0), (1e-9, Verdict.AMBIGUOUS, None), (1e-3, Verdict.PARTLY, 1)],
)
def test_two_pins_at_almost_one_point(miss: float, verdict: Verdict, determined: int | None, labels: bool) -> None:
    """The only lever of the turning column is ``miss``: equilibration must not blow it up to 1.

    With a real gap only the force along it is shared; with none both forces are.
    """
    matrix = mechanisms.planar(np.array([[0.0, 0.0]]), [(0, -1, (0.0, 0.0)), (0, -1, (miss, 0.0))])
    C = matrix.C.toarray()
    answer = solvability(replace(matrix, C=C)) if labels else solvability(C, {"J0": [0, 1], "J1": [2, 3]})
    assert {g.verdict for g in answer} == {verdict}
    assert determined is None or {g.determined for g in answer} == {determined}


def test_only_the_affected_groups_become_ambiguous() -> None:
    """Two separate sets of three parallel rods: one exact, one missing redundancy by 1e-9."""
    exact = np.array([[np.cos(1.0), np.sin(1.0), x * np.sin(1.0)] for x in (0.0, 1.0, 2.0)])
    near = exact.copy()
    near[2, :2] = np.cos(1.0 + 1e-9), np.sin(1.0 + 1e-9)
    C = np.block([[exact, np.zeros((3, 3))], [np.zeros((3, 3)), near]])
    answer = solvability(C)
    assert [g.verdict for g in answer] == [Verdict.NOT] * 3 + [Verdict.AMBIGUOUS] * 3


@pytest.mark.parametrize("name", ["mobile-robot", "four-bar-spatial", "bennett", "door"])
def test_a_bare_matrix_with_units_of_its_columns_says_the_same_in_any_unit_of_length(name: str) -> None:
    """Lengths times u: rows of lengths grow, columns of velocities shrink; the characteristic length is found again."""
    system = reactio.build(reactio.load(name))
    C = reactio.equations(system, reactio.assemble(system)).C.toarray()
    C[np.abs(C) < 1e-12] = 0.0  # rounding, which a bare matrix does not tell from a transmission of 1 : 10¹²
    lengths = np.array([unit == "m" for group in system.groups for unit in group.units])
    moving = np.array(system.column_units) != "rad/s"
    groups = {group.name: range(group.start, group.stop) for group in system.groups}
    told = []
    for unit in (1.0, 1e-12, 1e-6, 1e-3, 1e3, 1e6, 1e12):
        scaled = np.where(lengths, unit, 1.0)[:, None] * C / np.where(moving, unit, 1.0)
        answer = solvability(from_array(scaled, groups, columns=list(system.column_units)))
        told.append((said(answer), answer.rank, answer.confident))
    assert told == [told[0]] * len(told)
    assert told[0][2]
