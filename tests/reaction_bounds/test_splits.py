"""Intervals of contact forces against vertices in rational arithmetic, a second solver, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

import reactio
from reactio.errors import ReactioError
from reactio.linear.convex import polyhedron
from reactio.uniqueness.bounds import multiplier_bounds

from .exact_vertices import intervals

# Vertices come from a factorisation of numbers of order one: some digits above rounding.
CLOSE = 1e-9


def feet(rng: np.random.Generator) -> tuple[list[list[int]], list[int]]:
    """Some four to seven feet on a floor at whole places, and a weight at one: rows (1, x, y)."""
    places = rng.integers(-4, 5, size=(int(rng.integers(4, 8)), 2)).tolist()
    weight = int(rng.integers(1, 9))
    x, y = rng.integers(-3, 4, size=2).tolist()
    return [[1, *place] for place in places], [weight, weight * x, weight * y]


# 1973: the part of the load that the open rows bear is rounding only.
@pytest.mark.parametrize("seed", [*range(60), 1973])
def test_random_feet_against_exact_vertices(seed: int) -> None:
    C, f = feet(np.random.default_rng(seed))
    if np.linalg.matrix_rank(np.array(C)) < 3:
        pytest.skip("the feet stand in a line")
    exact = intervals(C, f)
    if exact is None:
        with pytest.raises(ReactioError, match="only push"):
            multiplier_bounds(np.array(C, float), np.array(f, float), unilateral=range(len(C)))
        return
    found = multiplier_bounds(np.array(C, float), np.array(f, float), unilateral=range(len(C)))
    low, high = (np.array([float(one[k]) for one in exact]) for k in range(2))
    np.testing.assert_allclose(found.low, low, atol=CLOSE * f[0])
    np.testing.assert_allclose(found.high, high, atol=CLOSE * f[0])


def test_columns_that_enter_one_after_the_other_give_the_same_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows than are handed over at once, against SciPy with all of them."""
    monkeypatch.setattr(polyhedron, "FEW_COLUMNS", 20)
    monkeypatch.setattr(polyhedron, "MOST_EXTRA_COLUMNS", 5)
    rng = np.random.default_rng(7)
    C = np.column_stack([np.ones(120), rng.uniform(-1, 1, (120, 2))])
    f = C.T @ rng.uniform(0, 1, 120)
    found = multiplier_bounds(C, f, unilateral=range(120))
    for i in range(0, 120, 7):
        ends = [sign * float(linprog(sign * np.eye(120)[i], A_eq=C.T, b_eq=f)["fun"]) for sign in (1.0, -1.0)]
        np.testing.assert_allclose([found.low[i], found.high[i]], ends, rtol=1e-7, atol=1e-7)


def test_a_pushing_row_beside_free_ones_is_limited_on_one_side() -> None:
    """Two equal rows carry 3: one can only push, so the other bears 3 at most, and nothing limits it below."""
    found = multiplier_bounds(np.array([[1.0], [1.0]]), np.array([3.0]), unilateral=[0])
    assert found.low.tolist() == [0.0, -np.inf]
    assert found.high.tolist() == pytest.approx([np.inf, 3.0])


@pytest.mark.parametrize("shape", ["square", "circle", "line of pairs"])
def test_feet_over_one_facet_are_settled_together(shape: str) -> None:
    """A plate on many feet: every upper end against SciPy, none too narrow, though few programmes are solved."""
    rng, count = np.random.default_rng(3), 60
    if shape == "square":
        places = rng.uniform(-1, 1, (count, 2))
    elif shape == "circle":
        turn = 2 * np.pi * np.arange(count) / count
        places = np.column_stack([np.cos(turn), np.sin(turn)])
    else:
        places = np.column_stack([np.repeat(np.arange(count // 2), 2) / 10.0, np.tile([-1.0, 1.0], count // 2)])
    C = np.column_stack([np.ones(count), places])
    f = np.array([1.0, *(places.mean(axis=0) + 0.1)])
    found = multiplier_bounds(C, f, unilateral=range(count))
    for i in range(0, count, 5):
        ends = [sign * float(linprog(sign * np.eye(count)[i], A_eq=C.T, b_eq=f)["fun"]) for sign in (1.0, -1.0)]
        np.testing.assert_allclose([found.low[i], found.high[i]], ends, rtol=1e-7, atol=1e-7)


def test_boxes_that_stand_on_each_other_are_parts_of_their_own() -> None:
    """Three boxes of weight W stacked: box k bears the weight of those above, on each corner up to half of it."""
    boxes = "\n".join(f"  b{k}: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, {0.2 + 0.4 * k}]}}" for k in range(3))
    corners = "".join(f"{{body: B, point: [{x}, {y}, -0.2]}}, " for x in (-0.2, 0.2) for y in (-0.2, 0.2))
    planes = ["ground", *(f"{{body: b{k}, point: [0, 0, 0.2], normal: [0, 0, 1]}}" for k in range(2))]
    contacts = "\n".join(
        f"  c{k}: {{type: point-on-plane, plane: {plane}, points: [{corners.replace('B', f'b{k}')}]}}"
        for k, plane in enumerate(planes)
    )
    model = reactio.parse_model(f"space: spatial\ngravity: [0, 0, -10]\nbodies:\n{boxes}\ncontacts:\n{contacts}\n")
    found = reactio.bounds(model)
    assert len(found) == 12
    for name, one in found.items():
        weight = 10.0 * (3 - int(name[1]))
        assert [one["Fz"].low, one["Fz"].high] == pytest.approx([0.0, weight / 2], abs=1e-8)
        assert all(other[:2] == name[:2] for other in one["Fz"].limited_by)


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6, 1e12])
def test_ends_do_not_depend_on_the_scale_of_the_rows(scale: float) -> None:
    """Rows in another unit have multipliers in another unit; three equal feet under a weight of 3 bear 0 … 3."""
    found = multiplier_bounds(scale * np.ones((3, 1)), np.array([3.0]), unilateral=range(3))
    np.testing.assert_allclose(scale * found.low, 0.0, atol=CLOSE)
    np.testing.assert_allclose(scale * found.high, 3.0, rtol=CLOSE)
