"""Minimal coordinates: the equations of motion in T, its projections, and the reference integrator."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.forward_dynamics.accelerate import accelerations
from reactio.integrate.integrator import integrate
from reactio.linear.continuation import polar
from reactio.singular.minimal.equations import factor, reduced, velocity
from reactio.singular.minimal.run import closed, run_in_minimal_coordinates
from reactio.singular.second_order.null_spaces import null_spaces
from reactio.system.evaluate.coordinates import advance

# One of each: m < n, m = n with rank < m, m > n, in the plane and in space; a driven one.
NAMES = ["double-four-bar", "two-by-two-four-bar", "modified-triple-four-bar", "four-bar-spatial", "mobile-robot"]


@pytest.mark.parametrize("name", NAMES)
def test_accelerations_are_those_of_the_constrained_equations(name: str) -> None:
    """Masarati, Quro & Zanoni 2023, Eqs 4–11, against Gauss' principle in all coordinates."""
    system = reactio.build(reactio.load(name))
    eqs = reactio.equations(system, reactio.assemble(system))
    found = factor(eqs)
    made = reduced(eqs, found.T, found)
    assert np.abs(made.vdot - accelerations(eqs).vdot).max() < 1e-9 * (1 + np.abs(made.vdot).max())
    v = velocity(eqs, found.T, found, eqs.state.v + 0.1)
    assert eqs.C @ v == pytest.approx(eqs.nu, abs=1e-12)


def test_normal_accelerations_are_the_turning_of_a_continued_basis() -> None:
    """β″ = Ṫ u when Tᵀ Ṫ = 0, for two freedoms, by a central difference along the motion."""
    system = reactio.build(reactio.load("two-by-two-four-bar"))
    state, h = reactio.assemble(system), 1e-5
    eqs = reactio.equations(system, state)
    T = factor(eqs).T
    sides = [polar(null_spaces(system, closed(system, state, s * h * state.v)[1]).V, T) for s in (1, -1)]
    columns = system.column_scale / system.length
    u = T.T @ (state.v / columns)
    turning = columns * ((sides[0] - sides[1]) / (2 * h) @ u)
    assert reduced(eqs, T, factor(eqs)).beta == pytest.approx(turning, abs=1e-7)  # h² and rounding over h


def test_closing_leaves_the_minimal_coordinates_alone() -> None:
    """Eqs 12–13: the correction has no part along T."""
    system = reactio.build(reactio.load("two-by-two-four-bar"))
    state = reactio.assemble(system)
    found = factor(reactio.equations(system, state))
    columns = system.column_scale / system.length
    d, pose, _ = closed(system, state, columns * (found.T @ np.array([0.02, -0.03])))
    assert np.abs(reactio.equations(system, pose).Phi).max() < 1e-12
    assert pose.q == pytest.approx(advance(system, state.q, d), abs=1e-15)
    # Newton steps along Q₁, and Q₁ itself turns by the step: second order of 0.03.
    assert found.T.T @ (d / columns) == pytest.approx([0.02, -0.03], abs=2e-3)


@pytest.mark.parametrize(
    ("name", "until", "step"),
    [("two-by-two-four-bar", 0.8, 0.05), ("four-bar-spatial", 0.2, 0.05), ("slider-crank", 0.01, 0.0025)],
)
def test_the_reference_agrees_with_the_compiled_integrator(name: str, until: float, step: float) -> None:
    """Through the passage at 0.72 s too, and for a driven mechanism without freedom."""
    system = reactio.build(reactio.load(name))
    state = reactio.assemble(system)
    run = run_in_minimal_coordinates(system, state, until, step)
    other = integrate(system, state, until, tol=1e-12, output=[until])
    assert run.t[-1] == pytest.approx(until)
    assert run.q[-1] == pytest.approx(other.q[-1], abs=1e-7)  # order 8 with few steps
    assert np.abs(np.diff(run.T, axis=0)).max(initial=0.0) < 0.4  # 0.05 s at up to 5 rad/s: carried, never flipped
