"""Events along runs: times and jumps against exact solutions, rows, resuming, files."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipk

import reactio
from reactio.catalogue.places import CoordinateName
from reactio.events.event_state import EventState
from reactio.integrate.checkpoint import Chunk
from reactio.model.specs import Event, Stop
from reactio.simulation.read_run import load_run
from reactio.simulation.run_checks import joined
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory

G, W2 = 9.81, 1.5 * 9.81  # gravity, and m g l / I of a rod of length 1 that hangs on its end


def rod(angle: float = 0.0, spin: float = 0.0, more: str = "") -> reactio.Model:
    x, y = 0.5 * math.sin(angle), -0.5 * math.cos(angle)
    velocity = [0.5 * spin * math.cos(angle), 0.5 * spin * math.sin(angle)]
    return reactio.parse_model(f"""
space: planar
gravity: [0, -{G}]
bodies:
  rod: {{mass: 1, inertia: 1/12, position: [{x}, {y}], angle: {angle}, velocity: {velocity}, angular_velocity: {spin}}}
joints: {{A: {{type: revolute, a: {{body: ground, angle: 0}}, b: {{body: rod, point: [0, 0.5], angle: 0}}}}}}
{more}""")


def ball(e: float | None, height: float = 1.0, speed: float = 0.0, more: str = "") -> reactio.Model:
    end = "action: stop" if e is None else f"restitution: {e}"
    return reactio.parse_model(f"""
