"""The implicit method: order, stability, stiff springs and dampers against a second formulation, pieces, stiffness."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import reactio
from reactio import kernels
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.integrate.dop853.step import STAGES
from reactio.integrate.dop853.workspace import step_workspace
from reactio.integrate.integrator import Integrator, initial_checkpoint, integrate
from reactio.integrate.methods import METHODS
from reactio.integrate.methods.auto import method_choice
from reactio.integrate.radau5.jacobian import MOST_FREE
from reactio.integrate.singular_passage import interpolate
from reactio.integrate.status import Status
from reactio.integrate.stiffness import fastest_motion_at
from reactio.kernels import CodeUse, machine_code_use
from reactio.model.model import Model
from reactio.model.specs import Body, Force, Joint
from reactio.simulation.read_run import load_run
from reactio.simulation.run_checks import joined
from reactio.simulation.simulate import simulate
from reactio.system.types import State, System

# A unit mass on a slide, 10 mm off its free position.
SLIDE = """
space: planar
bodies: {{b: {{mass: 1, inertia: 1, position: [0.01, 0]}}}}
joints: {{S: {{type: translational, bodies: [ground, b], at: [0, 0], axis: [1, 0]}}}}
forces: {{k: {{type: linear-spring-damper, joint: S, stiffness: {k}, damping: {c}, position: -0.01}}}}
"""

# A uniform bar of one metre and one kilogram on a hinge; a point of one kilogram hangs on its end by a stiff spring.
SPRING_PENDULUM = """
space: planar
gravity: [0, -9.81]
bodies:
  a: {{mass: 1, inertia: 1/12, position: [0.5, 0]}}
  b: {{kind: point, mass: 1, position: [2, 0]}}
