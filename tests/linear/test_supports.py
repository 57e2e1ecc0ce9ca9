"""Ends over the bodies that stand on the asked one, against those over the whole set."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csc_array, vstack

from reactio.arrays import Floats, Ints
from reactio.linear.convex import polyhedron
from reactio.linear.convex.polyhedron import Infeasible, Polyhedron
from reactio.linear.convex.supports import NOBODY, Supports

CORNERS = (-0.45, -0.05, 0.05, 0.45)  # of a brick on those below, whose middles are half a brick away


def wall(courses: int, bricks: int, rng: np.random.Generator) -> tuple[csc_array, Floats, Ints]:
    """A (n, m), b (n,) and the body (n,) of bricks in bond: their vertical forces and moments.

    Half of the outer bricks in every other course stands out, so that they tip unless bricks on them hold them down.
    """
    columns, number = [], dict[tuple[int, int], int]()
    for r in range(courses):
        for c in range(bricks - r % 2):
            number[r, c] = len(number)
    weight = rng.uniform(1.0, 1.2, len(number))
    for (r, c), X in number.items():
        offset, other = 0.5 * (r % 2), 0.5 * ((r + 1) % 2)
        for x in CORNERS:
            at, column = c + offset + x, np.zeros(2 * len(number))
            below = (r - 1, round(at - other)) if r else None
            if below and below not in number:
                continue
            column[2 * X : 2 * X + 2] = 1.0, x
            if below:
                Y = number[below]
                column[2 * Y : 2 * Y + 2] = -1.0, -(at - other - below[1])
            columns.append(column / np.linalg.norm(column))
    body = np.repeat(np.arange(len(number)), 2)
    return csc_array(np.array(columns).T), np.where(np.arange(2 * len(number)) % 2, 0.0, weight[body]), body


def test_ends_over_parts_are_those_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polyhedron, "FEW_COLUMNS", 10)
    A, b, body = wall(6, 14, np.random.default_rng(5))
    m = A.shape[1]
    sets = [Polyhedron(A, b, np.zeros(m), np.full(m, np.inf), 1.0, owner) for owner in (None, body)]
    supports, smaller = Supports(A, b, body), 0
    assert NOBODY in supports.below  # bricks that tip
    for j in range(m):
        ends = [of.interval(np.array([j]), np.ones(1)) for of in sets]
        assert [end.value for end in ends[1]] == pytest.approx([end.value for end in ends[0]], abs=1e-8)
        smaller += supports.part([j], None) is not None
    assert smaller > 0.3 * m
    pair = np.array([3, m - 2])
    whole, parts = (of.interval(pair, np.array([1.0, -0.5])) for of in sets)
    assert [end.value for end in parts] == pytest.approx([end.value for end in whole], abs=1e-8)


def test_bodies_that_are_not_supported_decide_whether_there_is_any_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polyhedron, "FEW_COLUMNS", 10)
    A, b, body = wall(6, 14, np.random.default_rng(5))
    m = A.shape[1]
    Polyhedron(A, b, np.zeros(m), np.full(m, np.inf), 1.0, body).refuse_empty()
    b[2 * (14 + 13)] = 500.0  # the outer brick of the third course, heavier than what holds it down: it tips
    heavy = Polyhedron(A, b, np.zeros(m), np.full(m, np.inf), 1.0, body)
    with pytest.raises(Infeasible) as tipping:
        heavy.refuse_empty()
    w = tipping.value.direction
    assert (A.T @ w).max() < 1e-9
    assert b @ w > 1e-3
    assert 0 < np.count_nonzero(np.abs(w) > 1e-9) < len(w) / 2


def test_a_body_that_nothing_touches_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polyhedron, "FEW_COLUMNS", 10)
    A, b, body = wall(6, 14, np.random.default_rng(5))
    m = A.shape[1]
    alone = Polyhedron(
        csc_array(vstack([A, csc_array((2, m))])),
        np.append(b, [0.0, 0.0]),
        np.zeros(m),
        np.full(m, np.inf),
        1.0,
        np.append(body, [body.max() + 1] * 2),
    )
    alone.refuse_empty()
    stack = Polyhedron(A, b, np.zeros(m), np.full(m, np.inf), 1.0)
    j = np.array([m - 1])
    ends = [[end.value for end in of.interval(j, np.ones(1))] for of in (alone, stack)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-8)
    alone.b[-1] = 1.0
    with pytest.raises(Infeasible):
        Polyhedron(alone.A, alone.b, alone.low, alone.high, 1.0, alone.body).refuse_empty()


def test_a_body_that_would_tip_is_not_supported_and_belongs_to_the_part() -> None:
    # A plank on two feet at 0 and 1 with an end at 2, on which a block stands: without the block it rests, with it it
    # tips, so that the feet do not bear whatever stands on it.
    at_feet, on_end = [[1.0, 0.0], [1.0, 1.0]], [-1.0, -2.0]
    A = np.zeros((3, 3))
    A[:2, 0], A[:2, 1], A[:2, 2], A[2, 2] = *at_feet, on_end, 1.0
    supports = Supports(csc_array(A), np.array([10.0, 5.0, 1.0]), np.array([0, 0, 1]))
    assert supports.below.tolist() == [NOBODY, NOBODY, NOBODY]
    A[1, 2] = -0.5
    supports = Supports(csc_array(A), np.array([10.0, 5.0, 1.0]), np.array([0, 0, 1]))
    assert supports.below.tolist() == [0, 0, 1]


def test_a_load_that_lifts_a_body_is_not_borne() -> None:
    A = csc_array(np.array([[1.0, -1.0], [0.0, 1.0]]))
    assert Supports(A, np.array([-1.0, 2.0]), np.array([0, 1])).below.tolist() == [NOBODY, NOBODY]
    assert Supports(A, np.array([1.0, 2.0]), np.array([0, 1])).below.tolist() == [0, 1]
