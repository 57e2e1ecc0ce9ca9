"""Bodies in a floating frame of reference against beam theory, Lagrange's equations, and the split by compliance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh, null_space

import reactio
from reactio.arrays import Floats
from reactio.errors import ModelError
from reactio.kinematics.body_state import model_at
from reactio.model.files.schema import schema
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.model.structure import describe, modal, structure
from reactio.simulation.start import start_notes
from reactio.statics.equilibrium import equilibrium
from reactio.structures.condense import rigid_modes
from reactio.structures.kinds.beam import elements
from reactio.structures.modes import Modes
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

from ..shared_models import THREE_SUPPORTS

E, DENSITY, LENGTH, WIDTH, HEIGHT = 2.1e11, 7800.0, 1.0, 0.02, 0.01
A, SECOND = WIDTH * HEIGHT, WIDTH * HEIGHT**3 / 12
# κ G A of a rectangle with ν = 0.3 as ``sections`` takes it: shear adds some parts in 10⁴ to a beam of 1 m.
SHEAR = 5e-4


def beam(modes: str, rest: str = "", space: str = "spatial", at: str = "position: [0.5, 0, 0]") -> Model:
    """A steel beam of 1 m along x, its height along z: in the plane it bends over its width."""
    origin = at if space == "spatial" else at.replace(", 0]", "]")
    return reactio.parse_model(f"""
space: {space}
materials: {{steel: {{E: {E}, nu: 0.3, density: {DENSITY}}}}}
bodies:
  beam:
    {origin}
    flexible:
      beam: {{from: [-0.5, 0, 0], to: [0.5, 0, 0], section: {{box: [{WIDTH}, {HEIGHT}]}}, up: [0, 0, 1]}}
      material: steel
      modes: {modes}
{rest}
""")


def bracket(space: str, rest: str = "") -> Model:
    """Two legs at an angle, out of any plane of symmetry in space: its modes bend and twist together."""
    path = "[[0, 0, 0], [0.6, 0.1, 0], [0.7, 0.5, 0.3]]" if space == "spatial" else "[[0, 0], [0.6, 0.1], [0.7, 0.5]]"
    turned = "orientation: {z: [0.2, 0.3, 1], x: [1, 0.1, 0]}" if space == "spatial" else "angle: 0.4"
    return reactio.parse_model(f"""
space: {space}
materials: {{rubber: {{E: 2e7, nu: 0.4, density: 1100}}}}
bodies:
  bracket:
    {turned}
    flexible: {{beam: {{path: {path}, section: {{box: [0.03, 0.02]}}}}, material: rubber, modes: 4, damping: 0}}
{rest}
""")


def modes_of(system: System, name: str) -> Modes:
    flexible = system.model.body(name).flexible
    assert flexible is not None
    found = flexible.modal
    assert isinstance(found, Modes)
    return found


HELD = {
    "planar": "joints: {tip: {type: revolute, a: ground, b: {body: bracket, point: [0.7, 0.5]}}}",
    "spatial": "joints: {tip: {type: spherical, a: ground, b: {body: bracket, point: [0.7, 0.5, 0.3]}}}",
}
SUPPORTED = """
gravity: [0, -9.81]
joints:
  left: {type: revolute, bodies: [ground, beam], at: [0, 0]}
  right: {type: revolute-translational, a: {body: ground, point: [1, 0]}, b: {body: beam, point: [0.5, 0]}}
