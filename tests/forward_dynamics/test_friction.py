"""Friction in joints: closed forms, Newton–Euler by hand, energy, redundancy, rules, jamming."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import reactio
from reactio.arrays import Floats
from reactio.catalogue.places import CoordinateName
from reactio.errors import ModelError, ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.forward_dynamics.coulomb import coulomb_work, friction_fixed_point
from reactio.forward_dynamics.friction import Jammed, friction_efforts
from reactio.forward_dynamics.friction_check import UndecidedFriction, normal_maps, undecided
from reactio.integrate.integrator import integrate
from reactio.integrate.status import Status
from reactio.joint_reactions.compare import compare
from reactio.model.model import Model
from reactio.model.specs import Force
from reactio.sharing import RULES, problem, share
from reactio.simulation.read_run import load_run
from reactio.simulation.simulate import simulate
from reactio.system.constraints import components
from reactio.system.equations import Equations
from reactio.system.types import State, System
from reactio.uniqueness import solvability

G, ALPHA = 9.81, 0.5

INCLINE = {
    "planar": """
space: planar
gravity: [9.81*sin(0.5), -9.81*cos(0.5)]
bodies: {block: {mass: 2, inertia: 0.1}}
joints: {S: {type: translational, a: ground, b: block}}
forces: {rub: {type: joint-friction, joint: S, coefficient: MU, velocity: 0.05}}
""",
    "spatial": """
space: spatial
gravity: [0, -9.81*cos(0.5), 9.81*sin(0.5)]
bodies: {block: {mass: 2, inertia: [0.1, 0.2, 0.3]}}
joints: {S: {type: prismatic, a: ground, b: block}}
forces: {rub: {type: joint-friction, joint: S, coefficient: MU, velocity: 0.05}}
""",
}


def built(text: str) -> System:
    return reactio.build(reactio.parse_model(text))


def rubbed(model: Model, *joints: str, **fields: Any) -> Model:
    """The model with friction in pins of 2 cm."""
    given = {"coefficient": 0.4, "velocity": 0.01, "radius": 0.02, **fields}
    forces = tuple(Force(f"rub {j}", "joint-friction", {"joint": CoordinateName(j), **given}) for j in joints)
    return replace(model, forces=model.forces + forces)


def at(system: System, t: float, q: Floats, v: Floats) -> Equations:
    return reactio.equations(system, State(t, q, v))


@pytest.mark.parametrize("space", INCLINE)
def test_block_on_an_incline(space: str) -> None:
    """v̇ = a − b tanh(v/u) has t (a² − b²)/u = a x + b ln(cosh x − (b/a) sinh x), x = v/u."""
    a, b, u = G * math.sin(ALPHA), 0.3 * G * math.cos(ALPHA), 0.05
    system = built(INCLINE[space].replace("MU", "0.3"))
    motion = integrate(system, system.state(), 0.7, tol=1e-11)
    x = float(motion.v[-1, 0 if space == "planar" else 2]) / u
    t = u * (a * x + b * math.log(math.cosh(x) - b / a * math.sinh(x))) / (a * a - b * b)
    assert motion.status is Status.DONE
    assert t == pytest.approx(0.7, abs=1e-9)  # steps of 1e-11; the closed form loses digits where cosh ~ sinh


def test_sticking_creeps_as_stated() -> None:
    """Steeper friction than the slope: the block creeps at v_s artanh(tan α/μ)."""
    system = built(INCLINE["planar"].replace("MU", "0.8"))
    motion = integrate(system, system.state(), 1.0, tol=1e-10)
    creep = 0.05 * math.atanh(math.tan(ALPHA) / 0.8)
    assert motion.v[-1, 0] == pytest.approx(creep, rel=1e-8)  # settled: e^(−80) of the start is left
    assert motion.v[-1, 0] < 0.05


PENDULUM = """
space: planar
gravity: [0, -9.81]
bodies: {bob: {mass: 3, inertia: 0.2, center: [0.5, 0], angle: 0.3}}
joints: {A: {type: revolute, a: ground, b: bob}}
forces: {rub: {type: joint-friction, joint: A, coefficient: 0.6, velocity: 0.02, radius: 0.15}}
"""


def pendulum(_: float, y: Floats) -> list[float]:
    """φ, φ̇ of the pendulum; its pin force F = m (a − g) contains φ̈, which friction changes."""
    m, J, c, mu, R, u = 3.0, 0.2, 0.5, 0.6, 0.15, 0.02
    phi, w = y

    def wrong(alpha: float) -> float:
        ax = c * (-alpha * math.sin(phi) - w * w * math.cos(phi))
        ay = c * (alpha * math.cos(phi) - w * w * math.sin(phi))
        N = m * math.hypot(ax, ay + G)
        return (J + m * c * c) * alpha + m * G * c * math.cos(phi) + mu * R * N * math.tanh(R * w / u)

    return [w, float(brentq(wrong, -200.0, 200.0, xtol=1e-14, rtol=1e-14))]


def test_pendulum_with_friction_in_its_pin() -> None:
    system = built(PENDULUM)
    motion = integrate(system, system.state(), 2.0, tol=1e-11)
    # Short steps, because tanh switches within 1e-2 s at the turning points.
    oracle = solve_ivp(pendulum, (0, 2.0), [0.3, 0.0], method="DOP853", rtol=1e-11, atol=1e-12, max_step=0.01)
    assert motion.q[-1, 2] == pytest.approx(oracle.y[0, -1], abs=1e-8)  # 1e-11 per step over some hundred of them
    assert motion.v[-1, 2] == pytest.approx(oracle.y[1, -1], abs=1e-7)


ROTOR = """
space: spatial
bodies: {rotor: {mass: 2, inertia: [0.3, 0.3, 0.4], center: [0.1, 0, 0.5], angular_velocity: [0, 0, 30]}}
joints: {A: {type: revolute, a: ground, b: rotor}}
"""


def test_bearings_take_moments_and_thrust() -> None:
    """Centre of mass 0.1 m off the axis, 0.5 m above bearings at ±0.2 m: each takes F (1/2 ± 0.5/0.4)."""
    forces = """
