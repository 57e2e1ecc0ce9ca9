"""Loads from outside the package: laws along several measures at once, with matrices, functions and a potential."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.catalogue.fields import Matrix, Place
from reactio.catalogue.places import CoordinateName, End
from reactio.errors import ModelError, ReactioError
from reactio.forces import (
    FORCES,
    AppliedLoad,
    ForceLaw,
    ForceType,
    FrameMeasures,
    FrameVelocity,
    JointCoordinates,
    Normal,
)
from reactio.forces import register as register_force
from reactio.forward_dynamics.accelerate import accelerations
from reactio.functions.expression import Expression
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml
from reactio.primitives import PLANAR_PRIMITIVES, SPATIAL_PRIMITIVES, Combination
from reactio.simulation.energy import energy
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

rng = np.random.default_rng(4)
ROOT = rng.standard_normal((6, 6))
K = 40 * ROOT @ ROOT.T + 100 * np.eye(6)
D = 0.02 * K
SIZE = {"planar": 3, "spatial": 6}
# A block on a mount, beside a hinge that a linear spring and damper turn, and that may rub.
BLOCK = {
    "planar": """
space: planar
gravity: [0, -9.81]
bodies:
  block: {mass: 3, inertia: 0.2, position: [0.02, -0.01], angle: 0.2, angular_velocity: 0.5,
          points: {foot: [0.1, -0.2]}}
  arm: {mass: 1, inertia: 0.1, position: [1.2, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, arm], at: [1, 0]}
""",
    "spatial": """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  block: {mass: 3, inertia: [0.2, 0.3, 0.25], position: [0.02, -0.01, 0.03], angular_velocity: [0.5, -0.4, 0.3],
          orientation: {axis: [1, 2, 3], angle: 0.2}, points: {foot: [0.1, 0, -0.2]}}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.2, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, arm], at: [1, 0, 0], axis: [0, 1, 0]}
""",
}
COIL = "  coil: {type: torsional-spring-damper, joint: hinge, stiffness: 5, angle: 0.3, damping: 0.1}\n"
RUB = "  rub: {type: joint-friction, joint: hinge, coefficient: 0.3, velocity: 0.05, radius: 0.1}\n"


def mount(kind: str, space: str, stiffness: Floats | None = None, damping: Floats | None = None, *others: str) -> str:
    """A block on a mount beside other forces."""
    n = SIZE[space]
    stiffness, damping = K[:n, :n] if stiffness is None else stiffness, D[:n, :n] if damping is None else damping
    given = f"stiffness: {stiffness.tolist()}, damping: {damping.tolist()}"
    rubber = f"  rubber: {{type: {kind}, a: ground, b: block.foot, {given}}}\n"
    return BLOCK[space] + "forces:\n" + rubber + "".join(others)


def measures(space: str) -> tuple[Combination, ...]:
    """Displacements of B along the axes of A, and its rotation: its angle, or the sines of space."""
    if space == "planar":
        slide = PLANAR_PRIMITIVES.get("slide")
        return slide("x"), slide("y"), PLANAR_PRIMITIVES.get("turn")()
    slide, perp = SPATIAL_PRIMITIVES.get("slide"), SPATIAL_PRIMITIVES.get("perp")
    return slide("x"), slide("y"), slide("z"), perp("z", "y"), perp("x", "z"), perp("y", "x")


def _frames(p: Mapping[str, Any]) -> FrameMeasures:
    return FrameMeasures(p["a"], p["b"], measures("planar" if len(p["a"].point) == 2 else "spatial"))


def _mount(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    along = _frames(p)
    return (AppliedLoad(along, ForceLaw(stiffness=p["stiffness"], damping=p["damping"], free=FREE[: along.size])),)


def _hardening(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    """With a cubic part along each measure besides the matrices."""
    along = _frames(p)
    cubic = tuple(Expression(f"-{100 * (k + 1)}*s**3 - 0.3*rate*cos(t)") for k in range(along.size))
    return (AppliedLoad(along, ForceLaw(cubic, p["stiffness"], p["damping"])),)


FREE = (0.03, -0.02, 0.01, 0.1, -0.2, 0.15)
FRAMES = (Place("a", "One frame."), Place("b", "The other."), Matrix("stiffness", "K."), Matrix("damping", "D."))


@pytest.fixture
def registered() -> Iterator[None]:
    """The kinds, for one test; they leave no trace."""
    register_force(ForceType("mount", FRAMES, _mount, "A mount."))
    register_force(ForceType("hardening", FRAMES, _hardening, "A mount with a cubic part."))
    yield
    for name in ("mount", "hardening"):
        FORCES.remove(name)


def potential(system: System, q: Floats) -> float:
    return energy(system, 0.0, q, np.zeros(system.n), np.zeros(system.m)).potential


def coordinates(system: System, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    """s, ṡ of the block's foot, by geometry: rotations by the angle, or by the sines that K of space multiplies."""
    if system.space == "planar":
        (x, y, phi), (vx, vy, w), (a, b) = q[:3], v[:3], (0.1, -0.2)
        c, s = np.cos(phi), np.sin(phi)
        arm = np.array([c * a - s * b, s * a + c * b])
        return np.array([x + arm[0], y + arm[1], phi]), np.array([vx - w * arm[1], vy + w * arm[0], w])
    h = 1e-6
    ends = [_sines(advance(system, q, k * h * v)) for k in (0, 1, -1)]
    return ends[0], (ends[1] - ends[2]) / (2 * h)


