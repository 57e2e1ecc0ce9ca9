"""Runs that end, pause or report in and near singular poses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import reactio
from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.integrator import integrate
from reactio.integrate.status import Status
from reactio.joint_reactions.compare import compare
from reactio.joint_reactions.data import Reactions
from reactio.kernels import CodeUse, running
from reactio.model.specs import Event
from reactio.simulation.energy import energy
from reactio.simulation.read_run import load_run
from reactio.simulation.run_checks import joined
from reactio.simulation.state_at import judge_at, state_at
from reactio.system.constraints import wrench_map
from reactio.system.types import State, System

FLAT = 0.7143555292933  # the first flat pose of the double four-bar [s], of its exact solution


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    """Hundreds of runs, each of which alone is too short for compiled kernels: together they are not."""
    with running(CodeUse.COMPILED):
        yield


def mechanism(name: str, **parameters: float) -> tuple[System, State]:
    system = reactio.build(reactio.load(name, **parameters))
    return system, reactio.assemble(system)


def pendulum(N: int) -> float:
    """θ̈ = −k cos θ of N four-bar loops in a row whose cranks stay parallel."""
    return 9.81 * ((N + 1) / 2 + N) / ((N + 1) / 3 + N)


def exact(N: int, times: Floats) -> Floats:
    """θ, θ̇ (2, k) at increasing times."""
    run = solve_ivp(
        lambda _, y: [y[1], -pendulum(N) * np.cos(y[0])], (0, times[-1]), [np.pi / 2, -1.0], method="DOP853",
        rtol=1e-13, atol=1e-13, t_eval=times,
    )  # fmt: skip
    return np.asarray(run.y)


def flat_time(N: int) -> float:
    """When θ = 0 for the first time."""
    found = solve_ivp(
        lambda _, y: [y[1], -pendulum(N) * np.cos(y[0])], (0, 1), [np.pi / 2, -1.0], method="DOP853", rtol=1e-13,
        atol=1e-13, events=lambda _, y: y[0],
    )  # fmt: skip
    assert found.t_events is not None
    return float(found.t_events[0][0])


def around(t: float, count: int) -> Floats:
    """A time, and others beside it by 1e-13 to 5e-2 s."""
    off = 10.0 ** np.linspace(-13, -1.3, count)
    return np.sort(t + np.concatenate([[0.0], off, -off]))


def total(system: System, c: Checkpoint) -> float:
    return energy(system, c.t, c.q, c.v, np.zeros(system.m)).total


@pytest.mark.parametrize(
    ("N", "method", "tol", "count"), [(2, "dop853", 1e-9, 40), (2, "dop853", 1e-12, 10), (10, "dop853", 1e-9, 12),
                                      (40, "dop853", 1e-9, 3), (2, "radau5", 1e-7, 3)]
)  # fmt: skip
def test_runs_may_end_anywhere(N: int, method: str, tol: float, count: int) -> None:
    """At any time across the passage the state is that of the exact solution, with its accelerations."""
    system, state = mechanism("n-four-bar", N=N)
    assert N != 2 or flat_time(2) == pytest.approx(FLAT, abs=1e-12)
    times = around(flat_time(N), count)
    start = total(system, integrate(system, state, 0.0).checkpoint)
    for t, (theta, omega) in zip(times, exact(N, times).T, strict=True):
        run = integrate(system, state, t, tol=tol, method=method)
        end = run.checkpoint
        assert run.status is Status.DONE
        assert end.t == t == run.t[-1]
        assert end.q[2::6] == pytest.approx(theta, abs=5 * tol + 1e-11)  # a dozen steps
        assert end.v[2::6] == pytest.approx(omega, abs=20 * tol + 1e-10)  # θ̈ ~ 10; two sides of the pose at 1e-12
        # v̇ is a derivative over 0.02 s beside the pose, and u/s³ of the step's end at s = 2e-2.
        assert end.vdot[2::6] == pytest.approx(-pendulum(N) * np.cos(theta), abs=1e3 * tol + 1e-6)
        assert run.position_drift < 1e-12
        assert run.velocity_drift < 0.01 * tol + 1e-11  # what is not firm is left alone
        assert total(system, end) == pytest.approx(start, rel=10 * tol)


@pytest.mark.parametrize("name", ["modified-double-four-bar", "two-by-two-four-bar"])
def test_runs_end_near_other_singular_poses(name: str) -> None:
    system, state = mechanism(name)
    start = total(system, integrate(system, state, 0.0).checkpoint)
    for event in reactio.singularities(reactio.load(name), 1.0).events:
        for t in around(event.t, 8):
            run = integrate(system, state, t)
            assert run.status is Status.DONE
            assert max(run.position_drift, run.velocity_drift) < 1e-10
            assert total(system, run.checkpoint) == pytest.approx(start, rel=1e-8)  # 1e-9 a step


@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_rows_in_and_near_a_singular_pose(method: str) -> None:
    """Steps go past the pose; rows inside them are as good as elsewhere."""
    tol, count = {"dop853": (1e-9, 20), "radau5": (1e-7, 2)}[method]
    system, state = mechanism("double-four-bar")
    times = around(FLAT, count)
    run = integrate(system, state, 1.0, tol=tol, output=times, method=method)
    theta, omega = exact(2, times)
    assert np.array_equal(run.t, times)
    assert run.q[:, 2::6] == pytest.approx(np.tile(theta, (3, 1)).T, abs=10 * tol)  # dense output of order 7
    assert run.v[:, 2::6] == pytest.approx(np.tile(omega, (3, 1)).T, abs=100 * tol)
    assert run.vdot[:, 2::6] == pytest.approx(-pendulum(2) * np.cos(np.tile(theta, (3, 1)).T), abs=1e4 * tol)
    whole = integrate(system, state, 1.0, tol=tol, method=method)
    assert np.array_equal(run.checkpoint.q, whole.checkpoint.q)  # rows change no digit of the motion


@pytest.mark.parametrize("off", [0.0, 1e-9, -1e-7, 3e-6, -1e-4])
def test_runs_go_on_from_there(off: float, tmp_path: Path) -> None:
    """From the pose itself, over a file, and by steps of a microsecond inside its neighbourhood."""
    system, _ = mechanism("double-four-bar")
    first = reactio.simulate(system, FLAT + off, rule=None)
    first.save(str(tmp_path / "run.npz"))
    kept = load_run(tmp_path / "run.npz")
    near = joined(kept, reactio.simulate(system, FLAT + off + 1e-6, resume=kept.checkpoint))
    run = joined(near, reactio.simulate(system, 2.0, resume=near.checkpoint))
    theta, omega = exact(2, np.array([2.0]))[:, 0]
    assert run.status is Status.DONE
    assert run.q[-1, 2::6] == pytest.approx(theta, abs=1e-7)  # 1e-9 a step, fifty steps
    assert run.v[-1, 2::6] == pytest.approx(omega, abs=1e-6)
    assert run.energy_error == pytest.approx(0.0, abs=1e-8)


def test_reactions_there_are_never_made_up() -> None:
    """They grow as 1/s: right where s is known, and not unique or ambiguous in the pose, without numbers."""
    system, _ = mechanism("double-four-bar")
    for off in (0.0, 1e-12, -1e-10):
        last = reactio.simulate(system, FLAT + off).last_reactions
        for name in last:
            assert str(last[name].verdict) in ("not unique", "partly unique", "ambiguous")
            assert np.isnan(last[name].force).any()
    forces = {off: reactio.simulate(system, FLAT + off).last_reactions["C"].force for off in (1e-5, 1e-4, -1e-4)}
    far, near, other = (off * forces[off][0] for off in (1e-4, 1e-5, -1e-4))
    # off · F_x is smooth in off, with its slope: 0.115 N s and 36 N at the pose.
    mean, slope = 0.5 * (far + other), 0.5 * (far - other) / 1e-4
    assert near == pytest.approx(mean + slope * 1e-5, rel=1e-4)  # s = 4e-5 is known to 1e-9


def determined(found: Reactions, name: str) -> tuple[Floats, Floats]:
    """Directions (2, k) along which no self-stress pulls at a hinge of the plane, and its force along them [N]."""
    group = found.eqs.system.group(name)
    forces = wrench_map(found.eqs, group)[:2]
    U, s, _ = np.linalg.svd(forces @ found.answer.N[group.start : group.stop])
    known = U[:, int((s > 1e-9).sum()) :]
    return known, known.T @ (forces @ found.balanced[group.start : group.stop])


def test_reactions_of_other_joints_have_their_limit() -> None:
    """Two rows of loops: in the pose each hinge keeps one direction, and the force along it is continuous there."""
    system, _ = mechanism("two-by-two-four-bar")
    t = reactio.singularities(system.model, 0.8).events[0].t
    here, *sides = (reactio.simulate(system, t + off, tol=1e-11).last_reactions for off in (0.0, -1e-4, 1e-4))
    assert here.motion.absent == ()
    for name in here:
        along, force = determined(here, name)
        assert along.shape == (2, 1)
        assert abs(force[0]) > 1.0
        numbers = here[name].force[np.isfinite(here[name].force)]
        assert np.abs(numbers) == pytest.approx(np.abs(np.resize(force, len(numbers))), rel=1e-9)  # along an axis
        beside = [determined(one, name) for one in sides]
        turns = [float((along.T @ other)[0, 0]) for other, _ in beside]
        assert np.abs(turns) == pytest.approx(1.0, abs=1e-3)  # 5 rad/s over 1e-4 s
        mean = np.mean([np.sign(turn) * value for turn, (_, value) in zip(turns, beside, strict=True)])
        assert force[0] == pytest.approx(mean, rel=1e-3)  # second differences over 1e-4 s


def test_reactions_at_a_time_are_those_of_the_motion() -> None:
    """In the flat pose one instant makes A.y = 2.898 N of v̇, where the motion has none; elsewhere both agree."""
    system, _ = mechanism("double-four-bar")
    for rule in (None, "inertia"):
        there = judge_at(system, FLAT, rule)
        assert there.absent == tuple("ABCDEFG")
        for name, one in there.reactions(rule).items():
            assert not np.isfinite(one.force).any(), name
            assert not any(one.determined)
    table = compare(there.eqs, answer=there.answer, motion=there.motion)
    assert not any(row.unique or np.isfinite(row.values).any() for row in table.rows)
    for t in (0.0, 0.5, FLAT + 1e-2):
        found, known = (
            judge_at(system, t).reactions(None),
            reactio.reactions(reactio.equations(system, state_at(system, t))),
        )
        for name in known:
            assert found[name].unique
            assert found[name].force == pytest.approx(known[name].force, rel=1e-9, abs=1e-9)  # the same solution


def test_a_rough_run_may_end_there() -> None:
    """100 tolerances of 1e-2 are no tolerance of a rank; what is beside the pose is not known."""
    last = reactio.simulate(mechanism("double-four-bar")[0], 0.715, tol=1e-2).last_reactions
    assert last.answer.tolerances.sure < 1.0
    assert not any(last[name].unique for name in last)


def test_an_event_in_the_pose_is_located_and_ends_the_run() -> None:
    system, _ = mechanism("double-four-bar")
    flat = Event("flat", lambda now: now.q[2], "falling", "stop")
    run = reactio.simulate(system, 2.0, events=[flat])
    assert run.status is Status.EVENT
    assert run.events[0].t == pytest.approx(FLAT, abs=1e-9)  # 1e-9 rad at 4.9 rad/s
    assert run.final.v[2::6] == pytest.approx(exact(2, np.array([FLAT]))[1, 0], abs=1e-7)
    on = reactio.simulate(system, 1.0, resume=run.checkpoint)
    assert on.q[-1, 2::6] == pytest.approx(exact(2, np.array([1.0]))[0, 0], abs=1e-7)
