"""Mechanisms driven from rest: where they end, and what a run promises about its constraints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.shared_models import DRIVEN_PARALLELOGRAM, scissor_lift

import reactio
from reactio.arrays import Floats
from reactio.integrate import integrator
from reactio.integrate.checkpoint import Checkpoint, Chunk
from reactio.integrate.drift_bounds import checked_status, drift_bounds
from reactio.integrate.integrator import Integrator
from reactio.integrate.loop import Task
from reactio.integrate.nearness import is_near, least_singular_value
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.projection.clearance import CLEAR, NEARBY
from reactio.integrate.projection.drift import Drift, drift
from reactio.integrate.singular_passage import interpolate
from reactio.integrate.status import Status
from reactio.kinematics.body_state import body_states
from reactio.simulation.trajectory import Trajectory
from reactio.system.types import State

SARRUS = (Path(reactio.__file__).parent / "library" / "sarrus.yaml").read_text()
FLAT = 2.1415926535897931  # when DRIVEN_PARALLELOGRAM lies flat [s]: π − 1


def off_assembled(run: Trajectory) -> float:
    """How far the end is from what Newton's method assembles there [m, quaternions]."""
    c = run.checkpoint
    return float(np.abs(reactio.assemble(run.system, State(c.t, c.q, c.v)).q - c.q).max())


@pytest.mark.parametrize(
    ("function", "angle"),
    [
        ("{step: {start: 0, end: 2, before: 0, after: 0.3}}", 0.3),
        ("{polynomial: [0, 0, 0, 0.0375]}", 0.3),
    ],
)
def test_sarrus_ends_where_its_drive_says(function: str, angle: float) -> None:
    """Its platform stands at 2 l sin(fold − α): the first crank, l = 0.3 m long, turns by α from fold = 45°."""
    model = reactio.parse_model(f"{SARRUS}\ndrives: {{motor: {{joint: A1, function: {function}}}}}\n")
    run = reactio.simulate(model, until=2.0)
    assert run.status is Status.DONE
    assert run.checkpoint.evaluations < 1000  # 170 to 290: no hunt for a singular pose that is none
    assert run.position_drift < 1e-12  # rounding; 2.3e-2 where an end at rest was taken for one beside a singular pose
    height = 0.6 * np.sin(np.pi / 4 - angle)
    # The exact pose, but for rounding: a driven mechanism has no error of integration in its positions.
    np.testing.assert_allclose(body_states(run.system, run.final)["platform"]["position"], [0, 0, height], atol=1e-12)


def test_a_lift_driven_from_rest_ends_closed() -> None:
    run = reactio.simulate(reactio.parse_model(scissor_lift()), until=5.0)
    assert run.status is Status.DONE
    assert run.position_drift < 1e-12
    assert off_assembled(run) < 1e-12
    assert run.checkpoint.evaluations < 1000  # 272: no hunt for a singular pose that is none


@pytest.mark.parametrize("method", ["dop853", "radau5", "auto"])
@pytest.mark.parametrize("until", [0.05, 0.55, 0.7])
def test_a_parallelogram_rests_moves_and_rests(method: str, until: float) -> None:
    """Ended before, in and behind the move of its drive from 1 rad to 1.3 rad."""
    text = DRIVEN_PARALLELOGRAM.replace("1*t", "{step: {start: 0.5, end: 0.6, before: 0, after: 0.3}}")
    run = reactio.simulate(reactio.parse_model(text), until=until, method=method)
    assert run.status is Status.DONE
    assert run.position_drift < 1e-12
    angle = 1 + {0.05: 0.0, 0.55: 0.15, 0.7: 0.3}[until]  # a smooth step is half done in its middle
    coupler = body_states(run.system, run.final)["coupler"]["position"][:2]
    np.testing.assert_allclose(coupler, [1 + np.cos(angle), np.sin(angle)], atol=1e-12)  # exact but for rounding


def test_weak_pivots_of_a_part_are_no_singular_pose() -> None:
    """At 0.5 s pivots of the lift are weak as beside a singular pose, since a part of its rows becomes dependent."""
    system = reactio.build(reactio.parse_model(scissor_lift()))
    prepared, begun = integrator.prepare_integrator(system, reactio.assemble(system), IntegrationOptions(), 5.0)
    there = reactio.assemble(system, State(0.5, begun.q, begun.v))
    c = prepared.project_state(begun, 0.5, there.q, there.v)
    assert c.clearance < NEARBY
    assert least_singular_value(system, State(0.5, c.q, c.v), system.m - c.redundant) > 0.02  # as all the way
    assert not is_near(system, c, NEARBY)


