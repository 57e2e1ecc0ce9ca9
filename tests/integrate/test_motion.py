"""The integrator: exact solutions, conservation laws, order, passages through singular poses, pieces and output."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import reactio
from reactio.arrays import Floats
from reactio.bodies.rigid import advance_spatial, displacement_rates_spatial
from reactio.catalogue.places import GROUND, End
from reactio.integrate.checkpoint import Chunk, Motion
from reactio.integrate.integrator import integrate
from reactio.integrate.status import Status
from reactio.kernels import compiled_throughout
from reactio.model.model import Model
from reactio.model.specs import Body, Joint
from reactio.system.types import State, System


def mechanism(name: str, **parameters: float) -> tuple[System, State]:
    system = reactio.build(reactio.load(name, **parameters))
    return system, reactio.assemble(system)


def energies(motion: Motion) -> Floats:
    """Kinetic energy and that of gravity, for bodies with their origin at the centre of mass."""
    system, found = motion.system, []
    for t, q, v in zip(motion.t, motion.q, motion.v, strict=True):
        energy = 0.5 * v @ (reactio.equations(system, State(t, q, v)).M @ v)
        for b, body in enumerate(system.model.bodies):
            k = system.body_q[b]
            energy -= (body.mass or 0.0) * np.dot(system.model.gravity, q[k : k + len(system.model.gravity)])
        found.append(energy)
    return np.array(found)


def chain(N: int, t: float) -> Floats:
    """θ, θ̇ of N four-bar loops in a row whose cranks stay parallel: (N+1)/3 + N kg m² about the hinges."""
    inertia, weight = (N + 1) / 3 + N, 9.81 * ((N + 1) / 2 + N)

    def rates(_: float, y: Floats) -> list[float]:
        return [y[1], -weight * np.cos(y[0]) / inertia]

    run = solve_ivp(rates, (0, t), [np.pi / 2, -1.0], method="DOP853", rtol=1e-13, atol=1e-13)
    return np.asarray(run.y[:, -1])


@pytest.mark.parametrize("tol", [1e-8, 1e-10, 1e-13])
def test_long_chains_pass_flat_poses_at_every_tolerance(tol: float) -> None:
    """Coordinates up to 40 m: what rounding does beside the flat pose grows with them."""
    system, state = mechanism("n-four-bar", N=40)
    motion = integrate(system, state, 2.0, tol=tol, output=[2.0])
    assert motion.status is Status.DONE
    most = 50 * tol + 1e-11  # 1e2 steps, and what the reference is good for
    assert motion.q[-1, 2::6] == pytest.approx(chain(40, 2.0)[0], abs=most)


@pytest.mark.parametrize(
    ("method", "tol"), [("dop853", 1e-6), ("dop853", 1e-9), ("dop853", 1e-11), ("radau5", 1e-5), ("radau5", 1e-7)]
)
def test_start_in_the_flat_pose(method: str, tol: float) -> None:
    """Where C has lost rank the velocity picks the branch, and the motion goes on along it."""
    system, state = mechanism("double-four-bar", theta=0.0, omega=-5.0)
    motion = integrate(system, state, 1.0, tol=tol, output=[1.0], method=method)
    exact = solve_ivp(
        lambda _, y: [y[1], -9.81 * 3.5 / 3 * np.cos(y[0])], (0, 1), [0, -5], method="DOP853", rtol=1e-13, atol=1e-13
    )
    assert motion.status is Status.DONE
    assert motion.q[-1, 2::6] == pytest.approx(exact.y[0, -1], abs=100 * tol)  # 1e2 steps
    with pytest.raises(reactio.ReactioError, match="at rest in a singular pose"):
        integrate(*mechanism("double-four-bar", theta=0.0, omega=0.0), 1.0)


@pytest.mark.parametrize("N", [2, 40])
def test_flat_poses_cost_no_accuracy(N: int) -> None:
    """Ten seconds and a dozen passages through the flat pose, where the rank of C drops by N."""
    system, state = mechanism("n-four-bar", N=N)
    motion = integrate(system, state, 10.0, tol=1e-11, output=[0.0, 10.0])
    theta, omega = chain(N, 10.0)
    assert motion.status is Status.DONE
    assert motion.q[-1, 2::6] == pytest.approx(theta, abs=1e-9)  # all cranks; 1e-11 per step grows linearly in time
    assert motion.v[-1, 2::6] == pytest.approx(omega, abs=1e-8)  # θ̈ ~ 10 turns the error of θ into one of θ̇
    before, after = energies(motion)
    assert after == pytest.approx(before, rel=1e-10)  # θ̇ dθ̇ of the same error
    assert max(motion.position_drift, motion.velocity_drift) < 1e-12  # projected: rounding of N metres


@pytest.mark.parametrize("tol", [1e-8, 1e-9])
def test_flat_poses_cost_implicit_steps_no_accuracy(tol: float) -> None:
    """Short steps of order 5 come near the pose; at 1e-8 they get across, at 1e-9 collocation carries them over."""
    system, state = mechanism("double-four-bar")
    motion = integrate(system, state, 10.0, tol=tol, output=[10.0], method="radau5")
    assert motion.status is Status.DONE
    # A step errs by far less than its estimate, which is of order 3: ten seconds leave about one tolerance.
    assert motion.q[-1, 2::6] == pytest.approx(chain(2, 10.0)[0], abs=4 * tol)


@pytest.mark.parametrize(
    "name", ["double-four-bar", "modified-double-four-bar", "modified-triple-four-bar", "two-by-two-four-bar"]
)
def test_singular_passages_keep_energy_and_branch(name: str) -> None:
    system, state = mechanism(name)
    motion = integrate(system, state, 5.0, tol=1e-11)
    energy = energies(motion)
    assert motion.status is Status.DONE
    assert (
        np.abs(energy - energy[0]).max() < 1e-8 * energy[0]
    )  # some 300 steps of 1e-11, the last ones amplified tenfold
    assert motion.position_drift < 1e-13  # closed to rounding at every step, also beside the flat pose
    if name != "two-by-two-four-bar":  # there the two rows move against each other
        cranks = np.flatnonzero(np.abs(motion.q[0] - np.pi / 2) < 1e-12)  # the angles that start upright
        assert len(cranks) > 1
        spread = np.ptp(motion.q[:, cranks], axis=1)
        assert spread.max() < 1e-8  # still parallel: rounding over the distance to the flat pose at a step's end


@pytest.mark.parametrize(("name", "until"), [("bricard", 5.0), ("sarrus", 1.0), ("four-bar-spatial", 5.0)])
def test_overconstrained_spatial_mechanisms_keep_their_energy(name: str, until: float) -> None:
    system, state = mechanism(name)
    motion = integrate(system, state, until, tol=1e-10)
    energy = energies(motion)
    assert np.abs(energy - energy[0]).max() < 1e-8  # joule, of about ten: 1e-10 per step, 300 steps
    assert max(motion.position_drift, motion.velocity_drift) < 1e-12


def test_order_of_the_method() -> None:
    """Halving a fixed step divides the error by about 2⁸."""
    system, state = mechanism("double-four-bar")
    exact = chain(2, 0.6)[0]
    errors = [abs(integrate(system, state, 0.6, step=0.6 / k).q[-1, 2] - exact) for k in (4, 8)]
    assert (
        7.0 < np.log2(errors[0] / errors[1]) < 10.0
    )  # asymptotically 8; these steps are long, so that rounding is far


def test_tolerance_proportionality() -> None:
    system, state = mechanism("double-four-bar")
    exact = chain(2, 2.0)[0]
    for tol in (1e-6, 1e-8, 1e-10):
        error = abs(integrate(system, state, 2.0, tol=tol).q[-1, 2] - exact)
        assert error < 50 * tol  # 1e2 steps whose errors add up in part


def test_energy_over_a_hundred_thousand_steps() -> None:
    bar = Body("bar", 1.0, (1 / 12,), (0.5, 0.0), (0.0,))
    hinge = Joint("A", "revolute", End(GROUND, (0.0, 0.0)), End("bar", (-0.5, 0.0)))
    system = reactio.build(Model("pendulum", "planar", (bar,), (hinge,), gravity=(0.0, -9.81)))
    motion = integrate(system, reactio.assemble(system), 200.0, step=2e-3, output=[0.0, 200.0], chunk=100_000)
    before, after = energies(motion)
    assert motion.steps == 100_000
    assert abs(after - before) < 1e-9  # the tolerance; 1e5 roundings of 1e-15 walk 3e-13, biased ones 1e-10


def test_free_body_conserves_energy_and_angular_momentum() -> None:
    """Euler's equations about three different moments, beside the unstable axis."""
    body = Body("top", 2.0, (1.0, 2.0, 2.5), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3), (0.01, 3.0, 0.02))
    system = reactio.build(Model("free", "spatial", (body,)))
    motion = integrate(system, reactio.assemble(system), 20.0, tol=1e-11)
    momentum = []
    for t, q, v in zip(motion.t, motion.q, motion.v, strict=True):
        momentum.append((reactio.equations(system, State(t, q, v)).M @ v)[3:])
    assert np.abs(np.array(momentum) - momentum[0]).max() < 1e-8  # of 6: some 500 steps of 1e-11
    assert np.ptp(energies(motion)) < 1e-8
    assert np.abs(np.linalg.norm(motion.q[:, 3:], axis=1) - 1).max() < 1e-14  # on the group: normalised to rounding
    assert np.ptp(motion.q[:, 4]) > 0.5  # it does tumble


