"""Following a motion: in time against exact solutions, and once around a mechanism."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.kinematics.cycle import cycle
from reactio.simulation.state_at import state_at, states_at


def test_driven_slider_crank_is_where_its_geometry_says() -> None:
    """Crank angle θ₀ + ω t; the piston follows from the triangle."""
    r, l, theta, omega, t = 0.05, 0.15, np.pi / 4, 100.0, 0.2
    system = reactio.build(reactio.load("slider-crank"))
    state = state_at(system, t)
    angle = theta + omega * t
    x = r * np.cos(angle) + np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    piston = system.body_q[system.model.body_index["piston"]]
    assert state.q[piston] == pytest.approx(x, abs=1e-9)  # tolerance of the integration, then projected on geometry


def test_double_four_bar_follows_its_one_degree_of_freedom() -> None:
    """All cranks stay parallel: (3 J_A + 2 m l²) θ̈ = −(3 m g l/2 + 2 m g l) cos θ, by energy from the start."""
    system = reactio.build(reactio.load("double-four-bar"))
    for state in states_at(system, [0.3, 0.6]):
        theta = state.q[2]
        kinetic = 0.5 * (3 * (1 / 3) + 2 * 1.0)  # ½ (three cranks about their hinges + two couplers) per ω²
        potential = 9.81 * (3 * 0.5 + 2 * 1.0)
        energy = kinetic * 1.0 + potential * 1.0  # at θ = 90°, θ̇ = −1
        rate = np.sqrt((energy - potential * np.sin(theta)) / kinetic)
        assert abs(state.v[2]) == pytest.approx(rate, rel=1e-7)  # integration tolerance 1e-9 over 0.6 s


def test_time_does_not_run_backwards() -> None:
    system = reactio.build(reactio.load("slider-crank"))
    with pytest.raises(reactio.ReactioError, match="cannot be asked for t = -1"):
        state_at(system, -1.0)


def test_once_around_comes_back() -> None:
    system = reactio.build(reactio.load("four-bar-planar"))
    states = list(cycle(system, steps=90))
    angles = np.array([s.q[2] for s in states])
    assert abs(abs(angles[-1] - angles[0]) - 2 * np.pi) < 0.1  # the crank made one full turn, to within a step
    assert 60 < len(states) < 130


def test_a_cycle_needs_one_freedom_or_a_velocity() -> None:
    with pytest.raises(reactio.ReactioError, match="3 freedoms"):
        list(cycle(reactio.build(reactio.load("table"))))
    with pytest.raises(reactio.ReactioError, match="cannot move"):
        list(cycle(reactio.build(reactio.load("slider-crank"))))
