"""Simulations on each of the branches of the flat double four-bar, also on the one that second order holds."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import reactio
from reactio.arrays import Floats
from reactio.integrate.integrator import integrate
from reactio.model.files.write import to_yaml
from reactio.simulation import run_checks
from reactio.simulation.read_run import load_run
from reactio.simulation.run_checks import joined
from reactio.simulation.trajectory import Trajectory
from reactio.singular.minimal.run import run_in_minimal_coordinates
from reactio.singular.second_order.branch_start import on_branch
from reactio.singular.second_order.rigidity import real_motions
from reactio.system.types import State

FLAT = reactio.build(reactio.load("double-four-bar", theta=0))
# Bars that turn about an end and bars that only follow, on each branch, by the sign pattern of the rates of all five.
TURNING: dict[tuple[int, ...], tuple[int, int]] = {
    (1, 0, 1, 0, 1): (3, 2), (0, 1, 1, 0, 1): (3, 1), (0, 0, 0, 1, 1): (2, 0),
}  # fmt: skip


def starts(speed: float) -> dict[tuple[int, ...], State]:
    pose = reactio.assemble(FLAT)
    made = [on_branch(FLAT, pose, branch, speed) for branch in reactio.branches(FLAT)]
    return {tuple((np.abs(s.v[2::3]) > 1e-3).astype(int).tolist()): s for s in made}


def swing(turning: int, following: int, phi: float, rate: float, times: Floats) -> Floats:
    """φ, φ̇ (2, k) of one freedom: bars of mass m, inertia J and length 1 that turn about an end or only follow it.

    (a (J + m/4) + b m) φ̈ = −(a/2 + b) m g cos φ
    """
    body = FLAT.model.bodies[0]
    m, inertia = float(body.mass or 0.0), float(np.ravel(body.inertia)[0])
    k = 9.81 * m * (turning / 2 + following) / (turning * (inertia + m / 4) + following * m)
    run = solve_ivp(
        lambda _, y: [y[1], -k * np.cos(y[0])], (0, times[-1]), [phi, rate], method="DOP853", rtol=1e-12, atol=1e-12,
        t_eval=times,
    )  # fmt: skip
    return np.asarray(run.y)


@pytest.mark.parametrize("speed", [1.0, -1.0])
@pytest.mark.parametrize("shape", list(TURNING))
def test_every_branch_is_followed(shape: tuple[int, ...], speed: float) -> None:
    begin = starts(speed)[shape]
    times = np.linspace(0.1, 0.9, 5)
    run = reactio.simulate(FLAT, 0.9, state=begin, output=times)
    bars = np.flatnonzero(shape)
    phi, rate = swing(*TURNING[shape], begin.q[2::3][bars[-1]], begin.v[2::3][bars[-1]], times)
    assert run.status.name == "DONE"
    assert run.energy_error == pytest.approx(0.0, abs=1e-8)  # 1e-9 a step, some twenty steps
    assert run.q[:, 2::3][:, bars] == pytest.approx(
        np.tile(phi, (len(bars), 1)).T, abs=1e-7
    )  # the same, and chaos: none
    assert run.v[:, 2::3][:, bars] == pytest.approx(np.tile(rate, (len(bars), 1)).T, abs=1e-6)
    still = np.setdiff1d(np.arange(5), bars)
    assert np.abs(run.q[:, 2::3][:, still]).max() < 1e-8  # what the direction of the branch is known to
    assert max(run.position_drift, run.velocity_drift) < 1e-12


def test_only_the_third_is_held() -> None:
    found = {shape: real_motions(FLAT, state) for shape, state in starts(1.0).items()}
    assert {shape: T is not None for shape, T in found.items()} == {
        shape: shape == (0, 0, 0, 1, 1) for shape in TURNING
    }
    # Where C has lost rank for an instant only, or has redundant rows all along, nothing is held.
    assert real_motions(FLAT, State(0.0, reactio.assemble(FLAT).q, starts(1.0)[1, 0, 1, 0, 1].v)) is None
    for name in ("four-bar-spatial", "bennett", "modified-double-four-bar"):
        system = reactio.build(reactio.load(name))
        assert real_motions(system, reactio.assemble(system)) is None


def test_swings_back_through_the_flat_pose_and_goes_on(tmp_path: Path) -> None:
    """Down to the other side, φ = −π, where bars lie on each other again; pieces, files and wholes agree."""
    begin = starts(1.0)[0, 0, 0, 1, 1]
    whole = reactio.simulate(FLAT, 1.4, state=begin)
    part = reactio.simulate(FLAT, 1.4, state=begin, chunk=7, on_chunk=lambda chunk: chunk.checkpoint.steps >= 7)
    part.save(str(tmp_path / "part.npz"))
    kept = load_run(tmp_path / "part.npz")
    rest = joined(kept, reactio.simulate(FLAT, 1.4, resume=kept.checkpoint))
    assert whole.method == rest.method == "branch"
    assert np.array_equal(whole.q, rest.q)
    assert whole.q[:, 14].min() < -np.pi < whole.q[:, 11].max()
    phi, _ = swing(2, 0, begin.q[14], begin.v[14], np.array([1.4]))
    assert whole.q[-1, 14] == pytest.approx(phi[0], abs=1e-7)
    assert whole.energy_error == pytest.approx(0.0, abs=1e-8)
    assert np.abs(whole.q[:, [2, 5, 8]]).max() < 1e-8


@functools.cache
def slow_return(tol: float) -> tuple[State, Trajectory]:
    """Slowly back through the flat pose: the start and the run."""
    begin = starts(-0.2)[0, 0, 0, 1, 1]
    return begin, reactio.simulate(FLAT, 1.5, state=begin, tol=tol)


@pytest.mark.parametrize("tol", [1e-10, 1e-12])
def test_tight_tolerances_lose_nothing(tol: float) -> None:
    """A stage very close to the flat pose has accelerations of noise."""
    begin, run = slow_return(tol)
    phi, _ = swing(2, 0, begin.q[14], begin.v[14], np.array([1.5]))
    assert run.status.name == "DONE"
    assert "1e-10 at best" in run.notes[0]
    # 1e-10 a step, some thirty steps, and what is lost in the passage.
    assert run.energy_error == pytest.approx(0.0, abs=1e-8)
    assert run.q[-1, 14] == pytest.approx(phi[0], abs=5e-8)  # the same: the motion hardly passes, and spreads it by 10
    assert run.checkpoint.rejected < 60  # steps do not collapse


def test_passages_of_a_tight_run_are_found() -> None:
    begin, run = slow_return(1e-12)
    times = np.linspace(0.0, 1.5, 15001)
    flat = times[np.flatnonzero(np.diff(np.sign(np.sin(swing(2, 0, begin.q[14], begin.v[14], times)[0]))))]
    passed = run.singular_passages.found
    assert [p.motions for p in passed] == [1] * len(flat)
    assert [p.t for p in passed] == pytest.approx(flat, abs=2e-4)  # a grid of 1e-4 s


def test_the_first_row_has_the_accelerations_of_the_branch() -> None:
    run = reactio.simulate(FLAT, 1e-3, state=starts(1.0)[0, 0, 0, 1, 1], output=[0.0, 1e-3])
    assert np.abs(run.vdot[0, [2, 5, 8]]).max() < 1e-6  # bars that stay: differences of T
    assert run.vdot[0] == pytest.approx(run.vdot[1], abs=0.05)  # 1e-3 s later


def test_lost_digits_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_checks, "LARGEST_ENERGY_ERROR", 0.0)
    run = reactio.simulate(FLAT, 0.1, state=starts(1.0)[0, 0, 0, 1, 1])
    assert "The energy is off by" in run.notes[-1]


def test_reactions_that_exist_and_those_that_do_not() -> None:
    """Bars 1 and 2 hang between their ends like a taut string: A and D would have to pull beyond all bounds.

    The string puts half its weight on the tip of bar 3, bar 3 half of its own: E carries 1.5 m g.  The rest follows
    from Newton and Euler for bars 4 and 5.
    """
    run = reactio.simulate(FLAT, 0.35, state=starts(1.0)[0, 0, 0, 1, 1])
    last, (note,) = run.last_reactions, run.notes
    assert "A, B, C, D" in note
    for name in "ABCD":
        assert str(last[name].verdict) == "not unique"
        assert np.isnan(last[name].force).all()
    E, F, G = (last[name].force for name in "EFG")  # on bars 4, 5, 5
    assert E[1] == pytest.approx(-1.5 * 9.81, abs=1e-6)  # differences of C: 1e-8 of 30 N
    q, vdot = run.final.q, run.checkpoint.vdot
    lever = 0.5 * np.array([np.cos(q[14]), np.sin(q[14])])
    for a, (inner, outer) in zip(vdot.reshape(5, 3)[3:], ((E, -G), (F, G)), strict=True):
        assert inner + outer + [0.0, -9.81] == pytest.approx(a[:2], abs=1e-6)
        couple = outer - inner
        assert lever[0] * couple[1] - lever[1] * couple[0] == pytest.approx(a[2] / 12, abs=1e-6)


def test_no_rule_shares_what_does_not_exist() -> None:
    with pytest.raises(reactio.ReactioError, match="'inertia' cannot make them"):
        reactio.simulate(FLAT, 0.1, state=starts(1.0)[0, 0, 0, 1, 1], rule="inertia")
    with pytest.raises(reactio.ReactioError, match="this state is on none"):
        reactio.simulate(reactio.load("double-four-bar"), 0.1, method="branch")


def test_friction_on_a_held_branch_is_refused_never_dropped() -> None:
    rub = "\nforces: {rub: {type: joint-friction, joint: F, coefficient: 0.05, velocity: 0.01, radius: 0.3}}\n"
    system = reactio.build(reactio.parse_model(to_yaml(FLAT.model) + rub))
    begin = starts(1.0)[0, 0, 0, 1, 1]
    for wrong in (
        lambda: reactio.simulate(system, 0.1, state=begin),
        lambda: reactio.simulate(system, 0.1, state=begin, rule="pseudoinverse"),
        lambda: integrate(system, begin, 0.1, method="branch", rule="pseudoinverse"),
        lambda: run_in_minimal_coordinates(system, begin, 0.1, 0.05, size=1),
    ):
        with pytest.raises(reactio.ReactioError, match=r"cannot handle friction.* in 'F'.*Drop the friction"):
            wrong()


def test_order_along_a_held_branch() -> None:
    """Halving a fixed step divides the error by about 2⁸."""
    begin = starts(1.0)[0, 0, 0, 1, 1]
    exact, _ = swing(2, 0, begin.q[14], begin.v[14], np.array([0.6]))
    runs = [integrate(FLAT, begin, 0.6, step=0.6 / k, method="branch") for k in (4, 8)]
    errors = [abs(run.q[-1, 14] - exact[0]) for run in runs]
    assert [run.steps for run in runs] == [4, 8]
    assert 6.5 < np.log2(errors[0] / errors[1]) < 10.0  # asymptotically 8
