"""Constraints pulled back instead of projected: the same motion, and the drift that comes with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.dynamics.motion import begin, integrate
from reactio.dynamics.simulate import simulate
from reactio.dynamics.stepper import engine
from reactio.errors import ReactioError


def test_the_same_motion_with_more_drift() -> None:
    system = reactio.build(reactio.load("slider-crank"))
    state = reactio.assemble(system)
    held = integrate(system, state, 0.2, tol=1e-8)
    loose = integrate(system, state, 0.2, tol=1e-8, stabilise="baumgarte", alpha=50.0)
    assert loose.q[-1] == pytest.approx(held.q[-1], abs=1e-5)  # the drift itself, over some turns
    assert held.position_drift < 1e-13 < 1e3 * held.position_drift < loose.position_drift < 1e-5


def test_it_pulls_back_at_its_rate() -> None:
    """Φ̈ + 2αΦ̇ + α²Φ = 0: a rod 1 mm too long loses all but (1 + αt) e^(−αt) of it."""
    system = reactio.build(reactio.load("four-bar-planar"))
    begun = begin(system, engine(system), reactio.assemble(system))
    q = np.array(begun.q)
    q[system.body_q[1]] += 1e-3
    run = integrate(system, replace(begun, q=q), 0.5, tol=1e-10, stabilise="baumgarte", alpha=10.0)
    first, last = (np.abs(reactio.equations(system, run_state).Phi).max() for run_state in (
        reactio.State(0.0, q, begun.v), reactio.State(0.5, run.q[-1], run.v[-1])))  # fmt: skip
    assert last / first == pytest.approx(6 * np.exp(-5), rel=1e-3)  # where it starts, Φ̇ differs by terms of 1e-3


@pytest.mark.parametrize(
    ("name", "until", "drift", "apart"),
    [("double-four-bar", 3.0, 1e-6, 1e-4), ("spatial-parallelogram", 1.0, 1e-7, 1e-5)],
)
def test_redundant_mechanisms_and_singular_poses(name: str, until: float, drift: float, apart: float) -> None:
    """Rows that drift apart contradict each other, and the flat pose multiplies drift: the pull goes along range(C).

    Drift is some errors of steps of 1e-7; the flat pose, passed four times, leaves what inertia did there, 1e-6.
    """
    system = reactio.build(reactio.load(name))
    state = reactio.assemble(system)
    held = integrate(system, state, until, tol=1e-10, output=[until])
    loose = integrate(system, state, until, tol=1e-7, stabilise="baumgarte")
    assert loose.status.name == "DONE"
    assert 1e-13 < loose.position_drift < drift
    assert loose.velocity_drift < 100 * drift  # α = 20 1/s turns positions into velocities
    assert loose.q[-1] == pytest.approx(held.q[-1], abs=apart)


def test_bad_choices() -> None:
    model = reactio.load("slider-crank")
    with pytest.raises(ReactioError, match="projection or baumgarte"):
        simulate(model, 0.1, stabilise="baumgart")
    with pytest.raises(ReactioError, match="positive"):
        simulate(model, 0.1, stabilise="baumgarte", alpha=-1.0)
    assert "drift" in simulate(model, 0.01, stabilise="baumgarte").notes[-1]
