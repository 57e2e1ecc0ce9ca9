"""A body kind from outside the package with one elastic column: registered, it works like those inside.

A hub with a mass on a spring along its x axis; frames stretch with the spring.  The oracle is the same mechanism made
of a rigid hub and a point mass on a line of it, with the spring between them: another formulation of the same motion.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator

import reactio
from reactio.arrays import Floats
from reactio.bodies import BODIES, BodyKind, BodyState, Port, no_elements
from reactio.bodies import register as register_body
from reactio.bodies.pose import check_inertia
from reactio.catalogue.fields import Number
from reactio.catalogue.places import End
from reactio.errors import ModelError, ReactioError
from reactio.kernels import kernel
from reactio.model.files.read import parse_model
from reactio.model.files.schema import schema
from reactio.model.files.write import to_yaml
from reactio.simulation.read_run import load_run
from reactio.space.algebra import Vector2, cross2
from reactio.space.frames import PLANAR_ARM, PlanarFramePose, PlanarFrameVelocity, vector2
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

HUB, TURNING, TIP, LENGTH, STIFFNESS, DAMPING = range(6)  # places in p

TELESCOPE = """
space: planar
gravity: [0, -9.81]
bodies:
  arm:
    {kind: telescope, mass: 2, inertia: 0.3, angle: 0.4, velocity: [0, 0], angular_velocity: 1.5,
     tip_mass: 0.7, length: 0.5, stiffness: 80, damping: 0.6, stretch: 0.02, points: {tip: [0.5, 0], side: [0.25, 0.1]}}
joints:
  pin: {type: revolute, a: ground, b: arm}
"""
SAME = """
space: planar
gravity: [0, -9.81]
bodies:
  arm: {mass: 2, inertia: 0.3, angle: 0.4, angular_velocity: 1.5}
  tip: {kind: point, mass: 0.7, position: [0.52*cos(0.4), 0.52*sin(0.4)],
        velocity: [-0.52*1.5*sin(0.4), 0.52*1.5*cos(0.4)]}
joints:
  pin: {type: revolute, a: ground, b: arm}
  line: {type: revolute-translational, a: {body: arm, angle: 0}, b: {body: tip, angle: 0}}
forces:
  spring: {type: spring-damper, a: arm, b: tip, stiffness: 80, length: 0.5, damping: 0.6}
"""


@kernel
def orientation(q: Floats, iq: int, R: Floats, b: int) -> None:
    """cos φ, sin φ."""
    R[b, 0], R[b, 1] = math.cos(q[iq + 2]), math.sin(q[iq + 2])


@kernel
def arm_of(q: Floats, iq: int, p: Floats, b: int, local: Floats, f: int) -> Vector2:
    """s + Ψ η in body axes, Ψ = (s_x/L, 0)."""
    return (local[f, 0] * (1.0 + q[iq + 3] / p[b, LENGTH]), local[f, 1])


@kernel
def turned_by(R: Floats, b: int, a: Vector2) -> Vector2:
    """R a."""
    return (R[b, 0] * a[0] - R[b, 1] * a[1], R[b, 1] * a[0] + R[b, 0] * a[1])


@kernel
def pose(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r = r_b + R (s + Ψ η)."""
    arm = turned_by(R, b, arm_of(q, iq, p, b, local, f))
    x = turned_by(R, b, (local[f, 3], local[f, 4]))
    return PlanarFramePose((q[iq] + arm[0], q[iq + 1] + arm[1]), x, q[iq + 2] + local[f, 2], arm)