def _sines(q: Floats) -> Floats:
    w, x, y, z = q[3:7]
    R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip
    return np.array([*(q[:3] + R @ (0.1, 0, -0.2)), R[2, 1], R[0, 2], R[1, 0]])


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("space", SIZE)
def test_its_power_is_that_of_the_law(space: str) -> None:
    """Q·v = ṡᵀ f with f = −K (s − s₀) − D ṡ, by a geometry that knows no measures."""
    system = reactio.build(parse_model(mount("mount", space)))
    bare = reactio.build(parse_model(BLOCK[space]))
    n = SIZE[space]
    v = np.random.default_rng(1).standard_normal(system.n)
    Q = equations(system, State(0.0, system.q0, v)).Q - equations(bare, State(0.0, system.q0, v)).Q
    s, rate = coordinates(system, system.q0, v)
    f = -K[:n, :n] @ (s - FREE[:n]) - D[:n, :n] @ rate
    # Rates in space are central differences: truncation h² and rounding 1e-16/h, with forces of some 100 N.
    assert Q @ v == pytest.approx(f @ rate, rel=1e-8)
    assert np.abs(Q).max() > 1


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("space", SIZE)
def test_forces_are_the_gradient_of_the_potential_and_damping_takes_power(space: str) -> None:
    system = reactio.build(parse_model(mount("mount", space, None, None, COIL)))
    q, h, still = system.q0, 1e-5, np.zeros(system.n)
    gradient = [(potential(system, advance(system, q, h * e)) - potential(system, advance(system, q, -h * e))) / (2 * h)
                for e in np.eye(system.n)]  # fmt: skip
    # Central differences of energies of size 30: truncation h² and rounding 1e-15·30/h.
    np.testing.assert_allclose(equations(system, State(0.0, q, still)).Q, -np.array(gradient), atol=1e-7)
    n = SIZE[space]
    undamped = reactio.build(parse_model(mount("mount", space, None, 0 * D[:n, :n], COIL)))
    moving = equations(system, State(0.0, q, system.v0))
    lost = (moving.Q - equations(undamped, moving.state).Q) @ system.v0
    assert lost == pytest.approx(energy(system, 0.0, q, system.v0, np.zeros(system.m)).power, rel=1e-9)
    assert lost < 0


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("space", SIZE)
def test_the_potential_is_the_integral_of_the_forces(space: str) -> None:
    """V(q) − V(q₀) = −∫ Q·v dt along a finite path, by Gauss' quadrature in 12 nodes."""
    system = reactio.build(parse_model(mount("mount", space)))
    v = np.random.default_rng(2).standard_normal(system.n)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    work = 0.0
    for x, w in zip(0.25 * (1 + nodes), 0.25 * weights, strict=True):
        q = advance(system, system.q0, x * v)
        work += w * float(equations(system, State(0.0, q, np.zeros(system.n))).Q @ v)
    gained = potential(system, advance(system, system.q0, 0.5 * v)) - potential(system, system.q0)
    assert abs(gained) > 1
    assert gained == pytest.approx(-work, rel=1e-11)  # of analytic functions: rounding of some 100 J


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("space", SIZE)
def test_without_damping_a_run_keeps_its_energy(space: str) -> None:
    n = SIZE[space]
    run = reactio.simulate(parse_model(mount("mount", space, None, 0 * D[:n, :n])), until=0.5, tol=1e-9)
    totals = [energy(run.system, t, q, v, lam).total for t, q, v, lam in zip(run.t, run.q, run.v, run.lam, strict=True)]
    kinetic = [
        energy(run.system, t, q, v, lam).kinetic for t, q, v, lam in zip(run.t, run.q, run.v, run.lam, strict=True)
    ]
    assert np.ptp(kinetic) > 1
    assert np.ptp(totals) < 1e-7 * np.ptp(kinetic)  # tol times some 100 steps
    assert np.abs(run.work).max() < 1e-12  # rounding


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("space", SIZE)
@pytest.mark.parametrize("kind", ["mount", "hardening"])
def test_a_run_balances_beside_friction(kind: str, space: str) -> None:
    """Matrices, functions and an effort that needs a reaction, in any order, are told apart."""
    forces = mount(kind, space, None, None, COIL, RUB)
    model = parse_model(forces)
    run = reactio.simulate(model, until=0.3, tol=1e-9)
    assert run.energy_error is not None
    assert run.energy_error < 1e-7
    assert parse_model(to_yaml(model), name=model.name).forces == model.forces
    head, *lines = forces.split("forces:\n")[1].splitlines(keepends=True)
    other = parse_model(BLOCK[space] + "forces:\n" + "".join([*lines, head]))
    again = reactio.simulate(other, until=0.3, tol=1e-9)
    # The other order sums in another order: rounding, and steps that it moves by less than the tolerance.
    np.testing.assert_allclose(again.q[-1], run.q[-1], atol=1e-8)