joints: {{A: {{type: revolute, bodies: [ground, a], at: [0, 0]}}}}
forces: {{k: {{type: spring-damper, a: {{body: a, point: [0.5, 0]}}, b: b, stiffness: {k}, length: 1, damping: {c}}}}}
"""


def system_of(text: str, **numbers: float) -> tuple[System, State]:
    system = reactio.build(reactio.parse_model(text.format(**numbers)))
    return system, reactio.assemble(system)


def slide(t: float, k: float, c: float, start: tuple[float, float] = (0.01, 0.0)) -> float:
    """The exact x of ẍ + c ẋ + k x = 0."""
    roots = np.roots([1.0, c, k]).astype(complex)
    share = np.linalg.solve(np.stack([np.ones(2), roots]), np.array(start))
    return float((share @ np.exp(roots * t)).real)


def spring_pendulum(t: float, k: float, c: float) -> Floats:
    """The same as angle and Cartesian coordinates (θ, x, y), by another implementation of the method."""

    def rates(_: float, y: Floats) -> Floats:
        theta, x, z, omega, u, w = y
        tip, side = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
        apart, speed = np.array([x, z]) - tip, np.array([u, w]) - omega * side
        length = np.hypot(*apart)
        pull = (k * (length - 1) + c * speed @ apart / length) * apart / length
        turn = (pull @ side - 0.5 * 9.81 * np.cos(theta)) * 3
        return np.array([omega, u, w, turn, -pull[0], -pull[1] - 9.81])

    run = solve_ivp(rates, (0, t), [0, 2, 0, 0, 0, 0], method="Radau", rtol=1e-9, atol=1e-11)
    return np.asarray(run.y[:3, -1])


def pendulum() -> tuple[System, State]:
    bar = Body("bar", 1.0, (1 / 12,), (0.5, 0.0), (0.0,))
    hinge = Joint("A", "revolute", End(GROUND, (0.0, 0.0)), End("bar", (-0.5, 0.0)))
    system = reactio.build(Model("pendulum", "planar", (bar,), (hinge,), gravity=(0.0, -9.81)))
    return system, reactio.assemble(system)


def top() -> tuple[System, State]:
    """A heavy top with three different moments on a ball joint: rotations on the group."""
    body = Body(
        "top", 1.0, (0.2, 0.3, 0.1), (0.3, 0.0, 0.2), angular_velocity=(1.0, -2.0, 5.0), velocity=(-0.4, 0.8, 0.6)
    )
    ball = Joint("O", "spherical", End(GROUND, (0.0, 0.0, 0.0)), End("top", (-0.3, 0.0, -0.2)))
    system = reactio.build(Model("top", "spatial", (body,), (ball,), gravity=(0.0, 0.0, -9.81)))
    return system, reactio.assemble(system)


# Steps that are long enough for the error to stay above rounding, short enough to be asymptotic.
STEPS = {"dop853": (6, 12), "radau5": (20, 40), "auto": (6, 12)}


@pytest.mark.parametrize(
    "name", [one.name for one in METHODS.values() if not one.past_singular_poses and not one.in_steps]
)
@pytest.mark.parametrize("mechanism", [pendulum, top], ids=["pendulum", "top"])
def test_order_of_every_method(name: str, mechanism: object) -> None:
    system, state = mechanism()  # type: ignore[operator]
    exact = integrate(system, state, 0.6, tol=1e-13).q[-1]
    runs = [integrate(system, state, 0.6, step=0.6 / k, tol=1e-13, method=name) for k in STEPS[name]]
    assert all(run.status is Status.DONE for run in runs)
    errors = [np.abs(run.q[-1] - exact).max() for run in runs]
    order = METHODS.get("dop853" if name == "auto" else name).order
    # Halving the step: 2^order up to the next term of the error, which is a few tenths of the first.
    assert order - 0.8 < np.log2(errors[0] / errors[1]) < order + 1.8


@pytest.mark.parametrize(
    ("k", "c"), [(1e7, 2e3), (1e7, 1e5), (1e3, 1e4), (40.0, 0.4)], ids=["vibrating", "creeping", "damper", "soft"]
)
def test_linear_oscillators_are_exact_to_the_tolerance(k: float, c: float) -> None:
    system, state = system_of(SLIDE, k=k, c=c)
    for tol in (1e-5, 1e-8):
        motion = integrate(system, state, 0.3, tol=tol, output=[0.002, 0.1, 0.3], method="radau5")
        exact = [slide(t, k, c) for t in motion.t]
        assert motion.q[:, 0] == pytest.approx(exact, abs=30 * tol)  # some 100 steps; inside a step of order 3 only
        assert max(motion.position_drift, motion.velocity_drift) < 1e-14


def test_large_steps_damp_what_they_do_not_resolve() -> None:
    """h ω = 3000: an L-stable method leaves nothing of the vibration, and no step grows."""
    system, state = system_of(SLIDE, k=1e9, c=0)
    motion = integrate(system, state, 1.0, step=0.1, tol=1e-6, method="radau5")
    x = np.abs(motion.q[:, 0])
    assert motion.status is Status.DONE
    assert x[1:].max() < 1e-7  # of 1e-2: |R(z)| ~ 1/|z| there, and the speed that is left adds as much
    assert x[-1] < 1e-16


@pytest.mark.parametrize("c", [0.0, 1e3])
def test_stiff_spring_against_another_formulation(c: float) -> None:
    """10⁷ N/m, whose direction turns with the pendulum; the rigid limit is a link in place of the spring."""
    system, state = system_of(SPRING_PENDULUM, k=1e7, c=c)
    motion = integrate(system, state, 1.0, tol=1e-6, output=[1.0], method="radau5")
    theta, x, y = spring_pendulum(1.0, 1e7, c)
    # 300 steps of 1e-6; the vibration that the load starts has an amplitude of mg/k = 1e-6 m.
    assert motion.q[-1, [2, 3, 4]] == pytest.approx([theta, x, y], abs=1e-5)
    rigid = SPRING_PENDULUM.replace(
        "joints: {{", "joints: {{B: {{type: distance, a: {{body: a, point: [0.5, 0]}}, b: b}}, "
    )
    link = integrate(*system_of(rigid, k=0, c=0), 1.0, tol=1e-9, output=[1.0])
    assert motion.q[-1] == pytest.approx(link.q[-1], abs=3e-5)  # springs give by mg/k = 1e-6, and swing that on


VAN_DER_POL = """
space: planar
bodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, 0]}}
joints: {S: {type: translational, a: ground, b: b}}
forces: {f: {type: actuator, joint: S, effort: "1000*(1 - (s + 2)**2)*rate - (s + 2)"}}
"""


def test_damper_that_changes_its_sign() -> None:
    """Van der Pol's equation with μ = 1000, from 2 at rest; Hairer & Wanner 1996, Sect. IV.10, in another scaling."""
    system = reactio.build(reactio.parse_model(VAN_DER_POL))
    motion = integrate(system, reactio.assemble(system), 1000.0, tol=1e-6, output=[500.0, 1000.0], method="radau5")

    def rates(_: float, y: Floats) -> list[float]:
        return [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]]

    run = solve_ivp(rates, (0, 1000), [2, 0], method="Radau", rtol=1e-8, atol=1e-10, t_eval=motion.t)
    assert motion.q[:, 0] + 2 == pytest.approx(run.y[0], abs=1e-4)  # a jump lies between: times of 1e-6 become lengths
    assert motion.steps < 2000


