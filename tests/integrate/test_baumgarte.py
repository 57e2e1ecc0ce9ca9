"""Constraints stabilised by Baumgarte instead of projected: the same motion, and the drift that comes with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.integrate.dop853.workspace import step_workspace
from reactio.integrate.integrator import initial_checkpoint, integrate
from reactio.simulation.simulate import simulate


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
    begun = initial_checkpoint(system, step_workspace(system), reactio.assemble(system))
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


@pytest.mark.parametrize("name", ["bennett", "four-bar-spatial"])
def test_reactions_of_a_run_that_drifts(name: str) -> None:
    """Rows that drifted apart contradict nobody: rank, verdicts and reactions are those of the motion.

    A rough tolerance and a strong pull leave velocities of 0.01 to 0.02 m/s in the joints: more than is promised.
    """
    model = reactio.load(name)
    held = simulate(model, 1.0, tol=1e-10, rule="inertia", output=11)
    for tol, alpha, status in ((1e-2, 2.0, "DONE"), (1e-2, 20.0, "DRIFTED"), (1e-4, 20.0, "DONE")):
        loose = simulate(model, 1.0, tol=tol, stabilise="baumgarte", alpha=alpha, rule="inertia", output=11)
        assert loose.status.name == status
        assert loose.position_drift > 1e-6
        assert "nearest states that satisfy them" in loose.notes[0]
        assert ("/s is promised" in loose.notes[-1]) == (status == "DRIFTED")
        for known, found in zip(held.reactions, loose.reactions, strict=True):
            assert found.answer.rank == known.answer.rank
            assert [found[g].verdict for g in found] == [known[g].verdict for g in known]
        for group in held.system.reacting:
            one, other = held[group.name].force, loose[group.name].force
            # Velocities are off by some tolerances, and forces go with their squares.
            assert other == pytest.approx(one, abs=5 * tol * np.abs(one).max())


def test_a_state_that_drifted_too_far_has_no_reactions() -> None:
    """A crank moved by half its length closes only somewhere else: nothing is said, and nothing raised."""
    run = simulate(reactio.load("bennett"), 0.1, tol=1e-4, stabilise="baumgarte", output=2)
    q = np.array(run.q)
    q[1, 0] += 0.5 * run.system.length
    found = replace(run, q=q).reactions_at(1)
    assert set(found.motion.absent) == set(found)
    assert all(np.isnan(found[name].force).all() for name in found)


def test_bad_choices() -> None:
    model = reactio.load("slider-crank")
    with pytest.raises(ReactioError, match="projection or baumgarte"):
        simulate(model, 0.1, stabilise="baumgart")
    with pytest.raises(ReactioError, match="positive"):
        simulate(model, 0.1, stabilise="baumgarte", alpha=-1.0)
    assert "drift" in simulate(model, 0.01, stabilise="baumgarte").notes[-1]
