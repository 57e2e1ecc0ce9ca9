"""Gears in models that are written: the turns they count start anew where the file is read."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.kinematics.body_state import model_at

TEXT = """
space: planar
bodies:
  sun: {mass: 1, inertia: 0.1, position: [0, 0], orientation: 0.3}
  arm: {mass: 1, inertia: 0.1, position: [cos(3)/2, sin(3)/2], orientation: 3}
  planet: {mass: 1, inertia: 0.1, position: [cos(3), sin(3)]}
joints:
  S: {type: revolute, bodies: [ground, sun], at: [0, 0]}
  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}
  P: {type: revolute, bodies: [arm, planet], at: [cos(3), sin(3)]}
  G: {type: gear, a: {body: sun, point: [0, 0]}, b: {body: planet, point: [0, 0]}, radius_a: 0.6, radius_b: 0.4OFFSET}
"""


@pytest.mark.parametrize("offset", ["", ", offset: -3.0"])  # left to the pose, or given as it is there
@pytest.mark.parametrize("turned", [0.1, 0.5, 4.0, 9.0])
def test_a_gear_that_was_turned_closes_when_it_is_read_again(offset: str, turned: float) -> None:
    """The arm turns past 180° as seen from the sun: the written gear was off by 2π times its radii, 6.28 m."""
    system = reactio.build(reactio.parse_model(TEXT.replace("OFFSET", offset)))
    # Sun held: the planet turns by (1 + 0.6/0.4) times the arm, as pitch circles roll.
    q = np.array(system.q0)
    arm = 3 + turned
    q[3:6] = [np.cos(arm) / 2, np.sin(arm) / 2, arm]
    q[6:9] = [np.cos(arm), np.sin(arm), 2.5 * turned]
    state = system.state()
    for part in np.linspace(0, 1, 10)[1:]:  # in small turns, so that they are counted
        here = q.copy()
        a = 3 + part * turned
        here[3:9] = [np.cos(a) / 2, np.sin(a) / 2, a, np.cos(a), np.sin(a), 2.5 * part * turned]
        here[9:] = state.q[9:]
        state = reactio.assemble(system, reactio.State(0.0, here, 0 * state.v))
    assert np.abs(reactio.equations(system, state).Phi).max() < 1e-12
    again = reactio.build(model_at(system, state))
    assert np.abs(reactio.equations(again).Phi).max() < 1e-12