def test_few_steps_where_accuracy_allows() -> None:
    system, state = system_of(SPRING_PENDULUM, k=1e9, c=1e3)
    implicit = integrate(system, state, 1.0, tol=1e-4, output=[1.0], method="radau5")
    explicit = integrate(system, state, 1.0, tol=1e-4, output=[1.0])
    assert implicit.steps < explicit.steps / 20  # 80 against 8000: √k counts for the one, not for the other
    assert implicit.q[-1] == pytest.approx(explicit.q[-1], abs=1e-3)  # some hundred steps of 1e-4
    assert explicit.stiff
    assert not integrate(*pendulum(), 2.0, tol=1e-6).stiff


def test_redundant_mechanism_with_stiff_torsional_springs() -> None:
    """A torsional spring-damper at a hinge of the double four-bar: one freedom, one equation for its angle."""
    k, c = 1e6, 1e5
    model = reactio.load("double-four-bar")
    at = CoordinateName("A", "rotation")
    spring = Force("s", "torsional-spring-damper", {"joint": at, "stiffness": k, "damping": c, "angle": 0.0})
    system = reactio.build(replace(model, forces=(spring,)))
    state = reactio.assemble(system)
    motion = integrate(system, state, 2.0, tol=1e-8, output=[0.01, 1.0, 2.0], method="radau5")
    assert motion.status is Status.DONE
    # 3 kg m² about the hinges for three cranks and two couplers; their weight takes 9.81 · 7/2 N m off the stiffness,
    # exactly so for angles of 3e-5.
    exact = [np.pi / 2 + slide(t, (k - 9.81 * 3.5) / 3, c / 3, (0.0, -1.0)) for t in motion.t]
    assert motion.q[:, 2] == pytest.approx(exact, abs=1e-7)  # a hundred steps of 1e-8
    assert max(motion.position_drift, motion.velocity_drift) < 1e-12


@functools.cache
def through_flat_poses() -> Floats:
    """q of the double four-bar after 2 s, by explicit steps with a tolerance of 1e-11."""
    system = reactio.build(reactio.load("double-four-bar"))
    return np.array(integrate(system, reactio.assemble(system), 2.0, tol=1e-11, output=[2.0]).q[-1])


def test_flat_poses_are_passed_by_the_implicit_method_too() -> None:
    system = reactio.build(reactio.load("double-four-bar"))
    state = reactio.assemble(system)
    one = integrate(system, state, 2.0, tol=1e-7, output=[2.0], method="radau5")
    assert one.status is Status.DONE
    assert one.q[-1] == pytest.approx(through_flat_poses(), abs=1e-5)  # 200 steps of 1e-7
    assert max(one.position_drift, one.velocity_drift) < 1e-12


@pytest.mark.parametrize("chunk", [3, 11, 31])
def test_flat_poses_are_passed_wherever_a_piece_ends(chunk: int) -> None:
    """Some of these pieces end while steps become shorter on the way into a flat pose."""
    system = reactio.build(reactio.load("double-four-bar"))
    state = reactio.assemble(system)
    one = integrate(system, state, 2.0, tol=1e-9, output=[2.0], method="radau5", chunk=chunk)
    assert one.status is Status.DONE
    assert one.q[-1] == pytest.approx(through_flat_poses(), abs=1e-6)  # 640 steps of 1e-9


