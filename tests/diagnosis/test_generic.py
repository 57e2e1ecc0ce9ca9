"""Generic ranks: redundancies of any dimensions, and special ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

import reactio
from reactio.diagnosis.generic import generic_ranks
from reactio.model.specs import Element
from reactio.model.transform.natural import natural, with_ground_points


@pytest.mark.parametrize(
    ("name", "redundancy", "generic"),
    [
        ("bennett", 3, 2),  # 20 equations of 18 velocities; the third by its angles and lengths
        ("sharma-ghosal", 1, 1),  # three sliders in one loop, whatever its dimensions
        ("double-four-bar", 0, 0),
        ("mobile-robot", 2, 1),
        ("door", 10, 9),  # three hinges hold it six times over; on one line they leave it free
        ("table", 1, 0),  # four parallel legs: in space a platform on four rods is not redundant
    ],
)
def test_generic_and_special_redundancy(name: str, redundancy: int, generic: int) -> None:
    found = generic_ranks(reactio.load(name))
    assert (found.here.redundancy, found.generic.redundancy, found.special) == (
        redundancy,
        generic,
        redundancy - generic,
    )
    assert found.exact
    assert "exact arithmetic" in found.words[1]


def test_lengths_that_are_not_rational_are_said() -> None:
    text = """
space: planar
bodies:
  b: {kind: point, mass: 1, position: [1, 0]}
  c: {kind: point, mass: 1, position: [3, 0]}
joints:
  e0: {type: distance, a: ground, b: b}
  e1: {type: distance, a: b, b: c}
  e2: {type: distance, a: c, b: {body: ground, point: [2, 0]}}
"""
    found = generic_ranks(reactio.parse_model(text))
    assert (found.here.redundancy, found.generic.redundancy, found.exact) == (1, 0, False)
    assert "floating point" in found.words[1]


def test_natural_coordinates_with_and_without_points_of_ground() -> None:
    """Sharma & Ghosal, Table 1: r = 19 of 20 × 20 with them; 15 of 16 × 16 without; the same verdicts."""
    without = natural(reactio.load("sharma-ghosal"))
    answers = [reactio.check(model) for model in (without, with_ground_points(without))]
    assert [(a.m, a.n, a.rank) for a in answers] == [(16, 16, 15), (20, 20, 19)]
    chosen = with_ground_points(without, ((0.0, 2.0), (3.0, 0.0)))
    for joint, (own, outside) in {"P1": (2, 18), "P3": (2, 18), "R1": (2, 17), "R3": (2, 17)}.items():
        for answer in (answers[1], reactio.check(chosen)):
            assert (answer[joint].rank, answer[joint].rank_outside) == (own, outside)
        assert answers[0][joint].verdict == answers[1][joint].verdict


def test_the_bennett_linkage_is_finished_in_exact_arithmetic() -> None:
    """sin α = 3/5 and sin β = 5/13: all points and axes are rational, in absolute and in natural coordinates."""
    model = reactio.load("bennett", a=1, b="25/39", alpha="2*atan(1/3)", theta="2*atan(2)")
    for one, size in ((model, (20, 18, 17)), (natural(model), (38, 36, 35))):
        answer = reactio.check(one, exact=True)
        assert answer.exact is not None
        assert (answer.m, answer.n, answer.exact.rank) == size
        assert {(answer[joint].rank, answer.exact.rank - answer[joint].rank_outside) for joint in "ABCD"} == {(5, 2)}


def test_the_elements_of_a_user_count_in_both_ranks() -> None:
    """Three points on one arm and two on the others: C has two rows and columns more, and so has the generic one."""
    model = natural(reactio.load("sharma-ghosal"))
    points = {"arm1": ((-0.3, -0.05), (0.3, 0.05), (0.0, 0.0)), "arm2": ((-0.15, 0.35), (0.15, -0.35))}
    chosen = tuple(
        replace(body, elements=tuple(Element("point", at) for at in points.get(body.name, ((0.0, 0.0), (0.1, 0.2)))))
        for body in model.bodies
    )
    found = generic_ranks(replace(model, bodies=chosen))
    assert (found.here.m, found.here.n, found.here.rank) == (18, 18, 17)
    assert (found.generic.m, found.generic.n, found.generic.rank) == (18, 18, 17)
    assert [found.generic[name].rank_outside for name in ("P1", "R1")] == [16, 15]
    assert found.exact


def test_a_drive_that_random_dimensions_leave_nothing_to_move_is_named() -> None:
    """Random edges lock the robot, so that its steering repeats the joints: 21 rows of 21 columns, and the drive."""
    found = generic_ranks(reactio.load("mobile-robot"))
    assert "block 1 of the driven motions" in found.words[2]
    assert "without drives 2 equations would be redundant, 0 of them generic" in found.words[2]
    assert len(generic_ranks(reactio.load("bennett")).words) == 2


def test_a_model_without_constraints_is_refused() -> None:
    model = reactio.parse_model("space: planar\nbodies: {p: {mass: 1, inertia: 1, position: [0, 0]}}")
    with pytest.raises(reactio.ReactioError, match="has no constraints: there is no redundancy to judge"):
        generic_ranks(model)