@pytest.mark.parametrize(("off", "near"), [(1e-4, True), (3e-3, True), (0.1, False)])
def test_a_flat_parallelogram_is_near_at_any_speed(off: float, near: bool) -> None:
    """σ falls in proportion to the angle from the flat pose, whether the mechanism moves or stands."""
    model = reactio.parse_model(DRIVEN_PARALLELOGRAM)
    system = reactio.build(model)
    prepared, begun = integrator.prepare_integrator(system, reactio.assemble(system), IntegrationOptions(), 5.0)
    q = np.array(begun.q)
    angle = np.pi - off
    c, s = np.cos(angle), np.sin(angle)
    q[:9] = [c / 2, s / 2, angle - 1, 1 + c, s, 0, 2 + c / 2, s / 2, angle - 1]
    for speed in (0.0, 1.0):
        here = prepared.project_state(begun, FLAT - off, q, speed * begun.v)
        assert is_near(system, here, CLEAR) == near


def test_a_run_that_drifts_is_not_said_to_have_reached_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = interpolate.advance_past_singularities

    def spoilt(prepared: Integrator, start: Checkpoint, times: Floats, task: Task) -> Chunk:
        done = whole(prepared, start, times, task)
        c = done.checkpoint
        return replace(done, checkpoint=replace(c, q=c.q + 1e-6)) if done.status is Status.DONE else done

    monkeypatch.setattr(interpolate, "advance_past_singularities", spoilt)
    run = reactio.simulate(reactio.load("slider-crank"), until=0.01, output=[0.005])  # its end is no row of it
    assert run.status is Status.DRIFTED
    assert run.position_drift > 1e-7
    assert "is promised" in run.notes[-1]
    assert "joint '" in run.notes[-1]


def test_a_run_whose_drift_exceeds_its_bounds_is_called_drifted() -> None:
    fine, open_ = Drift(0.0, 0.0, 1e-9, 1e-9), Drift(0.0, 0.0, 1e-7, 0.0)
    assert checked_status(Status.DONE, fine, drift_bounds(1e-9, 0.0, 1e-8)) is Status.DONE
    assert checked_status(Status.DONE, open_, drift_bounds(1e-9, 0.0, 1e-8)) is Status.DRIFTED
    assert checked_status(Status.EVENT, open_, drift_bounds(1e-9, 0.0, 1e-8)) is Status.DRIFTED
    assert (
        checked_status(Status.DONE, open_, drift_bounds(1e-6, 0.0, 1e-8)) is Status.DONE
    )  # a loose tolerance promises less
    assert (
        checked_status(Status.DONE, open_, drift_bounds(1e-9, 20.0, 1e-8)) is Status.DONE
    )  # so does Baumgarte's method
    assert (
        checked_status(Status.NEAR_SINGULAR, open_, drift_bounds(1e-9, 0.0, 1e-8)) is Status.NEAR_SINGULAR
    )  # it did not say that it came to its end


def test_what_is_not_a_number_is_no_small_drift() -> None:
    system = reactio.build(reactio.load("slider-crank"))
    state = reactio.assemble(system)
    q = np.array([state.q, state.q])
    q[0, 0] = np.nan
    found = drift(system, np.zeros(2), q, np.array([state.v, state.v]))
    assert np.isnan(found.position)
    assert checked_status(Status.DONE, found, drift_bounds(1e-9, 0.0, 1e-8)) is Status.DRIFTED


@pytest.mark.parametrize("name", ["four-bar-planar", "slider-crank"])
def test_a_sample_of_the_library_driven_from_rest(name: str) -> None:
    """Runs of the benchmark: by every function they reach their end within their promise."""
    import importlib.util
    import sys

    file = Path(__file__).parents[2] / "benchmarks" / "driven_from_rest.py"
    spec = importlib.util.spec_from_file_location("driven_from_rest_benchmark", file)
    assert spec is not None
    assert spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = benchmark
    spec.loader.exec_module(benchmark)
    model = benchmark.at_rest(reactio.load(name))
    runs = [run for run in benchmark.cases(model, np.array([0.7])) if run[2] == "dop853"]
    assert len(runs) == len(benchmark.FUNCTIONS)
    found = benchmark.raced(runs, limit=120)
    assert found.wrong == []
    assert found.ends == {"DONE": len(runs)}
    assert 0.0 <= found.drift <= 1.0