def test_the_length_of_chunks_changes_no_digit_of_a_run_that_is_compiled_on_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run that turns out to be longer than was expected is compiled after some steps."""
    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    system = reactio.build(reactio.load("double-four-bar"))
    state = reactio.assemble(system)
    used: list[CodeUse] = []
    advance = interpolate.advance_past_singularities

    def watched(*given: Any) -> Any:
        used.append(machine_code_use())
        return advance(*given)

    monkeypatch.setattr(interpolate, "advance_past_singularities", watched)
    monkeypatch.setattr(Integrator, "_evaluations_left", lambda *_: 0.0)
    monkeypatch.setattr(kernels, "COMPILE_THRESHOLD", system.n * STAGES * 5)  # five steps
    monkeypatch.setattr(kernels, "LOAD_THRESHOLD", kernels.COMPILE_THRESHOLD)
    runs = [integrate(system, state, 0.5, chunk=chunk) for chunk in (200, 3)]
    assert runs[0].steps > 6
    assert used[0] is not CodeUse.COMPILED
    assert used[-1] is CodeUse.COMPILED
    np.testing.assert_array_equal(runs[1].q, runs[0].q)


def test_spatial_parallelogram_with_stiff_springs() -> None:
    """A spring of 10⁷ N/m and a strong damper hold the platform against its load: the same motion by both methods."""
    model = reactio.load("spatial-parallelogram")
    ends = {"a": End(GROUND, (-0.75, 0.75, 0.5)), "b": End("platform", (0.0, 0.0, 0.0))}
    spring = Force("stiff", "spring-damper", {**ends, "stiffness": 1e7, "length": 1.0, "damping": 1e5})
    system = reactio.build(replace(model, forces=(*model.forces, spring)))
    state = reactio.assemble(system)
    runs = [integrate(system, state, 0.05, tol=1e-7, output=[0.05], method=method) for method in ("radau5", "dop853")]
    assert all(run.status is Status.DONE for run in runs)
    assert runs[0].q[-1] == pytest.approx(runs[1].q[-1], abs=1e-5)  # a few hundred steps of 1e-7
    assert max(runs[0].position_drift, runs[0].velocity_drift) < 1e-12


@pytest.mark.parametrize("method", ["radau5", "auto"])
def test_pieces_give_the_identical_numbers(method: str) -> None:
    system, state = system_of(SPRING_PENDULUM, k=1e7, c=1e3)
    whole = integrate(system, state, 0.3, tol=1e-4, method=method)
    pieces = integrate(system, state, 0.3, tol=1e-4, method=method, chunk=7)
    assert whole.checkpoint.memory_of == method
    assert METHODS.get(method).implicit(whole.checkpoint)  # both end with the implicit method
    for key in ("t", "q", "v", "vdot", "lam"):
        assert np.array_equal(getattr(whole, key), getattr(pieces, key))
    assert (whole.steps, whole.rejected, whole.evaluations) == (pieces.steps, pieces.rejected, pieces.evaluations)


@pytest.mark.parametrize("method", ["radau5", "auto"])
def test_a_memory_of_another_size_is_refused(method: str) -> None:
    system, state = system_of(SPRING_PENDULUM, k=1e7, c=1e3)
    made = integrate(system, state, 0.01, tol=1e-4, method=method).checkpoint
    with pytest.raises(reactio.ReactioError, match=f"2 numbers of the method '{method}'.*Start the run again"):
        integrate(system, replace(made, memory=made.memory[:2]), 0.02, tol=1e-4, method=method)


def test_another_method_begins_without_the_memory() -> None:
    """A checkpoint of radau5 is for auto, and for dop853, the state it holds."""
    system, state = system_of(SPRING_PENDULUM, k=1e7, c=1e3)
    made = integrate(system, state, 0.01, tol=1e-4, method="radau5").checkpoint
    for method in ("auto", "dop853"):
        one, other = (
            integrate(system, start, 0.0101, tol=1e-4, method=method) for start in (made, made.without_memory())
        )
        assert np.array_equal(one.q, other.q)


def test_saved_and_resumed_runs_are_the_same_run(tmp_path: Path) -> None:
    model = reactio.parse_model(SPRING_PENDULUM.format(k=1e7, c=1e3))
    whole = simulate(model, until=0.2, tol=1e-4, method="radau5")
    half = simulate(
        model, until=0.2, tol=1e-4, method="radau5", chunk=5, on_chunk=lambda chunk: chunk.checkpoint.t > 0.1
    )
    half.save(str(tmp_path / "half.npz"))
    kept = load_run(tmp_path / "half.npz")
    rest = simulate(kept.system, until=0.2, tol=1e-4, method=kept.method, resume=kept.checkpoint)
    assert kept.method == "radau5"
    assert np.array_equal(joined(kept, rest).q, whole.q)


def test_energy_goes_into_the_dampers() -> None:
    run = simulate(reactio.parse_model(SPRING_PENDULUM.format(k=1e6, c=1e3)), until=0.5, tol=1e-7, method="radau5")
    # Part of the kinetic energy: 1e-7 per step, 400 steps, work by quadrature.
    assert run.energy_error == pytest.approx(0.0, abs=1e-5)
    assert "stiff" not in " ".join(run.notes)


def test_auto_changes_the_method_and_says_so() -> None:
    model = reactio.parse_model(SLIDE.format(k=1e3, c=1e4))
    explicit = simulate(model, until=1.0, tol=1e-6)
    run = simulate(model, until=1.0, tol=1e-6, method="auto")
    assert "Use the method radau5" in explicit.notes[0]
    assert "radau5 took over" in run.notes[0]
    assert run.steps < explicit.steps / 5  # 1,500 against some 100
    assert run.final.q[0] == pytest.approx(slide(1.0, 1e3, 1e4), abs=1e-5)
    soft = simulate(reactio.load("double-four-bar"), until=1.0, method="auto")
    assert np.array_equal(soft.q, simulate(reactio.load("double-four-bar"), until=1.0).q)
    assert soft.notes == ()


def test_a_collapse_by_stiffness_is_called_that() -> None:
    """A damper of 10¹⁸ N s/m: explicit steps would be shorter than time can be told."""
    system, state = system_of(SLIDE, k=1e3, c=1e18)
    state = replace(state, v=np.array([1e-3, 0.0, 0.0]))
    assert integrate(system, state, 1.0, tol=1e-6).status is Status.STIFF
    assert "radau5" in Status.STIFF.value
    assert integrate(system, state, 1.0, tol=1e-6, method="auto").status is Status.DONE


def test_fastest_part_of_a_motion() -> None:
    system, state = system_of(SLIDE, k=1e6, c=0)
    by = step_workspace(system)
    found = fastest_motion_at(system, by, initial_checkpoint(system, by, state))
    assert found.eigenvalue == pytest.approx(1e3, rel=1e-6)  # √(k/m); differences are exact for a linear spring
    assert np.argmax(np.abs(found.velocity)) == 0  # what moves so fast is x
    system, state = system_of(SLIDE, k=1e3, c=1e4)
    by = step_workspace(system)
    found = fastest_motion_at(system, by, initial_checkpoint(system, by, state))
    assert found.eigenvalue == pytest.approx(1e4, rel=1e-3)  # c/m, less k/c


def test_what_is_too_large_is_refused() -> None:
    points = tuple(Body(f"p{k}", 1.0, (), (float(k), 0.0), kind="point") for k in range(MOST_FREE // 2 + 1))
    system = reactio.build(Model("dust", "planar", points))
    with pytest.raises(reactio.ReactioError, match=f"more than the limit of {MOST_FREE}"):
        integrate(system, system.state(), 0.1, method="radau5")


def test_few_evaluations_for_a_step() -> None:
    """Stiff springs that turn: Jacobians at three stages are 3 (1 + 2·3) evaluations, two iterations and the end 7."""
    system, state = system_of(SPRING_PENDULUM, k=1e7, c=1e3)
    run = integrate(system, state, 1.0, tol=1e-6, output=[1.0], method="radau5")
    assert run.evaluations < 32 * run.steps
    assert run.rejected < run.steps / 10
    soft = integrate(*pendulum(), 2.0, tol=1e-6, output=[2.0], method="radau5")
    assert soft.evaluations < 11 * soft.steps  # one Jacobian for many steps: two or three iterations and the end


def test_motion_is_the_same_however_many_directions_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from reactio.integrate.methods import radau5

    system, state = system_of(SPRING_PENDULUM, k=1e7, c=1e3)
    whole = integrate(system, state, 0.1, tol=1e-5, method="radau5")
    monkeypatch.setattr(radau5, "initial_room", lambda _: 1)
    narrow = integrate(system, state, 0.1, tol=1e-5, method="radau5")
    assert np.array_equal(whole.q, narrow.q)
    assert (whole.steps, whole.rejected) == (narrow.steps, narrow.rejected)


@pytest.mark.parametrize("name", ["bennett", "four-bar-spatial", "sarrus"])
def test_redundant_spatial_mechanisms_by_the_implicit_method(name: str) -> None:
    """Redundant rows are no singular pose."""
    system = reactio.build(reactio.load(name))
    state = reactio.assemble(system)
    one = integrate(system, state, 1.0, tol=1e-6, output=[1.0], method="radau5")
    two = integrate(system, state, 1.0, tol=1e-10, output=[1.0])
    assert one.status is Status.DONE
    assert one.rejected < 10
    assert one.q[-1] == pytest.approx(two.q[-1], abs=1e-5)  # some hundred steps of 1e-6


# A four-bar whose crank has its length once more, by a rod from the ground to the coupler.
TWICE = """
space: spatial
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0]}
  coupler: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 1.25, 0]}
  rocker: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0.75, 0]}
