"""A 6 × 6 bushing from outside the package: forces along six measures at once, with a potential."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.errors import ModelError
from reactio.fields import Matrix, Place
from reactio.forces import FORCES, ForceType, MatrixLoad
from reactio.forces import register as register_force
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml
from reactio.primitives import SPATIAL
from reactio.simulation.energy import energy
from reactio.system.evaluate.equations import advance, equations
from reactio.system.types import State, System

rng = np.random.default_rng(4)
ROOT = rng.standard_normal((6, 6))
K = 40 * ROOT @ ROOT.T + 100 * np.eye(6)
D = 0.02 * K


def mount(kind: str, stiffness: Floats = K, damping: Floats = D) -> str:
    """A block on a mount, beside a hinge that a linear spring and damper turn."""
    return f"""
space: spatial
gravity: [0, 0, -9.81]
bodies:
  block: {{mass: 3, inertia: [0.2, 0.3, 0.25], position: [0.02, -0.01, 0.03], angular_velocity: [0.5, -0.4, 0.3],
          orientation: {{axis: [1, 2, 3], angle: 0.2}}, points: {{foot: [0.1, 0, -0.2]}}}}
  arm: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}}
joints:
  hinge: {{type: revolute, bodies: [ground, arm], at: [1, 0, 0], axis: [0, 0, 1]}}
forces:
  rubber: {{type: {kind}, a: ground, b: block.foot, stiffness: {stiffness.tolist()}, damping: {damping.tolist()}}}
  coil: {{type: torsional-spring-damper, joint: hinge, stiffness: 5, angle: 0.3, damping: 0.1}}
"""


def _loads(p: Mapping[str, Any]) -> tuple[MatrixLoad, ...]:
    slide, perp = SPATIAL.get("slide"), SPATIAL.get("perp")
    along = (slide("x"), slide("y"), slide("z"), perp("z", "y"), perp("x", "z"), perp("y", "x"))
    return (MatrixLoad((p["a"], p["b"]), along, p["stiffness"], p["damping"]),)


@pytest.fixture
def rubber_mount() -> Iterator[None]:
    """The kind, for one test; it leaves no trace."""
    fields = (Place("a", "One frame."), Place("b", "The other."), Matrix("stiffness", "K."), Matrix("damping", "D."))
    register_force(ForceType("mount", fields, _loads, "A mount."))
    yield
    FORCES.remove("mount")


def potential(system: System, q: Floats) -> float:
    return energy(system, 0.0, q, np.zeros(system.n), np.zeros(system.m)).potential


@pytest.mark.usefixtures("rubber_mount")
def test_forces_are_the_gradient_of_the_potential_and_damping_takes_power() -> None:
    system = reactio.build(parse_model(mount("mount")))
    q, h, still = system.q0, 1e-5, np.zeros(system.n)
    gradient = [(potential(system, advance(system, q, h * e)) - potential(system, advance(system, q, -h * e))) / (2 * h)
                for e in np.eye(system.n)]  # fmt: skip
    # Central differences of energies of size 30: truncation h² and rounding 1e-15·30/h.
    np.testing.assert_allclose(equations(system, State(0.0, q, still)).Q, -np.array(gradient), atol=1e-7)
    moving = equations(system, State(0.0, q, system.v0))
    lost = (moving.Q - equations(reactio.build(parse_model(mount("mount", damping=0 * D))), moving.state).Q) @ system.v0
    assert lost == pytest.approx(energy(system, 0.0, q, system.v0, np.zeros(system.m)).power, rel=1e-9)
    assert lost < 0


@pytest.mark.usefixtures("rubber_mount")
def test_a_run_balances_and_the_file_is_read_back() -> None:
    model = parse_model(mount("mount"))
    run = reactio.simulate(model, until=0.05, tol=1e-9)
    assert run.energy_error == pytest.approx(0.0, abs=1e-7)
    assert parse_model(to_yaml(model), name=model.name).forces == model.forces


def test_the_bushing_of_the_package_says_what_is_wrong() -> None:
    assert reactio.simulate(parse_model(mount("bushing")), until=0.01).energy_error == pytest.approx(0.0, abs=1e-7)
    with pytest.raises(ModelError, match=r"stiffness is \(5, 6\); 6 rows of 6 numbers are needed"):
        parse_model(mount("bushing", stiffness=K[:5]))
    with pytest.raises(ModelError, match="not symmetric"):
        parse_model(mount("bushing", stiffness=K + np.diag(np.ones(5), 1)))
