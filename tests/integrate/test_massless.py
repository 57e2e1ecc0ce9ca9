"""Bodies without mass in motion: against joints that do the same without a body, and what must be refused."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.forward_dynamics.accelerate import UndeterminedMotion, accelerations
from reactio.integrate.integrator import integrate
from reactio.integrate.status import Status
from reactio.joint_reactions.wrench import joint_wrench
from reactio.simulation.simulate import simulate
from reactio.system.types import State

from ..shared_models import MASSLESS_FOUR_BAR, MASSLESS_ROD, PARALLELOGRAM, PINS_OF_ROD

ROD = "B: {type: distance, a: {body: crank, point: [1, 0]}, b: {body: rocker, point: [1, 0]}, length: 2}"


def test_massless_coupler_is_a_distance() -> None:
    coupler = reactio.build(reactio.parse_model(MASSLESS_FOUR_BAR))
    distance = reactio.build(reactio.parse_model(PARALLELOGRAM.replace("COUPLER", "").replace("LINK", ROD)))
    one, two = (integrate(s, reactio.assemble(s), 2.0, tol=1e-11, output=[1.0, 2.0]) for s in (coupler, distance))
    assert one.status is two.status is Status.DONE
    assert one.q[:, :6] == pytest.approx(two.q, abs=1e-8)  # 1e-11 per step, a hundred steps, and a swing that grows it
    assert max(one.position_drift, one.velocity_drift) < 1e-12
    # The pull of the rod: along it at both pins, nothing across.
    eqs = reactio.equations(coupler, State(2.0, one.q[-1], one.v[-1]))
    force = joint_wrench(eqs, "B", one.lam[-1]).force
    along = np.array([np.cos(one.q[-1, 8]), np.sin(one.q[-1, 8])])
    assert abs(force[0] * along[1] - force[1] * along[0]) < 1e-9 * np.abs(force).max()
    assert accelerations(eqs).vdot == pytest.approx(one.vdot[-1], abs=1e-9)


CARDAN = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  CROSS
  bob: {mass: 3, inertia: [0.2, 0.3, 0.25], center: [0.1, 0.05, -0.6], angular_velocity: [1, 0.5, 0]}
joints:
  LINK
"""
CROSS = "cross: {mass: 0, inertia: [0, 0, 0], angular_velocity: [1, 0, 0]}"
HINGES = """A: {type: revolute, a: {body: ground, axes: {z: x}}, b: {body: cross, axes: {z: x}}}
  B: {type: revolute, a: {body: cross, axes: {z: y}}, b: {body: bob, axes: {z: y}}}"""


def test_massless_cross_is_a_universal_joint() -> None:
    hinges = HINGES.replace("axes: {z: x}", "axis: [1, 0, 0]").replace("axes: {z: y}", "axis: [0, 1, 0]")
    texts = (CARDAN.replace("CROSS", CROSS).replace("LINK", hinges),
             CARDAN.replace("CROSS", "").replace("LINK", "A: {type: universal, a: ground, b: bob}"))  # fmt: skip
    one, two = (
        integrate(s, reactio.assemble(s), 1.5, tol=1e-11, output=[1.5])
        for s in (reactio.build(reactio.parse_model(text)) for text in texts)
    )
    assert one.status is two.status is Status.DONE
    assert one.q[0, 7:14] == pytest.approx(two.q[0], abs=1e-8)  # as in the plane
    assert one.v[0, 6:12] == pytest.approx(two.v[0], abs=1e-8)


def test_massless_with_friction_and_redundancy() -> None:
    """The coupler twice: two massless rods share the load, and the crank's pin rubs."""
    second = MASSLESS_ROD.replace("rod:", "twin:")
    pins = PINS_OF_ROD + "\n  " + PINS_OF_ROD.replace("B:", "E:").replace("C:", "F:").replace("rod", "twin")
    text = PARALLELOGRAM.replace("COUPLER", MASSLESS_ROD + "\n  " + second).replace("LINK", pins)
    rub = "forces: {rub: {type: joint-friction, joint: A, coefficient: 0.5, velocity: 0.05, radius: 0.1}}\n"
    system = reactio.build(reactio.parse_model(text + rub))
    single = reactio.build(reactio.parse_model(MASSLESS_FOUR_BAR + rub))
    run, alone = (simulate(s, 1.0, tol=1e-11, output=2) for s in (system, single))
    assert run.q[-1, :6] == pytest.approx(alone.q[-1, :6], abs=1e-8)
    assert run.energy_error == pytest.approx(0.0, abs=1e-5)  # quadrature of a power that tanh bends within 1e-2 s


def test_a_massless_body_that_nothing_holds_is_refused() -> None:
    text = PARALLELOGRAM.replace("COUPLER", MASSLESS_ROD).replace("LINK", PINS_OF_ROD.splitlines()[0])
    system = reactio.build(reactio.parse_model(text))
    with pytest.raises(UndeterminedMotion, match="'rod'"):
        integrate(system, reactio.assemble(system), 1.0)


@pytest.mark.parametrize(("space", "joint", "position"), [
    ("planar", "at: [0, 0]", "[0.6, -0.8]"),
    ("spatial", "at: [0, 0, 0], axis: [0, 1, 0]", "[0.6, 0, -0.8]"),
])  # fmt: skip
def test_a_point_on_a_link_is_a_mathematical_pendulum(space: str, joint: str, position: str) -> None:
    """Mass without inertia, at rest at cos φ = 0.8: the pin pulls with m g cos φ."""
    down = "[0, -9.81]" if space == "planar" else "[0, 0, -9.81]"
    text = f"""
space: {space}
gravity: {down}
bodies: {{bob: {{mass: 2, inertia: 0, position: {position}}}}}
joints: {{A: {{type: revolute, bodies: [ground, bob], {joint}}}}}
"""
    system = reactio.build(reactio.parse_model(text))
    found = reactio.reactions(reactio.equations(system, reactio.assemble(system)))
    force = np.linalg.norm(joint_wrench(found.eqs, "A", found.lam).force)
    assert force == pytest.approx(2 * 9.81 * 0.8, rel=1e-12)