space: spatial
gravity: [0, 0, -10]
bodies: {{b: {{mass: 2, inertia: [1, 1, 1], position: [0, 0, {height}], velocity: [0, 0, {speed}]}}}}
joints: {{P: {{type: prismatic, a: ground, b: b}}}}
stops: {{floor: {{along: P, lower: 0, {end}}}}}
{more}""")


def times(run: Trajectory, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([event.t for event in run.events if event.name == name])


def test_a_turning_pendulum_passes_the_top_when_the_elliptic_integral_says() -> None:
    """θ̇² = ω² − 4 w² sin²(θ/2): from the bottom to the top it takes (2/ω) K(4 w²/ω²)."""
    spin = 9.0
    run = simulate(rod(spin=spin, more='events: {top: {when: "cos(A.rotation/2)"}}'), until=5.0, tol=1e-11)
    half = 2 / spin * ellipk(4 * W2 / spin**2)
    exact = half * np.arange(1, 2 * 5.0 / half, 2)
    exact = exact[exact < 5.0]
    # Some hundred steps of 1e-11 each, and what they leave grows with time as the phase does.
    assert times(run, "top") == pytest.approx(exact, abs=1e-8)
    assert [event.direction for event in run.events[:2]] == ["falling", "rising"]


def test_a_swinging_pendulum_crosses_the_bottom_at_quarter_periods() -> None:
    run = simulate(rod(angle=1.2, more="events: {bottom: {when: A.rotation}}"), until=6.0, tol=1e-11)
    quarter = ellipk(np.sin(0.6) ** 2) / np.sqrt(W2)
    found = times(run, "bottom")
    assert len(found) == 7
    assert found == pytest.approx(quarter * np.arange(1, 2 * len(found), 2), abs=1e-8)  # as above
    for event in run.events:
        assert run.t[event.row] == event.t
        assert run.q[event.row, 2] == pytest.approx(0.0, abs=1e-11)  # located to 1e-13 s at some rad/s


@pytest.mark.parametrize("direction", ["rising", "falling"])
def test_direction_chooses(direction: str) -> None:
    more = f"events: {{e: {{when: A.rotation, direction: {direction}}}}}"
    run = simulate(rod(angle=1.2, more=more), until=6.0)
    assert {event.direction for event in run.events} == {direction}
    assert len(run.events) == {"rising": 3, "falling": 4}[direction]


def test_recording_does_not_change_the_motion() -> None:
    plain = simulate(rod(angle=1.2), until=3.0)
    run = simulate(rod(angle=1.2, more='events: {e: {when: "rod.x.rate - 0.1*t"}}'), until=3.0)
    keep = ~np.isin(np.arange(len(run.t)), [event.row for event in run.events])
    assert len(run.events) > 2
    assert np.array_equal(run.t[keep], plain.t)
    assert np.array_equal(run.q[keep], plain.q)


def test_two_crossings_in_one_step_are_found_where_a_look_falls_between_them() -> None:
    plain = simulate(rod(angle=1.2), until=2.0)
    k = int(np.argmax(np.diff(plain.t)))
    a, h = float(plain.t[k]), float(np.diff(plain.t)[k])
    far, near = (a + 0.3 * h, a + 0.7 * h), (a + 0.05 * h, a + 0.1 * h)

    def between(pair: tuple[float, float]) -> Callable[[EventState], float]:
        return lambda now: (now.t - pair[0]) * (now.t - pair[1])

    given = [Event("far", between(far)), Event("near", between(near))]
    run = simulate(rod(angle=1.2), until=2.0, events=given)
    assert times(run, "far") == pytest.approx(far, abs=1e-12)
    assert len(times(run, "near")) == 0  # the documented limit: both lie between two looks


@pytest.mark.parametrize("e", [0.5, 0.8])
def test_a_bouncing_ball_lands_when_it_must_and_comes_to_rest(e: float) -> None:
    run = simulate(ball(e), until=12.0)
    first = np.sqrt(2 / 10)
    n = np.arange(len(run.events))
    # Flights are parabolas, which the method integrates exactly; what remains is rounding times the number of impacts.
    assert times(run, "floor") == pytest.approx(first * (1 + 2 * e * (1 - e**n) / (1 - e)), abs=1e-11)
    assert run.status.name == "RESTING"
    assert run.events[-1].action == "rest"
    # Rebounds below tol (1e-9 m) are rest: the flights left out then take 2 w/(g (1 − e)), w = √(2 g tol).
    limit = first * (1 + 2 * e / (1 - e))
    assert 0 <= limit - run.events[-1].t <= 2 * np.sqrt(2 * 10 * 1e-9) / 10 / (1 - e)
    assert "rest on the stop 'floor'" in run.notes[0]
    assert run.energy_error == pytest.approx(0.0, abs=1e-12)


def test_each_impact_keeps_e_squared_of_the_kinetic_energy_of_a_pendulum() -> None:
    stop = "stops: {wall: {along: A, lower: -0.3, restitution: 0.7}}"
    run = simulate(rod(angle=1.0, more=stop), until=6.0, tol=1e-11)
    e = run.energy
    first = 0.5 * (np.cos(0.3) - np.cos(1.0)) * G
    for k, event in enumerate(run.events):
        assert event.action == "impact"
        assert run.t[event.row] == run.t[event.row + 1] == event.t
        before, after = e.kinetic[event.row], e.kinetic[event.row + 1]
        # Exact energies but for the steps' error, 1e-11 each.
        assert before == pytest.approx(first * 0.49**k, rel=1e-8)
        assert after == pytest.approx(first * 0.49 ** (k + 1), rel=1e-8)
        assert event.work == pytest.approx(after - before, rel=1e-9)
        assert event.v_after == pytest.approx(-0.7 * event.v, abs=1e-12)
    assert len(run.events) >= 5
    assert e.impacts[-1] == pytest.approx(sum(event.work for event in run.events), rel=1e-12)
    assert run.energy_error == pytest.approx(0.0, abs=1e-9)


def test_two_bodies_on_a_rail_hit_each_other_as_newton_says() -> None:
    """v₁' = (m₁v₁ + m₂v₂ − m₂e(v₁ − v₂))/(m₁ + m₂), v₂' = (m₁v₁ + m₂v₂ + m₁e(v₁ − v₂))/(m₁ + m₂)."""
    m1, m2, v1, v2, e = 2.0, 3.0, 1.5, -0.5, 0.6
    model = reactio.parse_model(f"""
space: planar
bodies:
  a: {{mass: {m1}, inertia: 1, position: [0, 0], velocity: [{v1}, 0]}}
  b: {{mass: {m2}, inertia: 1, position: [1, 0], velocity: [{v2}, 0]}}
joints:
  R: {{type: translational, a: ground, b: a}}
  S: {{type: translational, a: a, b: b}}
