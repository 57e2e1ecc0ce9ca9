"""Intervals of reactions that can only push, and verdicts along a motion."""

from __future__ import annotations

import numpy as np
import pytest

from reactio.constraint_matrix import ConstraintMatrix, from_array
from reactio.errors import ReactioError
from reactio.uniqueness.bounds import multiplier_bounds
from reactio.uniqueness.history import history

from . import mobile_robot as robot

CORNERS = np.array([[1.0, x, y] for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))])


def test_box_on_four_corners() -> None:
    found = multiplier_bounds(CORNERS, np.array([1.0, 0.6, 0.6]), unilateral=range(4))
    # Vertices of a linear programme: exact up to the solver's feasibility tolerance 1e-7.
    np.testing.assert_allclose(found.low, [0.6, 0.0, 0.0, 0.0], atol=1e-7)
    np.testing.assert_allclose(found.high, [0.8, 0.2, 0.2, 0.2], atol=1e-7)
    assert not found.unique.any()


def test_load_over_one_leg_fixes_all_four() -> None:
    found = multiplier_bounds(CORNERS, np.array([1.0, 1.0, 1.0]), unilateral=range(4))
    assert found.unique.all()
    np.testing.assert_allclose(found.low, [1.0, 0.0, 0.0, 0.0], atol=1e-7)


def test_bilateral_rows_have_no_limits() -> None:
    found = multiplier_bounds(CORNERS, np.array([1.0, 0.6, 0.6]))
    assert np.isinf(found.low).all()
    assert np.isinf(found.high).all()


def test_loads_that_cannot_be_carried() -> None:
    with pytest.raises(ReactioError, match="only push"):
        multiplier_bounds(CORNERS, np.array([1.0, 1.5, 0.0]), unilateral=range(4))
    with pytest.raises(ReactioError, match="balance"):
        multiplier_bounds(np.array([[1.0, 0.0]]), np.array([0.0, 1.0]))


def turning(t: float) -> ConstraintMatrix:
    """Two bars on one slider: parallel at t = 0, independent otherwise."""
    return from_array([[1.0, 0.0], [np.cos(t), np.sin(t)], [0.0, 1.0]], {"A": [0], "B": [1], "C": [2]})


def test_events_where_a_verdict_changes() -> None:
    times = np.linspace(-1.0, 1.0, 5)
    result = history((turning(t) for t in times), times)
    assert result.rank.tolist() == [2, 2, 2, 2, 2]
    assert result.determined[:, 2].tolist() == [0, 0, 1, 0, 0]
    assert [(e.index, e.group) for e in result.events] == [(2, "C"), (3, "C")]
    assert result.events[0].after == "unique (1 determined)"


def test_history_of_ranks_and_bad_sequences() -> None:
    matrices = [robot.labelled()] * 2
    assert history(matrices, [0.0, 1.0]).events == ()
    with pytest.raises(ReactioError, match="one time"):
        history(matrices, [0.0])
    with pytest.raises(ReactioError, match="same groups"):
        history([turning(0.0), robot.labelled()], [0.0, 1.0])