gravity: [0, 0, -9.81]
forces: {rub: {type: joint-friction, joint: A, coefficient: 0.3, velocity: 0.1, radius: 0.03, half_length: 0.2,
  thrust_radius: 0.01}}
"""
    system = built(ROTOR + forces)
    assert system.v0[0] == 0.0
    eqs = reactio.equations(system)
    alpha = float(accelerations(eqs).vdot[5])
    m, r, H, h, w, I = 2.0, 0.1, 0.5, 0.2, 30.0, 0.4 + 2.0 * 0.01
    # In the plane of the offset x and across it, y: forces and the moments about the origin that go with them.
    Fx, Fy = -m * r * w * w, m * r * alpha
    Mx = -H * Fy
    My = H * Fx - m * G * r  # the weight acts at x = r
    N = sum(math.hypot(Fx / 2 + s * My / (2 * h), Fy / 2 - s * Mx / (2 * h)) for s in (1, -1))
    torque = -0.3 * (0.03 * N * math.tanh(0.03 * w / 0.1) + 0.01 * m * G * math.tanh(0.01 * w / 0.1))
    assert I * alpha == pytest.approx(torque, rel=1e-12)  # rounding


def test_bearing_moments_keep_their_sign() -> None:
    """P of every friction is made of the components that reactions are reported in."""
    system = built(ROTOR + "forces: {rub: {type: joint-friction, joint: A, coefficient: 0.3, velocity: 0.1, "
                   "radius: 0.03, half_length: 0.2, thrust_radius: 0.01}}")  # fmt: skip
    eqs = reactio.equations(system, State(0.0, reactio.equations(system).state.q, system.v0))
    W = components(eqs, system.group("A"))
    Fx, Fy, Fz, Mx, My = W.P
    one, two, thrust = normal_maps(eqs)
    assert one == pytest.approx(np.array([Fx / 2 + My / 0.4, Fy / 2 - Mx / 0.4]), abs=1e-15)
    assert two == pytest.approx(np.array([Fx / 2 - My / 0.4, Fy / 2 + Mx / 0.4]), abs=1e-15)
    assert thrust == pytest.approx(Fz[None], abs=1e-15)


def test_energy_is_balanced_with_what_friction_takes() -> None:
    model = rubbed(reactio.load("four-bar-planar"), *"ABCD", velocity=0.2)
    model = replace(model, gravity=(0.0, -9.81), drives=())
    bodies = tuple(replace(b, mass=1.0, inertia=(0.1,)) for b in model.bodies)
    run = simulate(replace(model, bodies=bodies), until=2.0, tol=1e-10)
    assert run.status is Status.DONE
    last = reactio.equations(run.system, run.final)
    lost = friction_efforts(run.system, last.work, run.lam[-1]) @ last.work.rate[run.system.plan.efforts.effort[:, 0]]
    assert lost < 0
    # Work is found by quadrature between steps, of a power with kinks where pins turn back.
    assert run.energy_error == pytest.approx(0.0, abs=1e-5)


# The robot turns about its trolley's pin A and its wheels' pins B, C.
def robot(*joints: str, **fields: Any) -> System:
    return reactio.build(rubbed(reactio.load("mobile-robot"), *joints, **fields))


def test_a_chunk_that_ends_beside_a_special_pose_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the robot begins to steer, the rank is in doubt for an instant: plain runs end a chunk there."""
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
    system = robot("A", coefficient=1.0, radius=0.2)
    pose = reactio.assemble(system)
    motion = integrate(system, pose, 1.3, output=[1.3])
    assert motion.status is Status.DONE
    beside = integrate(system, pose, 1.01713, output=[1.01713])
    assert undecided(at(system, 1.01713, beside.q[0], beside.v[0]))