stops: {{buffer: {{along: S, lower: 0.4, restitution: {e}}}}}
""")
    run = simulate(model, until=1.0)
    (event,) = run.events
    assert event.t == pytest.approx(0.6 / (v1 - v2), abs=1e-12)
    both = m1 * v1 + m2 * v2
    expected = (both - m2 * e * (v1 - v2)) / (m1 + m2), (both + m1 * e * (v1 - v2)) / (m1 + m2)
    assert event.v_after[[0, 3]] == pytest.approx(expected, rel=1e-13)
    assert event.v_after[[1, 2, 4, 5]] == pytest.approx(0.0, abs=1e-14)
    lost = 0.5 * m1 * m2 / (m1 + m2) * (1 - e**2) * (v1 - v2) ** 2
    assert event.work == pytest.approx(-lost, rel=1e-12)


def test_a_redundant_mechanism_with_an_end_stop() -> None:
    """One freedom and fixed joints: the impulse turns the whole velocity round, whatever constraints are redundant."""
    known = reactio.load("double-four-bar")
    start = reactio.build(known)
    angle = EventState(start, 0.0, start.q0, start.v0)["A.rotation"]
    stop = Stop("block", CoordinateName("A"), lower=angle - 1.0, restitution=0.6)
    run = simulate(replace(known, stops=(stop,)), until=3.0)
    assert run.events
    for event in run.events:
        # Through poses of full rank: rounding of velocities of some m/s.
        assert event.v_after == pytest.approx(-0.6 * event.v, abs=1e-11)
        eqs = reactio.equations(run.system, reactio.State(event.t, event.q, event.v_after))
        assert np.abs(eqs.C @ event.v_after).max() < 1e-12
    assert run.velocity_drift < 1e-11  # the row behind the impact counts too
    assert run.energy_error == pytest.approx(0.0, abs=1e-8)


def test_between_two_walls() -> None:
    """A slider of 3 m/s without friction crosses the metre between its stops in a third of a second, for ever."""
    model = reactio.parse_model("""
space: planar
bodies: {b: {mass: 2, inertia: 1, velocity: [3, 0]}}
joints: {P: {type: translational, a: ground, b: b}}
stops: {walls: {along: P, lower: -0.5, upper: 0.5, restitution: 1}}
""")
    run = simulate(model, until=20.0, output=11)
    found = times(run, "walls")
    # Rounding at each of sixty impacts, located to 1e-13 s.
    assert found == pytest.approx(np.arange(1, 121, 2) / 6, abs=1e-10)
    assert np.abs(run.q[:, 0]).max() <= 0.5 + 1e-12
    assert np.abs(run.v[:, 0]) == pytest.approx(3.0, rel=1e-12)


def test_moments_read_spatial_coordinates_that_no_measure_counts() -> None:
    system = reactio.build(reactio.load("bricard"))
    state = reactio.assemble(system)
    rng = np.random.default_rng(1)
    now = EventState(system, 0.0, state.q, rng.normal(size=system.n))
    for joint in system.model.joints:
        event = Event("e", f"{joint.name}.rotation + {joint.name}.rotation.rate")
        counting = reactio.build(replace(system.model, events=(event,)))
        then = EventState(counting, 0.0, counting.q0, now.v)
        same = EventState(system, 0.0, system.q0, now.v)
        for name in (f"{joint.name}.rotation", f"{joint.name}.rotation.rate"):
            # The same formula on the same frames, once compiled.
            assert then[name] == pytest.approx(same[name], abs=1e-12)


def test_a_stop_may_end_the_run_and_a_run_may_go_on_behind_an_event() -> None:
    run = simulate(ball(None), until=2.0)
    assert run.status.name == "EVENT"
    assert run.final.t == run.events[0].t == pytest.approx(np.sqrt(0.2), abs=1e-13)
    more = "events: {half: {when: b.z - 0.5, action: stop}}"
    ended = simulate(ball(1.0, more=more), until=2.0)
    assert ended.status.name == "EVENT"
    assert ended.t[-1] == pytest.approx(np.sqrt(0.1), abs=1e-13)
    on = simulate(ended.system, until=2.0, resume=ended.checkpoint)
    assert on.events[0].name == "floor"  # not the event it was stopped by
    assert on.events[1].direction == "rising"


@pytest.mark.parametrize("speed", [0.0, -1.0])
def test_a_run_may_start_on_a_stop(speed: float) -> None:
    run = simulate(ball(0.5, height=0.0, speed=speed), until=1.0)
    assert run.events[0].t == 0.0
    assert run.events[0].action == ("rest" if speed == 0.0 else "impact")
    assert run.status.name == "RESTING"


def test_functions_see_coordinates_by_name() -> None:
    seen: list[tuple[float, float]] = []

    def low(now: EventState) -> float:
        seen.append((now["P.translation"] - now["b.z"], now["P.translation.rate"] - now["b.z.rate"]))
        return now["P.translation"] - 0.2

    run = simulate(ball(1.0), until=1.0, output=3, events=[Event("low", low, "falling")])
    assert times(run, "low")[0] == pytest.approx(np.sqrt(0.16), abs=1e-13)
    assert np.abs(seen).max() == 0.0
    assert len(run.t) == 3 + 1 + 2  # rows asked for, the event, both sides of the impact


def test_texts_given_to_a_run_count_full_turns_in_space() -> None:
    """A wheel in space turns at 1 rad/s; without a memory its angle would jump at half a turn."""
    wheel = reactio.parse_model("""