def test_rotation_vector_flows_with_the_angular_velocity() -> None:
    """exp(d) turns at ω when ḋ = displacement_rates(d, ω), seen by a central difference."""
    random = np.random.default_rng(3)
    p = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    for size in (1e-6, 0.05, 0.5, 2.5):
        d, v, rate = size * random.standard_normal(6), random.standard_normal(6), np.zeros(6)
        displacement_rates_spatial(d, v, 0, 0, np.zeros((1, 1)), 0, rate)
        ends = [np.zeros(7), np.zeros(7), np.zeros(7)]
        for end, e in zip(ends, (-1e-5, 0.0, 1e-5), strict=True):
            advance_spatial(p, 0, d + e * rate, 0, np.zeros((1, 1)), 0, end)
        w, x, y, z = (ends[2] - ends[0])[3:] / 2e-5
        a, b, c, e = ends[1][3:]
        # ω = 2 ṗ p̄
        omega = 2 * np.array(
            [-w * b + x * a - y * e + z * c, -w * c + x * e + y * a - z * b, -w * e - x * c + y * b + z * a]
        )
        assert omega == pytest.approx(v[3:], abs=1e-8)  # difference of step 1e-5: error 1e-10 times third derivatives


def test_andrews_squeezer() -> None:
    """Hairer & Wanner 1996, VII.7: the angles at t = 0.03 s."""
    system, state = mechanism("andrews")
    motion = integrate(system, state, 0.03, tol=1e-11, output=[0.03])
    beta, Theta, gamma, Phi = 15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948
    delta, Omega, epsilon = 0.5244099658805304, 0.5347301163226948, 1.048080741042263
    angles = (beta, beta + Theta, gamma, Phi + delta, delta, Omega + epsilon, epsilon)
    assert motion.q[0, 2::3] == pytest.approx(angles, abs=1e-8)  # 1e-11 per step, amplified by a spin of 1e3 rad/s


