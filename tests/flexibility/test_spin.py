"""Centrifugal loads of spinning bodies: every kind of structure, at levels 1 and 3, against integrals by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.flexibility.certificate import flexible
from reactio.model.model import Model
from reactio.model.specs import Flexible
from reactio.model.structure import modal, structure
from reactio.model.transform.floating_frames import with_modes
from reactio.structures.centrifugal import rigid_load
from reactio.structures.condense import rigid_modes

ROD = """
space: planar
materials: {m: {E: 2.1e9, nu: 0.3, density: 7800}}
bodies:
  hub: {mass: 10, inertia: 1, position: [0, 0], angular_velocity: 60}
  rod:
    position: [0.2, 0]
    velocity: [0, 12]
    angular_velocity: 60
    points: {a: [0, 0], b: [1, 0]}
    flexible: {beam: {from: a, to: b, section: {box: [0.01, 0.01]}}, material: m}
joints:
  axle: {type: revolute, bodies: [ground, hub], at: [0, 0]}
  inner: {type: revolute, bodies: [hub, rod], at: [0.2, 0]}
  outer: {type: revolute, bodies: [hub, rod], at: [1.2, 0]}
"""
BLADE = """
space: spatial
parameters: {w: 100}
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  hub: {mass: 10, inertia: [1, 1, 1], angular_velocity: [0, 0, w]}
  blade:
    angular_velocity: [0, 0, w]
    flexible:
      beam:
        - {from: [-0.5, 0, 0], to: [0, 0, 0], section: {box: [0.01, 0.1]}, up: [0, 1, 1]}
        - {from: [0, 0, 0], to: [0.5, 0, 0], section: {box: [0.01, 0.1]}, up: [0, -1, 1]}
      material: steel
joints:
  axle: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}
  left: {type: fixed, bodies: [hub, blade], at: [-0.5, 0, 0]}
  right: {type: fixed, bodies: [hub, blade], at: [0.5, 0, 0]}
"""


def _superelement(model: Model, name: str) -> Model:
    """The model with a body as the matrices of its own beam, condensed on its two points."""
    body = model.body(name)
    found = structure(model, body)
    assert found is not None
    assert found.K is not None
    assert found.M is not None
    matrices = {"stiffness": found.K.tolist(), "mass": found.M.tolist()}
    flexible = Flexible("superelement", matrices, interfaces={"a": "a", "b": "b"})
    return replace(model, bodies=tuple(replace(b, flexible=flexible) if b.name == name else b for b in model.bodies))


def _forces(model: Model) -> list[float]:
    found = reactio.reactions(reactio.equations(reactio.build(model, vibration=False)), "compliance")
    return [float(np.linalg.norm(found[name].force)) for name in ("inner", "outer")]


def test_a_superelement_stretches_like_its_beam() -> None:
    """A rod held at both ends: N′ = −ρA ω² x and ∫N dx = 0 give ρA ω² (L²/6 + L/2·0.2 …) at either end."""
    area, omega, x = 1e-4, 60.0, np.linspace(0.2, 1.2, 2001)
    q = 7800 * area * omega**2 * x
    beyond = np.array([np.trapezoid(q[k:], x[k:]) for k in range(len(x))])  # N(x) − N(end)
    outer = np.trapezoid(beyond, x)  # N(x) = beyond − outer has mean zero
    exact = [beyond[0] - outer, outer]
    model = reactio.parse_model(ROD)
    assert exact == pytest.approx([748.8, 1216.8], rel=1e-6)
    assert _forces(model) == pytest.approx(exact, rel=1e-6)  # of the trapezoidal rule
    assert _forces(_superelement(model, "rod")) == pytest.approx(exact, rel=1e-6)


def test_a_pitched_blade_is_twisted_by_its_spin() -> None:
    """m = ω² ρ (I₁ − I₂)/2 per length, opposite in both halves: the welds bear m L/4."""
    first, second = 0.01 * 0.1**3 / 12, 0.1 * 0.01**3 / 12
    twist = 100**2 * 7800 * (first - second) / 2 * 1.0 / 4
    assert twist == pytest.approx(8.044, abs=1e-3)
    found = reactio.reactions(
        reactio.equations(reactio.build(reactio.parse_model(BLADE), vibration=False)), "compliance"
    )
    assert found["left"].moment[0] == pytest.approx(twist, rel=1e-4)  # its ends are held by rigid motions too
    assert found["right"].moment[0] == pytest.approx(-twist, rel=1e-4)


OBLIQUE = """
space: spatial
materials: {m: {E: 7e10, nu: 0.3, density: 2700}}
bodies:
  b:
    points: {a: [0.1, 0.2, -0.3], b: [0.9, -0.1, 0.4]}
    flexible: {beam: {from: a, to: b, section: {box: [0.012, 0.02]}, up: [0.3, 1, 0]}, material: m}