space: spatial
bodies: {w: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 1]}}
joints: {R: {type: revolute, a: ground, b: w}}
""")
    run = simulate(wheel, until=20.0, events=[Event("e", "R.rotation - 15")])
    assert times(run, "e") == pytest.approx([15.0], abs=1e-9)
    again = simulate(run.system, until=20.0, events=[Event("e", "R.rotation - 15")])
    assert np.array_equal(again.q, run.q)


def test_stopping_and_going_on_gives_the_same_events(tmp_path: Path) -> None:
    model = ball(0.8, more="events: {half: {when: b.z - 0.5}}")
    whole = simulate(model, until=3.0)
    for pause in (0.3, 1.0, 1.9):
        part = simulate(model, until=3.0, chunk=3, on_chunk=lambda chunk, at=pause: chunk.checkpoint.t > at)  # type: ignore[misc]
        assert part.status.name == "PAUSED"
        part.save(str(tmp_path / "part.npz"))
        kept = load_run(tmp_path / "part.npz")
        both = joined(kept, simulate(kept.system, until=3.0, resume=kept.checkpoint))
        for key in ("t", "q", "v", "vdot", "lam"):
            assert np.array_equal(getattr(both, key), getattr(whole, key))
        assert [(e.name, e.t, e.row, e.action) for e in both.events] == [
            (e.name, e.t, e.row, e.action) for e in whole.events
        ]
        assert both.energy.work == pytest.approx(whole.energy.work, abs=1e-12)


def test_ctrl_c_keeps_events() -> None:
    def interrupt(chunk: Chunk) -> None:
        if chunk.checkpoint.t > 0.6:
            raise KeyboardInterrupt

    run = simulate(ball(0.8), until=3.0, on_chunk=interrupt)
    assert run.status.name == "PAUSED"
    assert [event.name for event in run.events][:1] == ["floor"]
    assert run.t[-1] == run.checkpoint.t


@pytest.mark.parametrize("suffix", [".npz", ".nc", ".csv"])
def test_events_are_kept_in_files(tmp_path: Path, suffix: str) -> None:
    run = simulate(ball(0.5, more="events: {half: {when: b.z - 0.5}}"), until=1.0)
    run.save(str(tmp_path / f"run{suffix}"))
    back = load_run(tmp_path / f"run{suffix}")
    assert back.system.model == run.system.model
    for one, other in zip(back.events, run.events, strict=True):
        assert (one.name, one.kind, one.t, one.direction, one.action, one.row, one.work) == (
            other.name, other.kind, other.t, other.direction, other.action, other.row, other.work,
        )  # fmt: skip
        assert np.array_equal(one.v_after, other.v_after)
    assert np.array_equal(back.energy.work, run.energy.work)


def test_energy_and_the_power_of_a_drive() -> None:
    model = rod(more='drives: {motor: {joint: A, function: "0.5*t**2"}}')
    run = simulate(model, until=2.0, output=5)
    spin, angle = run.t, 0.5 * run.t**2
    torque = 1 / 3 + 0.5 * G * np.sin(angle)
    # Integrated to 1e-9 per step; energies are of order one.
    assert run["motor"].power == pytest.approx(torque * spin, abs=1e-7)
    assert run.energy.power == pytest.approx(torque * spin, abs=1e-7)
    assert run.energy.kinetic == pytest.approx(spin**2 / 6, abs=1e-8)
    assert run.energy.work == pytest.approx(spin**2 / 6 + 0.5 * G * (1 - np.cos(angle)), abs=1e-8)
    assert np.abs(run.energy.imbalance).max() < 1e-8
    assert np.abs(run["A"].power).max() == 0.0