"""


def test_free_beam_has_the_frequencies_of_euler_and_bernoulli() -> None:
    """cos βL cosh βL = 1; shear and rotary inertia lower the first by some parts in 10⁴, the fourth by a hundredth."""
    model = beam("{count: 8, damping: 0}")
    weak = modal(model, model.bodies[0]).frequency * np.sqrt(DENSITY * A / (E * SECOND)) * LENGTH**2
    for k, root in enumerate((4.7300407, 7.8532046, 10.9956079)):
        nearest = weak[np.abs(weak - root**2).argmin()]
        assert nearest == pytest.approx(root**2, rel=5e-4 * (k + 1) ** 2)


CLAMP = "joints: {clamp: {type: fixed, bodies: [ground, beam], at: [0, 0, 0]}}"


def constrained(eqs: Equations) -> tuple[Floats, Floats, Floats]:
    """K, M of small motions about a pose without loads, and T with C T = 0."""
    K = np.zeros((eqs.system.n, eqs.system.n))
    for b, body in enumerate(eqs.system.model.bodies):
        found = modes_of(eqs.system, body.name)
        own = np.arange(eqs.system.body_v[b + 1] - len(found.frequency), eqs.system.body_v[b + 1])
        K[own, own] = found.stiffness
    return K, eqs.M.toarray(), null_space(eqs.C.toarray())


@pytest.mark.parametrize("count", [0, 3])
def test_clamped_beam_has_the_frequencies_of_a_cantilever(count: int) -> None:
    """Also when none of the modes of the free beam vibrates: residual modes stand for them, the first to 1e-3."""
    K, M, T = constrained(equations(reactio.build(beam(f"{{count: {count}, damping: 0.01}}", CLAMP))))
    found = np.sqrt(eigh(T.T @ K @ T, T.T @ M @ T, eigvals_only=True)) * np.sqrt(DENSITY * A / (E * SECOND))
    assert found[0] == pytest.approx(1.8751041**2, rel=1e-3 if count else 2e-2)


def deflection(model: Model, at: tuple[float, float, float]) -> Floats:
    """Static displacement of a point of the beam by K x + Cᵀλ = Q, C x = 0, about the unloaded pose."""
    system = reactio.build(model)
    eqs = equations(system)
    K, _, T = constrained(eqs)
    x = T @ np.linalg.lstsq(T.T @ K @ T, T.T @ eqs.Q, rcond=None)[0]
    return np.asarray(x[:3] + np.cross(x[3:6], at) + modes_of(system, "beam").at(at)[:3] @ x[6:])


@pytest.mark.parametrize("count", [0, 2, 6])
def test_static_deflection_of_a_cantilever(count: int) -> None:
    """F L³/3EI, whatever the number of modes that vibrate: the others follow statically."""
    load = "forces: {tip: {type: force, at: {body: beam, point: [0.5, 0, 0]}, force: [0, 0, -10]}}"
    found = deflection(beam(f"{{count: {count}, damping: 0.01}}", f"{CLAMP}\n{load}"), (0.5, 0.0, 0.0))
    np.testing.assert_allclose(found, [0, 0, -10 * LENGTH**3 / (3 * E * SECOND)], rtol=SHEAR, atol=1e-12)


def test_static_deflection_of_a_beam_on_two_supports() -> None:
    """F L³/48EI in the middle."""
    rest = """
joints:
  left: {type: spherical, bodies: [ground, beam], at: [0, 0, 0]}
  right: {type: point-on-line, bodies: [ground, beam], at: [1, 0, 0], axis: [1, 0, 0]}
forces: {load: {type: force, at: beam, force: [0, 0, -10]}}
"""
    found = deflection(beam("{count: 3, damping: 0.01}", rest), (0.0, 0.0, 0.0))
    np.testing.assert_allclose(found, [0, 0, -10 * LENGTH**3 / (48 * E * SECOND)], rtol=4 * SHEAR, atol=1e-12)


PLATE = """
space: spatial
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  table:
    flexible:
      plate:
        outline: [[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]]
        thickness: 0.02
        insert: 0.17
        divisions: DIVISIONS
      material: steel
      modes: {up_to: 300, beta: 1e-4}
joints:
  A: {type: spherical, bodies: [ground, table], at: [-0.5, -0.3, 0]}
  B: {type: point-on-plane, bodies: [ground, table], at: [0.5, -0.3, 0], axis: [0, 0, 1]}
  C: {type: point-on-plane, bodies: [ground, table], at: [0.5, 0.3, 0], axis: [0, 0, 1]}
  D: {type: point-on-line, bodies: [ground, table], at: [-0.5, 0.3, 0], axis: [0, 1, 0]}