@pytest.mark.usefixtures("registered")
def test_friction_is_that_of_the_joint_alone() -> None:
    """A mount on another body changes nothing about a joint that rubs, to the last digit of its acceleration."""
    alone, beside = (
        reactio.build(parse_model(text))
        for text in (BLOCK["spatial"] + "forces:\n" + RUB, mount("mount", "spatial", None, None, RUB))
    )
    v = np.array([*np.zeros(6), *np.zeros(4), 0.7, 0.0])  # the hinge turns about y
    found = [
        accelerations(equations(system, reactio.assemble(system, State(0.0, system.q0, v))))
        for system in (alone, beside)
    ]
    assert abs(found[0].vdot[10]) > 1e-3
    np.testing.assert_allclose(found[1].vdot[6:], found[0].vdot[6:], rtol=1e-12)


@pytest.mark.usefixtures("registered")
def test_stiffness_without_potential_does_work() -> None:
    """The symmetric part of K has a potential; what the rest does is work, as the balance of a run shows."""
    turning = 30 * np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0.0]])
    model = parse_model(mount("mount", "planar", K[:3, :3] + turning, 0 * D[:3, :3]))
    run = reactio.simulate(model, until=0.3, tol=1e-9)
    assert run.energy_error == pytest.approx(0.0, abs=1e-7)
    assert np.abs(run.work).max() > 1e-2


CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
NUT = """
space: spatial
bodies: {{nut: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}}}}
joints: {{C: {{type: cylindrical, a: ground, b: nut}}}}
forces: {{spring: {{type: twisting-spring, translation: {}, rotation: {}, stiffness: [[400, 9], [9, 2]]}}}}
"""