@kernel
def velocity(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> PlanarFrameVelocity:
    """v = ṙ_b + ω×arm + RΨ η̇,  drift = −ω² arm + 2 ω×RΨ η̇."""
    w, arm = v[iv + 2], vector2(F, f, PLANAR_ARM)
    out = turned_by(R, b, (local[f, 0] / p[b, LENGTH] * v[iv + 3], 0.0))
    speed = (v[iv] - w * arm[1] + out[0], v[iv + 1] + w * arm[0] + out[1])
    return PlanarFrameVelocity(speed, w, (-w * w * arm[0] - 2 * w * out[1], -w * w * arm[1] + 2 * w * out[0]), 0.0)


@kernel
def columns(
    D_v: Vector2, D_w: float, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I, ẑ×arm, RΨ; 0, 1, 0]."""
    along = turned_by(R, b, (local[f, 0] / p[b, LENGTH], 0.0))
    out[at] += factor * D_v[0]
    out[at + 1] += factor * D_v[1]
    out[at + 2] += factor * (D_w + cross2(vector2(F, f, PLANAR_ARM), D_v))
    out[at + 3] += factor * (D_v[0] * along[0] + D_v[1] * along[1])


@kernel
def inertia(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """Of the hub, and m_t J_tᵀJ_t of the tip at L + η with J_t = [I, (L + η) n, e]."""
    m, a, (c, s) = p[b, TIP], p[b, LENGTH] + q[iq + 3], vector2(R, b, 0)
    J = ((1.0, 0.0, -a * s, c), (0.0, 1.0, a * c, s))
    for i in range(4):
        for j in range(4):
            M[k + 4 * i + j] = m * (J[0][i] * J[0][j] + J[1][i] * J[1][j])
    M[k] += p[b, HUB]
    M[k + 5] += p[b, HUB]
    M[k + 10] += p[b, TURNING]


@kernel
def applied_forces(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Weight, m_t J_tᵀ(g − drift) of the tip, spring and damper."""
    m, a, (c, s), w, rate = p[b, TIP], p[b, LENGTH] + q[iq + 3], vector2(R, b, 0), v[iv + 2], v[iv + 3]
    x = g[0] + w * w * a * c + 2 * w * rate * s
    y = g[1] + w * w * a * s - 2 * w * rate * c
    Q[iv] += p[b, HUB] * g[0] + m * x
    Q[iv + 1] += p[b, HUB] * g[1] + m * y
    Q[iv + 2] += m * a * (c * y - s * x)
    Q[iv + 3] += m * (c * x + s * y) - p[b, STIFFNESS] * q[iq + 3] - p[b, DAMPING] * rate


@kernel
def coordinate_rates(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q̇ = v."""
    for k in range(4):
        out[iq + k] = v[iv + k]


@kernel
def moved(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d."""
    for k in range(4):
        out[iq + k] = q[iq + k] + d[iv + k]


@kernel
def displacement_rates(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(4):
        out[iv + k] = v[iv + k]


def parameters(body: Any) -> tuple[float, ...]:
    own = body.parameters
    return (
        body.mass or 0.0,
        *(body.inertia or (0.0,)),
        *(own[n] for n in ("tip_mass", "length", "stiffness", "damping")),
    )


def local(body: Any, end: End) -> tuple[float, ...]:
    (angle,) = end.orientation
    return (*end.point, angle, math.cos(angle), math.sin(angle))


def coordinates(body: Any) -> tuple[Any, Any]:
    return (*body.position, *body.orientation, body.parameters["stretch"]), (
        *body.velocity,
        *body.angular_velocity,
        body.parameters["stretch_rate"],
    )


def fields_of(body: Any, q: Floats, v: Floats) -> dict[str, float]:
    """The way back, so that a model can be written as it is bent."""
    return {"stretch": float(q[3]), "stretch_rate": float(v[3])}


def body_state(body: Any, q: Floats, v: Floats) -> BodyState:
    return BodyState(q[..., :2], q[..., 2:3], v[..., :2], v[..., 2:3])


def difference(q: Floats, other: Floats) -> Floats:
    return q - other


def potential(body: Any, q: Floats, gravity: Floats) -> float:
    """Of the spring, and of the weight of the tip; that of the hub is known."""
    own, a = body.parameters, body.parameters["length"] + q[3]
    tip = q[:2] + a * np.array([math.cos(q[2]), math.sin(q[2])])
    return float(0.5 * own["stiffness"] * q[3] ** 2 - own["tip_mass"] * (gravity @ tip))


@kernel
def power(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int) -> float:
    """−d η̇² of the damper."""
    return float(-p[b, DAMPING] * v[iv + 3] * v[iv + 3])


@pytest.fixture
def telescope() -> Iterator[None]:
    """The kind, for one test; it leaves no trace."""
    port = Port(
        units=lambda body: ("m/s", "m/s", "rad/s", "m/s"),
        orientation=orientation, pose=pose, velocity=velocity, columns=columns, inertia=inertia,
        applied_forces=applied_forces, coordinate_rates=coordinate_rates, advance=moved,
        displacement_rates=displacement_rates, parameters=parameters, local=local,
        coordinates=coordinates, body_state=body_state, difference=difference, potential=potential, power=power,
        fields_of=fields_of, elastic=lambda body: ("stretch",),
    )  # fmt: skip
    register_body(
        BodyKind(
            name="telescope",
            ports={"planar": port},
            check_inertia=check_inertia,
            check_elements=no_elements,
            turns=True,
            doc="A hub with a mass on a spring.",
            fields=(
                Number("tip_mass", "Mass on the spring.", dimension="mass", positive=True),
                Number("length", "Free length.", dimension="length", positive=True),
                Number("stiffness", "Of the spring.", dimension="stiffness"),
                Number("damping", "Of the spring.", 0.0, "damping"),
                Number("stretch", "At the start.", 0.0, "length"),
                Number("stretch_rate", "At the start.", 0.0, "velocity"),
            ),
        )
    )
    yield
    BODIES.remove("telescope")


def system(text: str = TELESCOPE) -> System:
    return reactio.build(parse_model(text))


@pytest.mark.usefixtures("telescope")
def test_files_schema_and_checks_follow_from_its_fields() -> None:
    model = parse_model(TELESCOPE)
    assert model.bodies[0].parameters["tip_mass"] == 0.7
    assert parse_model(to_yaml(model)) == replace(model, source=parse_model(to_yaml(model)).source)
    valid = Draft202012Validator(schema()).is_valid
    assert valid(yaml.safe_load(TELESCOPE))
    assert not valid(yaml.safe_load(TELESCOPE.replace("tip_mass: 0.7, ", "")))
    assert not valid(yaml.safe_load(TELESCOPE.replace("kind: telescope", "kind: rigid")))
    with pytest.raises(ModelError, match="needs 'tip_mass'"):
        parse_model(TELESCOPE.replace("tip_mass: 0.7, ", ""))
    with pytest.raises(ModelError, match="tip_mass is -1 kg; it must be positive"):
        parse_model(TELESCOPE.replace("tip_mass: 0.7", "tip_mass: -1"))
    with pytest.raises(ModelError, match="tip_mas"):
        parse_model(TELESCOPE.replace("tip_mass", "tip_mas"))


@pytest.mark.usefixtures("telescope")
def test_jacobian_and_drift_are_the_derivatives_of_the_frame() -> None:
    """C v = Φ̇ and C v̇ − Γ = Φ̈ along a path on which the body turns, moves and stretches."""
    text = TELESCOPE.replace("joints:\n", "joints:\n  hold: {type: revolute, a: ground, b: arm.side}\n")
    one, h = system(text), 1e-3
    q0, v, a = np.array([0.3, -0.2, 0.4, 0.05]), np.array([0.7, -0.4, 1.5, 0.9]), np.array([0.2, 0.5, -0.8, 1.1])

    def at(t: float) -> Any:
        return equations(one, State(0.0, advance(one, q0, t * v + 0.5 * t * t * a), v + t * a))

    here, Phi = at(0.0), [at(k * h).Phi for k in (-2, -1, 0, 1, 2)]
    first = np.array([1 / 12, -2 / 3, 0, 2 / 3, -1 / 12]) @ np.array(Phi) / h
    second = np.array([-1 / 12, 4 / 3, -5 / 2, 4 / 3, -1 / 12]) @ np.array(Phi) / h**2
    # Fourth-order stencils of terms of size 3: truncation h⁴ f⁽⁵⁾/30 = 1e-11; rounding 1e-16/h² = 1e-10.
    np.testing.assert_allclose(here.C @ v, first, atol=1e-9)
    np.testing.assert_allclose(here.C @ a - here.Gamma, second, atol=1e-7)


@pytest.mark.usefixtures("telescope")
def test_moves_like_a_hub_and_a_mass_on_a_spring() -> None:
    runs = [reactio.simulate(parse_model(text), until=0.3, tol=1e-10, output=4) for text in (TELESCOPE, SAME)]
    bent, apart_ = runs
    a = 0.5 + bent.q[:, 3]
    tip = bent.q[:, :2] + a[:, None] * np.stack([np.cos(bent.q[:, 2]), np.sin(bent.q[:, 2])], axis=1)
    # Both within a tolerance of 1e-10 a step, some tens of steps.
    np.testing.assert_allclose(bent.q[:, 2], apart_.q[:, 2], atol=1e-8)
    np.testing.assert_allclose(tip, apart_.q[:, 3:5], atol=1e-8)
    assert bent.energy_error == pytest.approx(0.0, abs=1e-7)


@pytest.mark.usefixtures("telescope")
def test_reactions_and_verdicts() -> None:
    one, other = system(), system(SAME)
    assert reactio.check(one)["pin"].verdict.value == "unique"
    found = [reactio.reactions(equations(s, reactio.assemble(s)))["pin"] for s in (one, other)]
    np.testing.assert_allclose(found[0].force, found[1].force, rtol=1e-9)


BENT = """
space: planar
bodies:
  arm:
    {kind: KIND, mass: 2, inertia: 0.3, angle: 0.4, tip_mass: 0.7, length: 0.5, stiffness: 0, stretch: 0.3,
     points: {tip: [0.5, 0]}}
  tool: {mass: 0.4, inertia: 0.01, position: PLACE}
joints:
  base: {type: fixed, a: ground, b: arm}
  grip: {type: revolute, ENDS}
forces:
  coil: {type: torsional-spring-damper, joint: grip, stiffness: 10}
"""


@kernel
def curled(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """A body whose frames turn by its elastic coordinate and stay where they are."""
    arm, phi = turned_by(R, b, (local[f, 0], local[f, 1])), local[f, 2] + q[iq + 3]
    x = turned_by(R, b, (math.cos(phi), math.sin(phi)))
    return PlanarFramePose((q[iq] + arm[0], q[iq + 1] + arm[1]), x, q[iq + 2] + phi, arm)


def test_axes_of_the_world_on_a_body_that_is_bent_at_the_start(telescope: None) -> None:
    """Joints without axes take those of the world, so that their coordinates are zero and springs are at rest."""
    kind = BODIES.get("telescope")
    port = replace(kind.ports["planar"], pose=curled)
    place, ends = "[0.5*cos(0.4), 0.5*sin(0.4)]", "a: arm.tip, b: tool"
    text = BENT.replace("KIND", "curl").replace("PLACE", place).replace("ENDS", ends)
    register_body(replace(kind, name="curl", ports={"planar": port}))
    try:
        eqs = equations(reactio.build(parse_model(text)))
    finally:
        BODIES.remove("curl")
    np.testing.assert_allclose(eqs.Phi, 0.0, atol=1e-15)  # places of the order of 1
    np.testing.assert_allclose(eqs.Q[4:], 0.0, atol=1e-14)  # a spring of 10 N m/rad, not 10 · 0.3 N m


def test_a_place_of_the_world_on_a_body_that_is_bent_at_the_start(telescope: None) -> None:
    """Which of its points is there the place does not tell; where it does, on the axis of the hub, it is taken."""
    text = BENT.replace("KIND", "telescope").replace("PLACE", "[0.8*cos(0.4), 0.8*sin(0.4)]")
    with pytest.raises(ModelError, match=r"'arm' is bent .* name the point"):
        parse_model(text.replace("ENDS", "bodies: [arm, tool], at: [0.8*cos(0.4), 0.8*sin(0.4)]"))
    parse_model(text.replace("ENDS", "bodies: [arm, tool], at: [0, 0]"))


@kernel
def stiffer(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """A spring five times as stiff, for the same model."""
    applied_forces(q, v, iq, iv, R, p, b, g, M, k, Q)
    Q[iv + 3] -= 4.0 * p[b, STIFFNESS] * q[iq + 3]


def test_a_run_is_not_continued_by_other_formulas(telescope: None, tmp_path: Path) -> None:
    run = reactio.simulate(parse_model(TELESCOPE), until=0.1, output=3)
    run.save(str(tmp_path / "run.npz"))
    assert load_run(tmp_path / "run.npz").t.tolist() == run.t.tolist()
    kind = BODIES.get("telescope")
    BODIES.remove("telescope")
    register_body(replace(kind, ports={"planar": replace(kind.ports["planar"], applied_forces=stiffer)}))
    with pytest.raises(ReactioError, match="the kind of body 'telescope' has other formulas now"):
        load_run(tmp_path / "run.npz")