"""


@pytest.mark.parametrize("divisions", [3, 5])  # all modes by dense matrices, or the lowest by sparse ones
def test_all_modes_together_have_the_static_flexibility_of_the_structure(divisions: int) -> None:
    """WᵀΨ(mω²)⁻¹ΨᵀW = WᵀF W for wrenches W in equilibrium: what the split by compliance takes is the static limit."""
    model = reactio.parse_model(PLATE.replace("DIVISIONS", str(divisions)))
    found, whole = modal(model, model.bodies[0]), structure(model, model.bodies[0])
    assert whole is not None
    assert found.vibrating == int((found.frequency < 300 * 2 * np.pi).sum()) > 0
    assert (found.ratio[found.vibrating :] >= 1).all()
    Psi = found.shapes.reshape(-1, len(found.frequency))
    W = null_space(rigid_modes(whole.points).T)
    ours, theirs = W.T @ (Psi / found.stiffness) @ Psi.T @ W, W.T @ whole.F @ W
    np.testing.assert_allclose(ours, theirs, atol=1e-7 * np.abs(theirs).max())  # F itself is known to 1e-8


HELD = {
    "spatial": """
joints:
  hold: {type: fixed, a: {body: ground, point: [0.2, 0, 0.1]}, b: {body: bracket, point: [0.7, 0.5, 0.3]}}
""",
    "planar": """
joints:
  hold: {type: fixed, a: {body: ground, point: [0.2, 0]}, b: {body: bracket, point: [0.7, 0.5]}}
""",
}


def moving(system: System, seed: int = 3) -> tuple[Floats, Floats, Floats]:
    """A pose bent by some per cent of the size, velocities and accelerations at random."""
    rng = np.random.default_rng(seed)
    q = advance(system, system.q0, 0.1 * rng.standard_normal(system.n))
    return q, rng.standard_normal(system.n), rng.standard_normal(system.n)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_jacobian_and_drift_are_the_derivatives_of_the_interface_frame(space: str) -> None:
    """C v = Φ̇ and −Γ = Φ̈ along a path on which the body moves, turns and bends at a constant rate."""
    system, h = reactio.build(bracket(space, HELD[space])), 1e-3
    q, v, _ = moving(system)

    def at(t: float) -> Equations:
        return equations(system, State(0.0, advance(system, q, t * v), v))

    here, Phi = at(0.0), np.array([at(k * h).Phi for k in (-2, -1, 0, 1, 2)])
    # Fourth-order stencils: truncation h⁴ times fifth derivatives, up to some 10⁴ here; rounding 1e-16/h².
    np.testing.assert_allclose(here.C @ v, np.array([1, -8, 0, 8, -1]) @ Phi / (12 * h), atol=1e-8)
    np.testing.assert_allclose(-here.Gamma, np.array([-1, 16, -30, 16, -1]) @ Phi / (12 * h * h), atol=1e-6)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_equations_are_those_of_lagrange(space: str) -> None:
    """M v̇ − Q against d/dt ∂T/∂η̇ − ∂T/∂η + ∂V/∂η and the rates of momentum and moment of momentum, by differences."""
    system, h = reactio.build(bracket(space)), 1e-4
    q, v, a = moving(system)
    rigid, size = (3, 2) if space == "planar" else (6, 3)
    elastic = np.arange(rigid, system.n)
    count = len(elastic)

    def momenta(t: float) -> tuple[Floats, Floats]:
        """p and the moment about the origin of the world, with ∂T/∂η̇ behind."""
        there, w = advance(system, q, t * v + t * t / 2 * a), v + t * a
        found = equations(system, State(0.0, there, w)).M @ w
        r, p = there[:size], found[:size]
        about = np.cross(r, p) if space == "spatial" else np.array([r[0] * p[1] - r[1] * p[0]])
        return np.concatenate([p, found[size:rigid] + about]), found[rigid:]

    eqs = equations(system, State(0.0, q, v))
    tau = eqs.M @ a - eqs.Q
    (up, modal_up), (down, modal_down) = momenta(h), momenta(-h)
    r, force = q[:size], tau[:size]
    about = np.cross(r, force) if space == "spatial" else np.array([r[0] * force[1] - r[1] * force[0]])
    np.testing.assert_allclose((up - down) / (2 * h), np.concatenate([force, tau[size:rigid] + about]), atol=1e-6)

    def kinetic(k: int, sign: float) -> float:
        moved = q.copy()
        moved[len(q) - count + k] += sign * h
        return float(v @ (equations(system, State(0.0, moved, v)).M @ v)) / 2

    slope = np.array([(kinetic(k, 1.0) - kinetic(k, -1.0)) / (2 * h) for k in range(count)])
    spring = modes_of(system, "bracket").stiffness * q[len(q) - count :]
    np.testing.assert_allclose((modal_up - modal_down) / (2 * h) - slope + spring, tau[elastic], atol=1e-6)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_free_body_keeps_energy_and_momentum(space: str) -> None:
    """Spun and pushed; what rounding and a tolerance of 1e-10 a step leave over some hundred steps."""
    system = reactio.build(bracket(space))
    rng = np.random.default_rng(8)
    v = rng.standard_normal(system.n)
    v[2 if space == "planar" else 5] = 12.0
    run = reactio.simulate(system, until=0.1, tol=1e-10, state=State(0.0, system.q0, v), output=5)
    assert run.method == "dop853"  # nothing holds it: no mode follows statically
    assert run.energy_error == pytest.approx(0.0, abs=1e-8)
    size = 2 if space == "planar" else 3
    p = np.array([(equations(system, State(0.0, q, w)).M @ w)[:size] for q, w in zip(run.q, run.v, strict=True)])
    np.testing.assert_allclose(p, np.broadcast_to(p[0], p.shape), atol=1e-9)
    bent = run.body("bracket").elastic
    assert bent.shape == (5, 4)
    assert np.abs(bent).max() > 1e-3  # it does bend
    assert any("damping ratio 0" in note for note in run.notes)


def superelement(mass: str) -> Model:
    """The beam of 1 m by the matrices on its ends, as another program would condense it."""
    whole = structure(beam("{count: 0, damping: 0}", CLAMP + TIP), beam("0\n      damping: 0", CLAMP + TIP).bodies[0])
    assert whole is not None
    assert whole.K is not None
    assert whole.M is not None
    given = {"K": whole.K.tolist(), "M": whole.M.tolist()}
    return reactio.parse_model(f"""
