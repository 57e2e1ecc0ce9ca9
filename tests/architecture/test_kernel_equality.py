"""Plain and compiled kernels agree to the last bit: every formula of the registries, runs by every method, and more."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from tests.kernel_differences import compared, same_bits
from tests.laws.scenes import joint_cases, joint_scene

import reactio
from reactio.bodies import BODIES
from reactio.errors import ModelError
from reactio.integrate.formulation import FORMULATIONS
from reactio.integrate.integrator import integrate
from reactio.linear.sparse.sparse_qr import project, sparse_qr
from reactio.primitives import PRIMITIVES_BY_SPACE
from reactio.system.types import System

SHORT = {"four-bar-planar": 0.01, "spatial-parallelogram": 0.01}  # [s] some steps
LOADED = """
space: spatial
bodies:
  a: {mass: 2, inertia: [1, 2, 3], position: [0.25, 0, 0]}
  bar:
    position: [1, 0, 0]
    flexible: {beam: {from: [-0.5, 0, 0], to: [0.5, 0, 0], section: {box: [0.03, 0.02]}}, material: steel, modes: 2,
               damping: 0.01}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: revolute, bodies: [a, bar], at: [0.5, 0, 0], axis: [0, 1, 0]}
forces:
  motor: {type: actuator, joint: A, effort: "3*sin(2*t) + exp(-t)*s**3 - tanh(rate)**2 + 0.3*t**1.5 + (t % 0.3)"}
  pin: {type: joint-friction, joint: B, coefficient: 0.1, velocity: 0.001, radius: 0.01}
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7850}}
"""
WITHOUT_JOINT = {"world_offset"}  # primitives that no joint is made of


def _formulas(system: System) -> set[str]:
    return {formula.__name__ for formula in system.formulas}


def test_every_joint_with_every_kind_of_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """One scene of each joint, its two kinds of bodies by turns: every primitive and every kind is among them."""
    used: dict[str, set[str]] = {"planar": set(), "spatial": set()}
    kinds: set[str] = set()
    cases = joint_cases()
    by_joint = {case[:2]: case for case in cases} | {case[2]: case for case in cases}
    with compared(monkeypatch) as calls:
        for space, name, pair in by_joint.values():
            try:
                scene = joint_scene(space, name, pair, seed=3)
            except ModelError:  # a cable that is too short for its ends
                continue
            scene.equations(0.3)
            used[space] |= _formulas(scene.system)
            kinds |= {body.kind for body in scene.system.model.bodies}
    assert calls["_evaluate"] >= len(by_joint) - 2
    assert kinds >= {kind for kind in BODIES if kind != "floating-frame" and not BODIES.get(kind).internal}
    for space, formulas in used.items():
        assert {one.formula.__name__ for one in PRIMITIVES_BY_SPACE[space].values()} - formulas <= WITHOUT_JOINT


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("options", [{}, {"method": "radau5", "tol": 1e-6}], ids=["dop853", "radau5"])
def test_runs(monkeypatch: pytest.MonkeyPatch, name: str, options: dict[str, str]) -> None:
    system = reactio.build(reactio.load(name))
    with compared(monkeypatch) as calls:
        rows = [0.004, SHORT[name]]
        done = integrate(system, reactio.assemble(system), rows[-1], output=rows, **options)  # type: ignore[arg-type]
    assert done.status.name == "DONE"
    assert calls["_run"] > 0


def test_functions_friction_and_a_body_that_bends(monkeypatch: pytest.MonkeyPatch) -> None:
    system = reactio.build(reactio.parse_model(LOADED))
    with compared(monkeypatch) as calls:
        integrate(system, reactio.assemble(system), 2e-3, tol=1e-5)
    assert calls["_run"] > 0


@pytest.mark.parametrize("formulation", sorted(FORMULATIONS))
def test_runs_by_every_formulation(monkeypatch: pytest.MonkeyPatch, formulation: str) -> None:
    system = reactio.build(reactio.load("modified-double-four-bar"))
    with compared(monkeypatch) as calls:
        integrate(system, reactio.assemble(system), 2e-4, tol=1e-6, formulation=formulation)
    assert calls["_run"] > 0


def test_a_whole_run_has_the_same_bits_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Python does around the kernels is the same too; dense linear algebra is one library for both."""
    system = reactio.build(reactio.load("double-four-bar"))
    runs = []
    for way in ("plain", "compiled"):
        monkeypatch.setenv("REACTIO_KERNELS", way)
        runs.append(reactio.simulate(system, 0.05))
    for key in ("t", "q", "v", "vdot", "lam", "work"):
        assert same_bits(getattr(runs[0], key), getattr(runs[1], key)), key


def test_sparse_qr(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    C = np.zeros((45, 48))
    for k in range(15):
        C[3 * k : 3 * k + 3, 3 * k : 3 * k + 6] = rng.normal(size=(3, 6))
    with compared(monkeypatch) as calls:
        project(sparse_qr(csr_array(C), np.arange(0, 49, 3)), rng.normal(size=(45, 2)))
    assert calls