@pytest.mark.parametrize("rows", [2, 11, 41])
def test_friction_that_stays_in_doubt_ends_the_run(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot steered by 1e-8 m for half a second, then as before: in doubt from 1.0 to 1.65 s, however many rows."""
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
    text = Path(str(reactio.load("mobile-robot").source)).read_text(encoding="utf-8")
    held = "step: {start: 1, end: 1.1, before: 0, after: 1e-8}\n        - step: {start: 1.6, end: 3.6,"
    model = reactio.parse_model(text.replace("step: {start: 1,  end: 3, ", held))
    system = reactio.build(rubbed(model, "A", coefficient=1.0, radius=0.2))
    motion = integrate(system, reactio.assemble(system), 2.1, output=np.linspace(0.0, 2.1, rows))
    assert motion.status is Status.FRICTION_NOT_UNIQUE
    assert 1.0 < motion.checkpoint.t < 1.1


def test_friction_in_a_unique_joint_is_the_same_under_every_rule() -> None:
    system = robot("A", coefficient=1.0, radius=0.2)
    motion = integrate(system, reactio.assemble(system), 3.0, output=[3.0])
    eqs = at(system, 3.0, motion.q[0], motion.v[0])
    assert undecided(eqs) == ()
    free = integrate(reactio.build(reactio.load("mobile-robot")), reactio.assemble(system), 3.0, output=[3.0])
    assert np.abs(motion.v - free.v).max() > 1e-5  # friction does something
    for rule in (name for name in RULES if not RULES.get(name).elastic):
        found = accelerations(eqs, rule=rule).vdot
        assert found == pytest.approx(motion.vdot[0], abs=1e-9)  # forces of 10 N through a rank decision of 1e-9
    runs = [simulate(system, 1.0, rule=rule, output=2) for rule in (None, "penalty", "inertia")]
    assert all(np.array_equal(run.q, runs[0].q) and not run.depends_on_rule for run in runs)


def test_friction_in_a_joint_that_is_not_unique_is_refused() -> None:
    with pytest.raises(UndecidedFriction, match=r"'B'.*shares load with.*sharing rule"):
        simulate(robot("A", "B"), 1.0)
    system = robot("B")
    eqs = reactio.equations(system, reactio.assemble(system))
    for refused in (accelerations, reactio.reactions):
        with pytest.raises(UndecidedFriction):
            refused(eqs)
    table = compare(eqs, ["penalty", "elimination:6,21"])
    assert not any(row.unique for row in table.rows)


@pytest.mark.parametrize("rule", ["pseudoinverse", "penalty", "augmented-lagrangian", "elimination:6,21"])
def test_the_rule_inside_the_motion_is_the_rule_outside(rule: str) -> None:
    system = robot("B", "C")
    run = simulate(system, 2.5, rule=rule, output=[2.5])
    eqs = at(system, 2.5, run.q[-1], run.v[-1])
    found = accelerations(eqs, rule=rule)
    lam = share(problem(eqs.constraints, found.f, eqs.M, solvability(eqs.constraints)), rule)
    assert run.depends_on_rule
    assert any("depends on the sharing rule" in note for note in run.notes)
    assert run.vdot[-1] == pytest.approx(found.vdot, abs=1e-10)  # rounding of forces of 10 N on 1 kg
    assert run.lam[-1] == pytest.approx(lam, abs=1e-9 * np.abs(lam).max())  # null(Cᵀ) is known to 1e-9


RAILS = """
space: planar
gravity: [0, -9.81]
bodies: {drawer: {mass: 2, inertia: 0.1, velocity: [3, 0]}}
joints:
  S1: {type: translational, a: ground, b: drawer}
  S2: {type: translational, a: ground, b: drawer}
forces: {rub: {type: joint-friction, joint: S1, coefficient: 0.5, velocity: 0.001}}
"""


@pytest.mark.parametrize(("rule", "part"), [("penalty", 0.5), ("elimination:3,4", 1.0), ("elimination:1,2", 0.0)])
def test_every_rule_has_its_motion(rule: str, part: float) -> None:
    """A drawer on two rails of which one rubs: v̇ = −part μ g, part of the weight as the rule has it."""
    run = simulate(built(RAILS), 0.4, rule=rule)
    assert run.status is Status.DONE
    assert run.v[-1, 0] == pytest.approx(3 - part * 0.5 * G * 0.4, abs=1e-9)  # tanh = 1 but for rounding
    assert run.energy_error == pytest.approx(0.0, abs=1e-9)


def test_elimination_is_settled_at_the_start_and_block_metrics_are_refused() -> None:
    run = simulate(built(RAILS), 0.1, rule="elimination")
    assert run.rule is not None
    assert run.rule.startswith("elimination:S")
    assert np.array_equal(simulate(built(RAILS), 0.1, rule=run.rule).q, run.q)
    for rule in ("inertia", "null-space"):
        with pytest.raises(ReactioError, match="one row at a time"):
            simulate(built(RAILS), 0.1, rule=rule)


def test_a_partly_unique_joint_may_rub_where_it_is_unique() -> None:
    """A door on a hinge and a second pin: the weight is the hinge's alone, the forces across are shared."""
    text = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {door: {mass: 25, inertia: [9, 8, 1.5], center: [0.4, 0, 0], angular_velocity: [0, 0, 2]}}
joints:
  hinge: {type: revolute, a: ground, b: door}
  pin: {type: point-on-line, a: {body: ground, point: [0, 0, 1]}, b: {body: door, point: [0, 0, 1]}}
forces: {rub: {type: joint-friction, joint: hinge, coefficient: 0.3, velocity: 0.01, FIELDS}}
"""
    system = built(text.replace("FIELDS", "thrust_radius: 0.02"))
    eqs = reactio.equations(system)
    assert solvability(eqs.constraints)["hinge"].verdict.value == "partly unique"
    assert undecided(eqs) == ()
    run = simulate(system, 0.5, output=2)
    slowed = 0.3 * 0.02 * 25 * G * math.tanh(0.02 * 2 / 0.01) / (1.5 + 25 * 0.16)
    assert run.vdot[0, 5] == pytest.approx(-slowed, rel=1e-9)
    with pytest.raises(UndecidedFriction):
        simulate(built(text.replace("FIELDS", "radius: 0.02")), 0.5)


def test_a_drawer_jams() -> None:
    """Pushed 0.5 m off a guide of ±0.2 m with μ = 0.5: friction makes 0.5·0.5/0.2 = 1.25 times itself."""
    text = """
space: planar
gravity: [0, -9.81]
bodies: {drawer: {mass: 2, inertia: 0.1, center: [0, OFF], velocity: [1, 0]}}
joints: {S: {type: translational, a: ground, b: drawer}}
forces: {rub: {type: joint-friction, joint: S, coefficient: 0.5, velocity: 0.01, half_length: 0.2}}
"""
    system = built(text.replace("OFF", "0.5"))
    with pytest.raises(Jammed, match="Painlevé"):
        accelerations(reactio.equations(system))
    with pytest.raises(Jammed, match="'S'"):
        integrate(system, system.state(), 1.0)
    near = built(text.replace("OFF", "0.1"))
    # Both pads press down, so that what one gains the other loses: μ g.
    assert accelerations(reactio.equations(near)).vdot[0] == pytest.approx(-0.5 * G, rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(1, 2), st.floats(0.01, 0.95), st.integers(0, 10**6))
def test_slip_solves_what_contracts_and_refuses_what_does_not(k: int, size: int, rho: float, seed: int) -> None:
    """Against plain iteration: B scaled to spectral radius ρ < 1 contracts; to 1/ρ it must be refused."""
    rng = np.random.default_rng(seed)
    of = np.arange(k + 1) * size
    N, a = rng.standard_normal((k * size, k + 1)), -rng.uniform(0.1, 1.0, k)
    blocks = N[:, :k].reshape(k, size, k)
    B = np.abs(a)[:, None] * np.linalg.norm(blocks, axis=1)
    N[:, :k] *= rho / np.abs(np.linalg.eigvals(B)).max()
    w = coulomb_work(k)
    assert friction_fixed_point(of, N, a, w)
    e = np.zeros(k)
    for _ in range(math.ceil(math.log(1e-17) / math.log(rho))):  # errors shrink by ρ, in the long run
        e = a * np.linalg.norm((N[:, :k] @ e + N[:, k]).reshape(k, size), axis=1)
    # The iteration stops at rounding over 1 − ρ.
    assert w.e == pytest.approx(e, abs=1e-12 * max(1.0, float(np.abs(e).max())) / (1 - rho))
    N[:, :k] *= 1 / rho**2
    assert not friction_fixed_point(of, N, a, coulomb_work(k))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("joint: A, coefficient: 0.3, velocity: 1", "give the radius"),
        ("joint: S, coefficient: 0.3, velocity: 1, radius: 1", "leave out radius"),
        ("joint: A, coefficient: -0.3, velocity: 1, radius: 1", "must not be negative"),
        ("joint: A, coefficient: 0.3, velocity: 0, radius: 1", "must be positive"),
        ("joint: A, coefficient: 0.3, velocity: 1, radius: 1, half_length: 1", "leave out half_length"),
        ("joint: A, coefficient: 0.3, radius: 1", "needs 'velocity'"),
        ("joint: D, coefficient: 0.3, velocity: 1", "no surfaces that rub"),
    ],
)
def test_bad_friction(fields: str, words: str) -> None:
    text = f"""
space: planar
bodies: {{a: {{mass: 1, inertia: 1}}, b: {{mass: 1, inertia: 1, position: [1, 0]}}}}
joints:
  A: {{type: revolute, a: ground, b: a}}
  S: {{type: translational, a: a, b: b}}
  D: {{type: distance, a: ground, b: b, length: 1}}
forces: {{rub: {{type: joint-friction, {fields}}}}}
"""
    with pytest.raises(ModelError, match=words):
        reactio.parse_model(text)


def test_units_of_a_file_and_saved_runs(tmp_path: Any) -> None:
    text = PENDULUM.replace("space: planar", "space: planar\nunits: mm").replace("9.81", "9810")
    text = text.replace("inertia: 0.2", "inertia: 0.2e6").replace("center: [0.5, 0]", "center: [500, 0]")
    text = text.replace("velocity: 0.02, radius: 0.15", "velocity: 20, radius: 150")
    one, two = (simulate(reactio.parse_model(given), 0.5, output=2) for given in (text, PENDULUM))
    assert one.q == pytest.approx(two.q, abs=1e-12)  # the same numbers but for rounding of units
    robot_run = simulate(robot("B"), 0.5, rule="penalty", output=2)
    robot_run.save(tmp_path / "run.npz")
    assert load_run(tmp_path / "run.npz").depends_on_rule


TWICE = """
space: planar
gravity: [0, -9.81]
bodies:
  bar: {mass: 1, inertia: 1, position: [0.5, 0]}
  bob: {mass: 1, inertia: 0.1, position: [1, 0]}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [0, 0]}
  B: {type: revolute, bodies: [ground, bar], at: [0, 0]}
  K: {type: revolute, bodies: [bar, bob], at: [1, 0]}
forces:
  rub: {type: joint-friction, joint: A, coefficient: 0.3, velocity: 0.01, radius: 0.05}
"""


def test_reactions_of_a_motion_that_a_rule_decides_say_so() -> None:
    """K is unique by structure, but friction in A or B, as the rule has it, decides how fast the bar turns."""
    run = simulate(reactio.parse_model(TWICE), 0.1, rule="pseudoinverse", output=2)
    other = simulate(reactio.parse_model(TWICE), 0.1, rule="elimination:A.x,A.y", output=2)
    assert run.last_reactions["K"].words == "unique given the rule pseudoinverse"
    assert not run.last_reactions["K"].unique
    assert not any(run.last_reactions["K"].determined)
    assert run.last_reactions["A"].words == "not unique"
    assert run["K"].verdicts[-1] == "unique given the rule pseudoinverse"
    # Without friction at all in the second the difference is far above the tolerance of 1e-9.
    assert np.abs(run.last_reactions["K"].force - other.last_reactions["K"].force).max() > 1e-4
    smooth = replace(reactio.parse_model(TWICE), forces=())
    assert simulate(smooth, 0.1, rule="pseudoinverse").last_reactions["K"].words == "unique"