joints:
  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, bodies: [crank, coupler], at: [0, 1, 0], axis: [0, 0, 1]}
  C: {type: revolute, bodies: [coupler, rocker], at: [2, 1.5, 0], axis: [0, 0, 1]}
  D: {type: revolute, bodies: [rocker, ground], at: [2, 0, 0], axis: [0, 0, 1]}
  R: {type: distance, a: ground, b: {body: coupler, point: [-1, -0.25, 0]}, length: 1}
"""


def test_four_bar_with_a_redundant_rod() -> None:
    system = reactio.build(reactio.parse_model(TWICE))
    state = reactio.assemble(system)
    one = integrate(system, state, 1.5, tol=1e-7, output=[1.5], method="radau5")
    two = integrate(system, state, 1.5, tol=1e-11, output=[1.5])
    assert one.status is two.status is Status.DONE
    assert one.q[-1] == pytest.approx(two.q[-1], abs=1e-5)  # some hundred steps of 1e-7, velocities of 5 m/s
    assert max(one.position_drift, one.velocity_drift) < 1e-12


def test_rows_between_steps_have_the_reactions_of_the_motion() -> None:
    """A spring of 10⁷ N/m turns 10⁻⁶ m, the error of a polynomial between its nodes, into 10 N: steps end at rows."""
    system, state = system_of(SPRING_PENDULUM, k=1e7, c=1e4)
    times = np.linspace(0.2, 0.5, 40)
    rough = integrate(system, state, 0.5, tol=1e-5, output=times, method="radau5")
    fine = integrate(system, state, 0.5, tol=1e-10, output=times)
    assert rough.steps < 100  # so that most rows lie between steps
    size = np.abs(fine.lam).max()
    assert (
        np.abs(rough.lam - fine.lam).max() < 2e-3 * size
    )  # of 30 N; the state is good for 1e-4, tens of steps of 1e-5
    assert np.abs(rough.q - fine.q).max() < 3e-4


def test_auto_stays_with_the_cheaper_method() -> None:
    """An undamped spring whose vibration has to be followed: implicit steps would be as short, and cost more."""
    system, state = system_of(SPRING_PENDULUM, k=1e4, c=0)
    run = integrate(system, state, 2.0, tol=1e-7, output=[2.0], method="auto")
    explicit = integrate(system, state, 2.0, tol=1e-7, output=[2.0])
    implicit = integrate(system, state, 2.0, tol=1e-7, output=[2.0], method="radau5")
    assert implicit.evaluations > 2 * explicit.evaluations
    assert run.evaluations < 1.3 * explicit.evaluations


def test_auto_goes_back_where_the_implicit_method_costs_more() -> None:
    """A damper that is strong for a while, then a vibration."""
    text = SLIDE.format(k=1e6, c=0).replace("forces: {", 'forces: {d: {type: actuator, joint: S, effort: "-rate*'
        '5e5*(1 - tanh(200*(t - 0.2)))"}, p: {type: actuator, joint: S, effort: "3e3*sin(1e3*t)"}, ')  # fmt: skip
    system = reactio.build(reactio.parse_model(text))
    run = integrate(system, reactio.assemble(system), 0.6, tol=1e-8, method="auto")
    explicit = integrate(system, reactio.assemble(system), 0.6, tol=1e-8)
    assert run.status is Status.DONE
    assert run.evaluations < explicit.evaluations / 2
    assert method_choice(run.checkpoint).implicit == 0.0  # it was left again
    assert run.q[-1, 0] == pytest.approx(explicit.q[-1, 0], abs=1e-6)  # thousands of steps of 1e-8, a free vibration