def test_driven_slider_crank_is_where_its_geometry_says() -> None:
    r, l, theta, omega, t = 0.05, 0.15, np.pi / 4, 100.0, 0.2
    system, state = mechanism("slider-crank")
    motion = integrate(system, state, t, tol=1e-6, output=[0.1234, t])
    piston = system.body_q[system.model.body_index["piston"]]
    angle = theta + omega * motion.t
    x = r * np.cos(angle) + np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    assert motion.q[:, piston] == pytest.approx(x, abs=1e-13)  # geometry alone decides: projected to rounding


def test_nonholonomic_robot_does_not_drift() -> None:
    system, state = mechanism("mobile-robot")
    runs = [integrate(system, state, 5.0, tol=tol) for tol in (1e-8, 1e-11)]
    assert max(runs[0].position_drift, runs[0].velocity_drift) < 1e-13
    assert runs[0].q[-1] == pytest.approx(runs[1].q[-1], abs=1e-7)  # its path depends on the tolerance only that much


def test_pieces_give_the_identical_numbers() -> None:
    system, state = mechanism("modified-double-four-bar")
    whole = integrate(system, state, 2.0, tol=1e-9)
    pieces = integrate(system, state, 2.0, tol=1e-9, chunk=7)
    assert np.array_equal(whole.t, pieces.t)
    assert np.array_equal(whole.q, pieces.q)
    assert np.array_equal(whole.lam, pieces.lam)
    seen: list[Chunk] = []
    part = integrate(system, state, 2.0, tol=1e-9, chunk=9, on_chunk=lambda c: seen.append(c) or len(seen) == 2)  # type: ignore[func-returns-value]
    assert part.status is Status.PAUSED
    assert part.steps == 18
    rest = integrate(system, part.checkpoint, 2.0, tol=1e-9)
    assert np.array_equal(np.concatenate([part.q, rest.q]), whole.q)
    assert (rest.steps, rest.evaluations) == (whole.steps, whole.evaluations)