joints:
  A: {type: fixed, bodies: [ground, b], at: [0.1, 0.2, -0.3]}
  B: {type: fixed, bodies: [ground, b], at: [0.9, -0.1, 0.4]}
"""


def _free(u: Floats, points: Floats) -> Floats:
    """Displacements without their rigid part."""
    J = rigid_modes(points)
    return u - J @ np.linalg.lstsq(J, u, rcond=None)[0]


@pytest.mark.parametrize("as_superelement", [False, True])
def test_modes_bend_under_spin_as_level_one(as_superelement: bool) -> None:
    """Σ ψ ½ωᵀJ₁ω / (m Ω²) at level 3, L D s at level 1; for any axis of spin, up to rigid motions."""
    model = reactio.parse_model(OBLIQUE)
    model = _superelement(model, "b") if as_superelement else model
    body = with_modes(model, {"count": 2, "damping": 0.1}).bodies[0]
    level_three, level_one = modal(model, body), structure(model, model.bodies[0])
    assert level_one is not None
    assert level_one.spin is not None
    omega = np.array([3.0, -5.0, 2.0])
    S = np.outer(omega, omega) - omega @ omega * np.eye(3)
    s = np.array([S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2]])
    eta = np.einsum("a,iab,b->i", omega, level_three.J1, omega) / 2 / level_three.stiffness
    bent = _free(level_three.shapes.reshape(-1, len(eta)) @ eta, level_one.points)
    static = _free(level_one.L @ level_one.spin @ s, level_one.points)
    assert np.abs(static).max() > 0
    assert bent == pytest.approx(static, abs=1e-6 * np.abs(static).max())  # modes too soft to count are left out


def test_a_superelement_is_stretched_along_its_axis_as_its_beam() -> None:
    """For any axis of spin; how sections turn within the beam, which bends it too, a mass matrix of its ends lacks."""
    model = reactio.parse_model(OBLIQUE)
    longer = []
    for kind in (model, _superelement(model, "b")):
        found = structure(kind, kind.bodies[0])
        assert found is not None
        assert found.spin is not None
        u = (found.L @ found.spin).reshape(2, 6, 6)
        longer.append((found.points[1] - found.points[0]) @ (u[1, :3] - u[0, :3]))
    assert np.abs(longer[0]).max() > 0
    assert longer[1] == pytest.approx(longer[0], rel=1e-9)


def test_a_rigid_mass_on_a_node_is_loaded_as_its_points() -> None:
    """Random particles about a node, each with −m S x."""
    rng = np.random.default_rng(4)
    masses, at = rng.random(7), np.array([0.3, -0.2, 0.5])
    points = rng.standard_normal((7, 3))
    M = np.zeros((6, 6))
    for m, y in zip(masses, points, strict=True):
        J = rigid_modes(y[None])[:3]
        M += m * J.T @ J
    omega = np.array([1.0, 2.0, -0.7])
    S = np.outer(omega, omega) - omega @ omega * np.eye(3)
    s = np.array([S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2]])
    forces = -masses[:, None] * ((at + points) @ S)
    exact = np.concatenate([forces.sum(axis=0), np.cross(points, forces).sum(axis=0)])
    assert rigid_load(M, at) @ s == pytest.approx(exact, rel=1e-12, abs=1e-12)


def test_a_stretch_that_is_not_known_is_not_called_zero() -> None:
    """A superelement with its mass alone: any distribution of it would be a guess."""
    model = _superelement(reactio.parse_model(ROD), "rod")
    body = model.body("rod")
    assert body.flexible is not None
    matrices = {"stiffness": body.flexible.parameters["stiffness"]}
    body = replace(body, flexible=replace(body.flexible, parameters=matrices))
    model = replace(model, bodies=tuple(body if one.name == "rod" else one for one in model.bodies))
    found = flexible(model)
    assert found.validity is not None
    assert found.validity.centrifugal is None
    assert any("'rod' spins, and its centrifugal stretch is not known" in note for note in found.notes)
    known = flexible(_superelement(reactio.parse_model(ROD), "rod")).validity
    assert known is not None
    assert known.centrifugal == pytest.approx(234.0, rel=1e-6)  # 982.8 N at both ends without it
