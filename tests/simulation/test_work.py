"""The work of drives, dampers, friction and loads, integrated along a run, against closed forms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.integrate.dop853.quadrature import quadrature
from reactio.integrate.radau5.collocation import integral_inside, radau
from reactio.integrate.state import ROW_FIELDS
from reactio.simulation.read_run import load_run
from reactio.simulation.trajectory import Trajectory

G = 9.81
SLIDER = """
space: planar
gravity: {gravity}
bodies: {{b: {{mass: 2, inertia: 1, velocity: [3, 0]}}}}
joints: {{P: {{type: translational, a: ground, b: b}}}}
{more}
"""
ROD = """
space: planar
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 0.1, center: [0.5, 0], angle: -pi/2}}
joints: {A: {type: revolute, a: ground, b: rod}}
"""


def slider(more: str, gravity: str = "[0, 0]") -> reactio.Model:
    return reactio.parse_model(SLIDER.format(more=more, gravity=gravity))


def swung(t: Floats) -> Floats:
    """A rod about its end, at the angle 2 sin 5t from hanging: ½ J φ̇² + m g l (1 − cos φ), J = 0.1 + 0.25."""
    phi, rate = 2 * np.sin(5 * t), 10 * np.cos(5 * t)
    return np.asarray(0.5 * 0.35 * (rate**2 - 100) + 0.5 * G * (1 - np.cos(phi)))


DRIVE = ROD + 'drives: {motor: {joint: A, function: "2*sin(5*t)"}}'
DAMPER = "forces: {d: {type: linear-spring-damper, joint: P, stiffness: 0, damping: 4}}"
LOAD = 'forces: {f: {type: force, at: b, force: ["6*t", 1]}}'
FRICTION = "forces: {r: {type: joint-friction, joint: P, coefficient: 0.1, velocity: 0.01}}"
# v = 3 e^(−2 t);  v = 3 + 1.5 t², x = 3 t + t³/2;  v = 3 − 0.981 t
CLOSED: dict[str, tuple[Callable[[], reactio.Model], Callable[[Floats], Floats]]] = {
    "drive": (lambda: reactio.parse_model(DRIVE), swung),
    "damper": (lambda: slider(DAMPER), lambda t: 9 * (np.exp(-4 * t) - 1)),
    "load": (lambda: slider(LOAD), lambda t: (3 + 1.5 * t**2) ** 2 - 9),
    "friction": (lambda: slider(FRICTION, "[0, -9.81]"), lambda t: (3 - 0.1 * G * t) ** 2 - 9),
}


@pytest.mark.parametrize("method", ["dop853", "radau5", "auto"])
@pytest.mark.parametrize("what", CLOSED)
def test_against_closed_forms(what: str, method: str) -> None:
    """At rows that lie inside the steps too."""
    model, work = CLOSED[what]
    run = reactio.simulate(model(), until=2.0, method=method, output=41)
    assert run.status.name == "DONE"
    # 1e-9 a step, up to some hundred steps, energies of order ten; friction is smoothed at rest, and moves here.
    np.testing.assert_allclose(run.work, work(run.t), atol=1e-6)
    assert run.energy_error == pytest.approx(0.0, abs=1e-7)
    assert run.checkpoint.work == pytest.approx(run.work[-1], abs=1e-12)


def test_without_drives_and_losses_there_is_none() -> None:
    spring = slider("forces: {s: {type: linear-spring-damper, joint: P, stiffness: 40}}")
    for model in (reactio.load("double-four-bar"), spring):
        run = reactio.simulate(model, until=1.0)
        assert not run.work.any()
        assert run.checkpoint.power == 0.0


def same(one: Trajectory, other: Trajectory) -> None:
    for key in ROW_FIELDS:
        np.testing.assert_array_equal(getattr(one, key), getattr(other, key))
    assert one.energy_error == other.energy_error


@pytest.mark.parametrize("method", ["dop853", "radau5"])
@pytest.mark.parametrize("what", ["drive", "friction"])
def test_a_resumed_run_has_the_work_of_an_uninterrupted_one(tmp_path: Path, what: str, method: str) -> None:
    model = CLOSED[what][0]()
    whole = reactio.simulate(model, until=1.0, method=method, output=9)
    part = reactio.simulate(model, until=1.0, method=method, output=9, chunk=3, on_chunk=lambda piece: True)
    assert part.status.name == "PAUSED"
    for suffix in ("npz", "nc", "csv"):
        part.save(str(tmp_path / f"part.{suffix}"))
        kept = load_run(tmp_path / f"part.{suffix}")
        same(reactio.simulate(kept.system, until=1.0, method=method, output=9, resume=kept), whole)


def test_rows_do_not_change_the_work() -> None:
    model = CLOSED["drive"][0]()
    for method in ("dop853", "radau5"):
        few, many = (reactio.simulate(model, until=1.0, method=method, output=n).checkpoint.work for n in (2, 200))
        assert few == many


def test_quadratures_are_exact_for_the_polynomials_they_promise() -> None:
    rule, nodes = quadrature(), radau()
    for degree in range(8):
        for x in (0.1, 0.5, 0.9, 1.0):
            weights = ((2 * x - 1) ** np.arange(9)) @ rule.integral
            # Coefficients of Lagrange polynomials of eight nodes are of order a hundred: 1e-16 of that, summed.
            assert weights @ rule.x**degree == pytest.approx(x ** (degree + 1) / (degree + 1), abs=1e-13)
    for degree in range(4):
        P = np.append(0.0**degree, nodes.c**degree)
        for x in (0.1, 0.5, 1.0):
            assert integral_inside(nodes.integral, P, x) == pytest.approx(x ** (degree + 1) / (degree + 1), abs=1e-14)
    assert integral_inside(nodes.integral, np.append(0.0, nodes.c**4), 1.0) == pytest.approx(0.2, abs=1e-14)