space: spatial
bodies:
  beam:
    position: [0.5, 0, 0]
    points: {{left: {whole.points[0].tolist()}, right: {whole.points[1].tolist()}}}
    {mass}
    flexible: {{stiffness: {given["K"]}, {"mass: " + str(given["M"]) + "," if not mass else ""}
      interfaces: [left, right], modes: 2, damping: 0.01}}
{CLAMP}{TIP}
""")


TIP = "\nforces: {tip: {type: force, at: {body: beam, point: [0.5, 0, 0]}, force: [0, 0, -10]}}"


def test_superelement_bends_as_the_beam_it_was_made_of() -> None:
    np.testing.assert_allclose(
        deflection(superelement(""), (0.5, 0.0, 0.0)),
        deflection(beam("{count: 2, damping: 0.01}", CLAMP + TIP), (0.5, 0.0, 0.0)),
        rtol=1e-6,
        atol=1e-12,
    )


def test_mass_in_one_place_has_no_modes() -> None:
    with pytest.raises(ModelError, match="no mass, so that they have no frequency"):
        reactio.build(superelement("mass: 1.56\n    inertia: [0.001, 0.13, 0.13]"))


THREE_LOADED = THREE_SUPPORTS + "forces: {load: {type: force, at: {body: beam, point: [0.25, 0]}, force: [0, -50]}}"


@pytest.mark.parametrize("count", [0, 2])
def test_beam_on_three_supports_rests_as_the_split_by_compliance_says(count: int) -> None:
    """Rows that a rigid beam leaves dependent are unique for one that bends, and share the load by its stiffness."""
    model = beam(f"{{count: {count}, damping: 0.02}}", THREE_LOADED, "planar")
    rigid, bent = reactio.build(model, vibration=False), reactio.build(model)
    assert [g.name for g in reactio.check(rigid).groups if g.verdict.value == "unique"] == []
    assert [g.name for g in reactio.check(bent).groups if g.verdict.value != "unique"] == []
    eqs = equations(bent)
    K, _, T = constrained(eqs)
    x = T @ np.linalg.solve(T.T @ K @ T, T.T @ eqs.Q)
    level3 = np.linalg.lstsq(eqs.C.toarray().T, eqs.Q - K @ x, rcond=None)[0]
    level1 = reactio.reactions(equations(rigid), "compliance").lam
    np.testing.assert_allclose(level3, level1, atol=1e-6 * 50)  # F is known to 1e-8, and H has a condition of 100


def test_what_follows_statically_ends_in_the_split_by_compliance() -> None:
    """A beam let go on three supports, no mode of which vibrates: after two periods of its slowest mode it rests."""
    model = beam("{count: 0, damping: 0}", THREE_SUPPORTS + "gravity: [0, -9.81]", "planar")
    run = reactio.simulate(model, until=0.005, tol=1e-4, output=2)
    assert run.method == "radau5"
    assert any("no mode vibrates" in note for note in run.notes)
    steady = reactio.reactions(equations(reactio.build(model, vibration=False)), "compliance")["middle"].force
    np.testing.assert_allclose(run["middle"].force[-1], steady, atol=1e-2 * A * DENSITY * 9.81)
    level1 = reactio.simulate(model, until=0.005, rule="compliance", output=2)  # the rule moves rigid bodies
    np.testing.assert_allclose(level1["middle"].force[-1], steady, rtol=1e-9)


def test_vibration_ends_the_sooner_in_the_split_by_compliance_the_more_it_is_damped() -> None:
    """Let go on three supports: e^(−ζωt) of the swing is left at the end of 0.04 s."""
    far = []
    for ratio in (0.05, 0.2, 0.6):
        given = f"{{count: 2, damping: {ratio}}}"
        model = beam(given, THREE_SUPPORTS + "gravity: [0, -9.81]", "planar")
        run = reactio.simulate(model, until=0.04, tol=1e-6, output=2)
        steady = reactio.reactions(equations(reactio.build(model, vibration=False)), "compliance")["middle"].force
        far.append(float(np.abs(run["middle"].force[-1] - steady).max() / np.abs(steady).max()))
    assert far[0] > 10 * far[1] > 100 * far[2]
    assert far[2] < 1e-4


def test_files_say_the_same() -> None:
    model = beam("4\n      damping: 0.01")
    assert model.bodies[0].flexible is not None
    assert model.bodies[0].flexible.modes == {"count": 4, "damping": 0.01}
    assert reactio.parse_model(to_yaml(model)) == model
    built = reactio.build(model).model
    assert built.bodies[0].kind == "floating frame"
    assert reactio.build(reactio.parse_model(to_yaml(built))).model == built
    rigid = reactio.build(built, vibration=False).model
    assert rigid.bodies[0].kind == "rigid"
    assert reactio.build(reactio.parse_model(to_yaml(rigid))).model == rigid  # a stored run of it stays rigid
    assert "modes" in str(schema()["$defs"]["body"]["properties"]["flexible"])


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_bent_body_is_written_as_it_is_bent(space: str) -> None:
    """Model → state → model → file → model: every coordinate and velocity comes back."""
    system = reactio.build(bracket(space, HELD[space]))
    rng = np.random.default_rng(4)
    q = advance(system, system.q0, 0.01 * rng.standard_normal(system.n))
    state = State(0.0, q, rng.standard_normal(system.n))
    again = reactio.build(reactio.parse_model(to_yaml(model_at(system, state))))
    # Quaternions are normalised on the way; all else comes back to the last digit.
    np.testing.assert_allclose(again.q0, state.q, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(again.v0, state.v)
    eqs, back = equations(system, state), equations(again, State(0.0, again.q0, again.v0))
    np.testing.assert_allclose(back.Phi, eqs.Phi, rtol=0, atol=1e-14)


def test_rest_is_at_rest_in_the_file_that_is_written() -> None:
    model = beam("{count: 3, damping: 0.01}", SUPPORTED, "planar")
    rest = equilibrium(model)
    again = reactio.build(reactio.parse_model(to_yaml(model_at(rest.eqs.system, rest.state))))
    assert equilibrium(again).steps == 0
    bent = np.array(again.model.bodies[0].parameters["modal_coordinates"])
    assert np.abs(bent).max() > 1e-5
    assert again.model.bodies[0].flexible == rest.eqs.system.model.bodies[0].flexible
    assert any("not bent yet" in note for note in start_notes(reactio.build(model)))
    assert not any("not bent yet" in note for note in start_notes(again))


def test_bending_of_the_wrong_length_is_refused() -> None:
    model = beam("{count: 3, damping: 0}", CLAMP)
    bent = replace(model.bodies[0], kind="floating frame", parameters={"modal_coordinates": (0.001, 0.0)})
    with pytest.raises(ModelError, match="modal_coordinates has 2 numbers; the body has 9 modes"):
        reactio.build(replace(model, bodies=(bent,)))


@pytest.mark.parametrize(
    ("modes", "words"),
    [
        ("4", "have no damping"),
        ("{count: 4, damping: -0.1}", "must not be negative"),
        ("{count: 4, up_to: 100, damping: 0.1}", "give either the number of modes"),
        ("{damping: 0.1}", "give either the number of modes"),
        ("{count: 1.5, damping: 0.1}", "whole number"),
        ("{count: 1, dampng: 0.1}", "Did you mean 'damping'"),
    ],
)
def test_modes_that_cannot_be(modes: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        beam(modes)


def test_split_rods_have_no_modes() -> None:
    halves: Any = "{split: {stiffness: 1e5}, modes: 2, damping: 0.1}"
    with pytest.raises(ModelError, match="no modes"):
        reactio.parse_model(f"space: planar\nbodies: {{rod: {{mass: 1, inertia: 1, flexible: {halves}}}}}")


SPUN_ROD = """
space: planar
materials: {plastic: {E: 2.1e9, nu: 0.3, density: 7800}}
bodies:
  rotor: {mass: 5, inertia: 1, angular_velocity: 60}
  rod:
    position: [0.7, 0]
    angular_velocity: 60
    velocity: [0, 42]
    flexible:
      beam: {from: [-0.5, 0], to: [0.5, 0], section: {A: 1e-4, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}
      material: plastic
      modes: 4
      beta: 2e-3
joints:
  axle: {type: revolute, bodies: [ground, rotor], at: [0, 0]}
  inner: {type: revolute, bodies: [rotor, rod], at: [0.2, 0]}
  outer: {type: revolute, bodies: [rotor, rod], at: [1.2, 0]}
drives: {motor: {joint: axle, function: 60*t}}
"""


def test_a_rod_that_turns_between_two_pins_is_stretched_by_its_own_mass() -> None:
    """Level 1: E A u'' = −ρAω²x, u = 0 at both pins.  Level 3: E A u'' = −ρAω²(x + u), so that a cosine remains."""
    E, rho, A, a, b, omega = 2.1e9, 7800.0, 1e-4, 0.2, 1.2, 60.0
    q = rho * A * omega**2
    tension = q * (b**3 - a**3) / (6 * (b - a)) - q * np.array([a, b]) ** 2 / 2
    model = reactio.parse_model(SPUN_ROD)
    first = reactio.reactions(reactio.equations(reactio.build(model, vibration=False)), "compliance")
    found = [first[name].force[0] for name in ("inner", "outer")]
    assert found == pytest.approx([-tension[0], tension[1]], rel=1e-12)

    k = np.sqrt(rho * omega**2 / E)
    ends = np.array([[np.cos(k * x), np.sin(k * x)] for x in (a, b)])
    alpha, beta = np.linalg.solve(ends, [a, b])
    strain = [-1 + k * (beta * np.cos(k * x) - alpha * np.sin(k * x)) for x in (a, b)]
    run = reactio.simulate(model, until=0.03, method="radau5", output=2)
    pull = [float(np.linalg.norm(run[name].force[-1])) for name in ("inner", "outer")]
    # Of the modes beyond the four that vibrate, those that pins do not load are left out.
    assert pull == pytest.approx([E * A * strain[0], -E * A * strain[1]], rel=3e-5)


def test_mass_points_stand_for_the_mass_of_beams() -> None:
    model = reactio.parse_model(SPUN_ROD)
    whole, _ = elements(replace(describe(model.body("rod"), model.materials, ((0.1, 0.0, 0.0),)), inside=True))
    points, M = whole.particles, whole.M.toarray()
    assert points is not None
    assert points.N.T @ (np.repeat(points.mass, 3)[:, None] * points.N) == pytest.approx(M, abs=1e-14 * np.abs(M).max())