@pytest.mark.parametrize("names", [("C.translation", "C.rotation"), ("C", "C")])  # which the units choose
def test_the_force_of_the_guide_acts_along_two_coordinates(names: tuple[str, str]) -> None:
    """A coil spring on a cylindrical joint pulls when it is twisted: f = −K s with entries off the diagonal."""
    (text,) = re.findall(r"```python\n(# src/reactio/forces/.*?)```", CONTRIBUTING.read_text(encoding="utf-8"), re.S)
    exec(text, {"__name__": "twisting_spring"})
    try:
        system = reactio.build(parse_model(NUT.format(*names)))
    finally:
        FORCES.remove("twisting-spring")
    eqs = equations(system, State(0.0, advance(system, system.q0, np.array([0, 0, 0.3, 0, 0, 0.4])), system.v0))
    s = eqs.work.value[system.plan.efforts.effort[:, 0]]
    np.testing.assert_allclose(np.abs(s), [0.3, 0.4], rtol=1e-12)  # rounding
    np.testing.assert_allclose(eqs.work.effort, -np.array([[400, 9], [9, 2]]) @ s, rtol=1e-14)
    assert abs(eqs.Q[2]) == pytest.approx(abs(400 * s[0] + 9 * s[1]), rel=1e-14)


def test_a_spring_is_the_same_as_its_formula() -> None:
    """To the last bit: the linear part of a law rounds as functions do."""
    written = "  {}: {{type: actuator, joint: hinge, effort: {}}}\n"
    forces = (COIL, written.format("f", '"-5*(s - 0.3) - 0.1*rate"'),
              written.format("l", "{linear-law: {stiffness: 5, free: 0.3, damping: 0.1}}"))  # fmt: skip
    systems = [reactio.build(parse_model(BLOCK["planar"] + "forces:\n" + one)) for one in forces]
    v = np.random.default_rng(3).standard_normal(systems[0].n)
    Q = [equations(system, State(0.2, advance(system, system.q0, v), v)).Q for system in systems]
    assert Q[0].any()
    assert Q[0].tolist() == Q[1].tolist() == Q[2].tolist()
    stored = [potential(system, system.q0) for system in systems]
    assert stored[0] == stored[2] != stored[1]  # a formula has no potential: it does work


def test_the_bushing_of_the_package_says_what_is_wrong() -> None:
    assert reactio.simulate(parse_model(mount("bushing", "spatial")), until=0.01).energy_error == pytest.approx(
        0.0, abs=1e-7
    )
    with pytest.raises(ModelError, match=r"stiffness is \(5, 6\); 6 rows of 6 numbers are needed"):
        parse_model(mount("bushing", "spatial", stiffness=K[:5]))
    with pytest.raises(ModelError, match="not symmetric"):
        parse_model(mount("bushing", "spatial", stiffness=K + np.diag(np.ones(5), 1)))


def test_laws_that_fit_no_load_are_refused() -> None:
    end, x, linear = End("b", (0.0, 0.0)), CoordinateName("j"), ForceLaw(stiffness=((1.0,),))
    two = JointCoordinates((x, x))
    with pytest.raises(ReactioError, match="stiffness contains nan"):
        ForceLaw(stiffness=((float("nan"),),))
    with pytest.raises(ReactioError, match=r"stiffness is \(1, 1\); 2 rows of 2"):
        AppliedLoad(two, linear)
    with pytest.raises(ReactioError, match="functions: 1 are given for 2 efforts"):
        AppliedLoad(two, ForceLaw((Expression("t"),)))
    with pytest.raises(ReactioError, match="free: 1 are given for 2 efforts"):
        AppliedLoad(two, ForceLaw(damping=((1.0, 0.0), (0.0, 1.0)), free=(1.0,)))
    with pytest.raises(ReactioError, match="need coordinates"):
        AppliedLoad(FrameVelocity(end, angular=True), linear)
    with pytest.raises(ReactioError, match="no reaction decides"):
        AppliedLoad(JointCoordinates((x,)), linear, Normal(x))
    with pytest.raises(ReactioError, match="single measures"):
        FrameMeasures(end, end, (PLANAR_PRIMITIVES.get("slide")("x") + PLANAR_PRIMITIVES.get("slide")("y"),))
