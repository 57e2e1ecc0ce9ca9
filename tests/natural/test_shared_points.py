"""The classical form: fewer rows, the same motion, no reactions."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.dynamics.shared import merged


def test_four_bar_as_the_papers_write_it() -> None:
    """Points 1 and 2 move, three lengths are fixed (Sharma & Ghosal, Sect. 3.1)."""
    one = merged(reactio.build(reactio.shared_points(reactio.load("four-bar-planar"))))
    assert one.k == 4
    assert len(one.rows) == 3
    assert one.joints == ("A", "B", "C", "D")


@pytest.mark.parametrize("name", ["four-bar-planar", "slider-crank", "four-bar-spatial"])
def test_same_motion(name: str) -> None:
    model = reactio.load(name)
    one = reactio.simulate(model, 0.05, tol=1e-11, output=3)
    other = reactio.simulate(reactio.shared_points(model), 0.05, tol=1e-11, output=3)
    for body in model.bodies:
        a, b = one.body(body.name), other.body(body.name)
        np.testing.assert_allclose(a.position, b.position, atol=1e-8)  # both keep 1e-11 a step
        np.testing.assert_allclose(a.velocity, b.velocity, atol=1e-8 * (1 + np.abs(a.velocity).max()))
    assert other.energy_error < 1e-8
    assert max(other.position_drift, other.velocity_drift) < 1e-11


def test_reactions_are_refused_with_the_reason() -> None:
    model = reactio.shared_points(reactio.load("four-bar-planar"))
    assert reactio.parse_model(reactio.to_yaml(model)).share_points
    system = reactio.build(model)
    for ask in (
        lambda: reactio.check(system),
        lambda: reactio.reactions(reactio.equations(system)),
        lambda: reactio.simulate(system, 0.01, output=2)["A"],
    ):
        with pytest.raises(reactio.ReactioError, match=r"with the equation the reaction is gone.*joint-augmented"):
            ask()
