"""Singular poses that are passed slowly, or turned back at: no step is long enough to step over them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import reactio
from reactio.integrate.status import Status
from reactio.simulation.trajectory import Trajectory

from .test_termination import FLATTENED

SPEEDS = (-0.02, -0.0384, -0.1, -0.3, -0.8)  # [rad/s] at the flat pose; the motion comes back to it so fast at θ = −π


def swing(N: int, omega: float, times: np.ndarray) -> np.ndarray:
    """θ of N four-bars in a row, whose cranks stay parallel: ((N + 1)/3 + N) θ̈ = −((N + 1)/2 + N) g cos θ."""
    ratio = ((N + 1) / 2 + N) / ((N + 1) / 3 + N)
    found = solve_ivp(
        lambda t, y: [y[1], -9.81 * ratio * np.cos(y[0])], (0.0, times[-1]), (0.0, omega), method="DOP853",
        t_eval=times, rtol=1e-13, atol=1e-14,
    )  # fmt: skip
    return np.asarray(found.y[0])


def run(name: str, omega: float, tol: float, **given: object) -> Trajectory:
    model = reactio.load(name, theta=0.0, omega=omega, **{k: v for k, v in given.items() if k == "N"})
    rest = {k: v for k, v in given.items() if k != "N"}
    return reactio.simulate(model, until=1.6, tol=tol, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize("tol", [1e-7, 1e-9, 1e-11])
@pytest.mark.parametrize("N", [1, 2, 6])
def test_slow_passages_cost_no_accuracy(N: int, tol: float) -> None:
    times = np.linspace(0.1, 1.6, 16)
    for omega in SPEEDS:
        done = run("n-four-bar", omega, tol, N=N, output=times)
        assert done.status is Status.DONE
        # Errors of some steps of 1e-7 to 1e-9, and at 1e-11 what rounding leaves of accelerations beside the pose.
        assert done.q[:, 2] == pytest.approx(swing(N, omega, times), abs=100 * tol + 1e-8)
        assert max(done.position_drift, done.velocity_drift) < 1e-9 + 0.1 * tol
        assert done.energy_error == pytest.approx(0.0, abs=100 * tol + 1e-8)


@pytest.mark.parametrize(("N", "omega", "tol"), [(2, -0.02, 1e-9), (6, -0.3, 1e-9), (2, -0.0384, 1e-11)])
def test_implicit_steps_pass_slowly_too(N: int, omega: float, tol: float) -> None:
    """They are shorter than explicit ones: the start, in the flat pose, and the return to it need collocation."""
    times = np.linspace(0.1, 1.6, 16)
    done = run("n-four-bar", omega, tol, N=N, output=times, method="radau5")
    assert done.status is Status.DONE
    # Less than a tolerance, as a step errs by far less than its estimate; rounding of accelerations beside the pose,
    # u/s³ = 2e-10 where collocation uses them, times their some 10 rad/s² and half the square of 0.2 s.
    assert done.q[:, 2] == pytest.approx(swing(N, omega, times), abs=tol + 1e-10)


@pytest.mark.parametrize("tol", [1e-7, 1e-9])
def test_where_what_opens_is_infinitesimal(tol: float) -> None:
    for omega in SPEEDS:
        done = run("modified-double-four-bar", omega, tol)
        assert done.status is Status.DONE
        assert done.energy_error == pytest.approx(0.0, abs=100 * tol + 1e-8)  # as above


def test_rows_within_the_collocation_step_are_on_the_motion() -> None:
    """At θ = −π the slow one turns back some 2e-5 rad behind the flat pose, at 1.092 s: the step covers all of that."""
    times = np.linspace(1.05, 1.13, 17)
    done = run("n-four-bar", -0.02, 1e-9, N=2, output=times)
    assert done.q[:, 2] == pytest.approx(swing(2, -0.02, np.append(times, 1.6))[:-1], abs=1e-8)
    assert done.status is Status.DONE


def test_runs_may_end_within_the_collocation_step() -> None:
    model = reactio.load("n-four-bar", N=2, theta=0.0, omega=-0.02)
    for until in (1.07, 1.0924, 1.1):
        done = reactio.simulate(model, until=until)
        assert done.status is Status.DONE
        assert done.final.q[2] == pytest.approx(swing(2, -0.02, np.array([until]))[-1], abs=1e-8)


def test_a_run_cut_in_pieces_is_the_same() -> None:
    model = reactio.load("n-four-bar", N=2, theta=0.0, omega=-0.05)
    whole = reactio.simulate(model, until=1.6)
    half = reactio.simulate(model, until=1.6, chunk=10, on_chunk=lambda c: c.checkpoint.t > 0.5)
    rest = reactio.simulate(model, until=1.6, resume=half.checkpoint)
    assert np.array_equal(rest.checkpoint.q, whole.checkpoint.q)


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 15])
def test_no_chunk_begins_where_only_the_states_before_it_lead_across(chunk: int) -> None:
    """A chunk that pauses next to the flat pose goes on: the collocation step starts from a state clear of it."""
    model = reactio.load("n-four-bar", N=2, theta=0.0, omega=-0.02)
    done = reactio.simulate(model, until=1.6, tol=1e-7, chunk=chunk)
    assert done.status is Status.DONE
    assert done.final.q[2] == pytest.approx(swing(2, -0.02, np.array([1.6]))[-1], abs=1e-5)  # as above


TOUCHED = FLATTENED.replace("exp(-5*t) - 1", "(1 - t)**2 - 1")


@pytest.mark.parametrize("tol", [1e-7, 1e-9, 1e-10])
def test_a_driven_pose_that_is_only_touched(tol: float) -> None:
    """A parallelogram is driven into its flat pose, θ = (1 − t)², and out of it again on the side it came from."""
    times = np.linspace(0.1, 2.0, 39)
    done = reactio.simulate(reactio.parse_model(TOUCHED), until=2.0, tol=tol, output=times)
    assert done.status is Status.DONE
    assert done.q[:, [2, 5]] == pytest.approx(np.tile((1 - times) ** 2, (2, 1)).T, abs=1e-8 + tol)


def test_a_drive_keeps_its_power_through_the_pose() -> None:
    """M = (2/3 + 1) θ̈ + 2 g cos θ of the cranks and the rod; in rows inside the collocation step as well."""
    times = np.array([0.9, 0.975, 1.025, 1.1])
    done = reactio.simulate(reactio.parse_model(TOUCHED), until=2.0, output=np.append(times, 2.0))
    torque = 5 / 3 * 2.0 + 2 * 9.81 * np.cos((1 - times) ** 2)
    assert -done.lam[:4, -1] == pytest.approx(torque, abs=1e-5)  # θ̈ to 1e-8, divided by s = 6e-4
    assert done.energy_error == pytest.approx(0.0, abs=1e-8)