def test_output_between_steps_is_as_good_as_at_their_ends() -> None:
    system, state = mechanism("double-four-bar")
    times = np.linspace(0.05, 2.0, 14)
    motion = integrate(system, state, 2.0, tol=1e-10, output=times)
    assert np.array_equal(motion.t, times)
    for t, q, v, vdot in zip(motion.t, motion.q, motion.v, motion.vdot, strict=True):
        theta, omega = chain(2, t)
        assert q[2] == pytest.approx(theta, abs=1e-8)  # order 7 inside a step of order 8 at 1e-10
        assert v[2] == pytest.approx(omega, abs=1e-7)
        assert vdot[2] == pytest.approx(-9.81 * 3.5 / 3 * np.cos(theta), abs=1e-6)  # θ̈ = −(3/2 + 2) g cos θ / 3


def test_accelerations_and_multipliers_satisfy_the_equations() -> None:
    system, state = mechanism("four-bar-spatial")
    motion = integrate(system, state, 0.5, tol=1e-9)
    eqs = reactio.equations(system, State(motion.t[-1], motion.q[-1], motion.v[-1]))
    residual = eqs.M @ motion.vdot[-1] + eqs.C.T @ motion.lam[-1] - eqs.Q
    assert np.abs(residual).max() < 1e-9 * np.abs(motion.lam[-1]).max()  # regularisation 1e-7, refined to rounding
    assert eqs.C @ motion.vdot[-1] == pytest.approx(eqs.Gamma, abs=1e-10)


ROTOR = """
reactio: 1
name: rotor
space: spatial
bodies: {rotor: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints: {A: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1]}}
drives: {motor: {joint: A, function: 10*t}}
"""


def test_turns_are_counted(tmp_path: Path) -> None:
    (tmp_path / "rotor.yaml").write_text(ROTOR)
    system, state = mechanism(str(tmp_path / "rotor.yaml"))
    motion = integrate(system, state, 2.0, tol=1e-6, output=[0.7, 2.0])
    assert motion.q[:, -1] == pytest.approx([7.0, 20.0], abs=1e-9)  # more than three turns, driven: projected
    assert motion.position_drift < 1e-13


def test_a_drive_that_asks_for_too_much_stops_with_that_reason() -> None:
    """A rod shorter than the crank: the piston locks where r sin θ = l."""
    r, l, theta, omega = 0.05, 0.04, np.pi / 4, 100.0
    system, state = mechanism("slider-crank", r=r, l=l)
    motion = integrate(system, state, 1.0, tol=1e-6)
    assert motion.status not in (Status.DONE, Status.PAUSED)
    assert motion.checkpoint.t == pytest.approx(
        (np.arcsin(l / r) - theta) / omega, rel=1e-3
    )  # as far as steps can come


def test_bad_requests_are_refused() -> None:
    system, state = mechanism("double-four-bar")
    with pytest.raises(reactio.ReactioError, match="cannot run until -1 s"):
        integrate(system, state, -1.0)
    with pytest.raises(reactio.ReactioError, match=r"between 1e-15 and 0\.1"):
        integrate(system, state, 1.0, tol=2.0)
    with pytest.raises(reactio.ReactioError, match="no method 'euler'"):
        integrate(system, state, 1.0, method="euler")
    with pytest.raises(reactio.ReactioError, match="must increase"):
        integrate(system, state, 1.0, output=[0.5, 0.2])


@pytest.mark.parametrize("name", ["bennett", "spatial-parallelogram"])
def test_a_coarser_tolerance_of_redundant_rows_takes_fewer_evaluations(name: str) -> None:
    """Stages are closed so far that redundant rows, which off the manifold contradict each other, refuse no step."""
    system, state = mechanism(name)
    with compiled_throughout():
        coarse, fine = (integrate(system, state, 2.0, tol=tol, output=[2.0]).evaluations for tol in (1e-4, 1e-6))
    assert coarse < fine
