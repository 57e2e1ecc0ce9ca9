"""The limit of linear modes: bent bodies draw their ends together, which modes leave out."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.joint_reactions.data import Reactions
from reactio.statics.equilibrium import equilibrium
from reactio.structures.attachment import Attachment
from reactio.structures.modes import Modes
from reactio.system.elasticity.linear_modes import _shortening, linear_modes_limit

STRIP = """
space: planar
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}
bodies:
  strip: {{flexible: {{beam: {{from: [0, 0], to: [1, 0], section: {{box: [0.02, 0.01]}}}}, material: steel, modes: 2,
    damping: 0.1}}}}
joints:
  A: {{type: revolute, bodies: [ground, strip], at: [0, 0]}}
  B: {second}
forces: {{tip: {{type: force, at: {{body: strip, point: [1, 0]}}, force: [0, {load}]}}}}
"""
PIN = "{type: revolute, bodies: [ground, strip], at: [0.1, 0]}"
SLIDER = "{type: revolute-translational, bodies: [ground, strip], at: [0.1, 0], axis: [1, 0]}"
TWO = """
space: planar
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  near: {flexible: {beam: {from: [0, 0], to: [0.1, 0], section: {box: [0.02, 0.01]}}, material: steel, modes: 0,
    damping: 0.1}}
  far: {flexible: {beam: {from: [0.1, 0], to: [1, 0], section: {box: [0.02, 0.01]}}, material: steel, modes: 0,
    damping: 0.1}}
joints:
  A: {type: revolute, bodies: [ground, near], at: [0, 0]}
  B: {type: revolute, bodies: [ground, near], at: [0.1, 0]}
  weld: {type: fixed, bodies: [near, far], at: [0.1, 0]}
forces: {tip: {type: force, at: {body: far, point: [1, 0]}, force: [0, -20]}}
"""


def at_rest(text: str) -> Reactions:
    return reactio.reactions(equilibrium(reactio.parse_model(text)).eqs)


def test_two_close_pins_of_an_overhang_pull_in_linear_modes_only() -> None:
    """Between the pins the strip turns as a whole: an elastica pulls 12.3 N at 20 N, and hundredths of that at 1 N."""
    found = at_rest(STRIP.format(second=PIN, load=-1))
    limit = linear_modes_limit(found.eqs)
    assert limit is not None
    pull = np.abs(found["A"].force[0])
    assert pull > 10
    assert np.abs((found.balanced + limit.lam)[[0, 2]]).max() < 0.01 * pull
    assert found["A"].words == "unique, beyond linear modes"


def test_the_verdict_says_so_with_the_numbers() -> None:
    found = at_rest(STRIP.format(second=PIN, load=-20))
    assert found["A"].words == found["B"].words == "unique, beyond linear modes"
    assert found.linear_modes is not None
    assert found.linear_modes.beyond == {"A", "B"}
    assert "would change 'A' by about" in found.linear_modes.words
    small = at_rest(STRIP.format(second=PIN, load=-0.01))
    assert small["A"].words == "unique"
    assert small.linear_modes is not None
    assert not small.linear_modes.beyond


def test_a_pin_that_slides_feels_nothing() -> None:
    found = at_rest(STRIP.format(second=SLIDER, load=-20))
    assert found["A"].words == "unique"
    assert found["A"].force == pytest.approx([0.0, -180.0], rel=2e-3, abs=5.0)  # on the displaced pose
    limit = linear_modes_limit(found.eqs)
    assert limit is not None
    assert np.abs(limit.lam).max() < 1e-6 * 180


def test_two_bodies_in_place_of_one_are_within_their_modes() -> None:
    """The advice that the sentence gives: the part between the pins has mean axes of its own."""
    found = at_rest(TWO)
    assert abs(found["A"].force[0]) < 40  # an elastica pulls 12.3 N; one body with linear modes 3,345 N
    assert found["A"].force[1] == pytest.approx(-180.0, rel=1e-2)


def test_the_shortening_of_a_cubic() -> None:
    """½ ∫ w′² dx of a bar with any displacements and rotations of its ends, by Gauss points on w."""
    rng = np.random.default_rng(6)
    a, b = np.array([0.2, -0.1, 0.4]), np.array([0.9, 0.5, 0.1])
    d, t = float(np.linalg.norm(b - a)), (b - a) / np.linalg.norm(b - a)
    u = 1e-3 * rng.standard_normal((2, 6))
    across = np.linalg.svd(t[None])[2][1:]  # two directions across the bar
    x, weights = (part.tolist() for part in np.polynomial.legendre.leggauss(5))
    total = 0.0
    for e in across:
        w = u[:, :3] @ e
        slope = np.cross(u[:, 3:], t) @ e
        for point, weight in zip(x, weights, strict=True):
            s = (point + 1) / 2
            values = [6 * (s * s - s), (1 - 4 * s + 3 * s * s) * d, -6 * (s * s - s), (3 * s * s - 2 * s) * d]
            total += weight / 2 * d / 2 * (np.array(values) @ [w[0], slope[0], w[1], slope[1]] / d) ** 2
    points = np.array([a, b])
    modes = Modes("bar", 1.0, np.ones(1), np.ones(1), 1, u[:, :, None], Attachment("bar", points, points, (0, 1)),
                  np.zeros((1, 3, 3)), np.zeros((1, 1, 3, 3)), np.zeros((1, 1, 3)), "")  # fmt: skip
    found = _shortening(modes, u)
    assert found[0] == pytest.approx(np.zeros(3))
    assert found[1] == pytest.approx(-total * t, rel=1e-9)


DROP = """
space: planar
gravity: [0, -9.81]
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}
bodies:
  strip: {{position: [0, 0.02], flexible: {{beam: {{from: [-0.5, 0], to: [0.5, 0], section: {{box: [0.02, 0.01]}}}},
    material: steel, modes: {modes}, damping: 0}}}}
contacts: {{end: {{type: point-on-line, line: ground, point: {{body: strip, point: [-0.5, 0]}}, restitution: 0.5}}}}
"""


@pytest.mark.parametrize("modes", [0, 1])
def test_a_bending_strip_bounces_off_a_floor(modes: int) -> None:
    """The first two impacts against a modal sum in closed form: rigid motion and every mode, struck by an impulse."""
    run = reactio.simulate(reactio.parse_model(DROP.format(modes=modes)), 0.0642, output=5)
    times = [event.t for event in run.events if event.name == "end"]
    own = run.system.model.bodies[0].flexible
    assert own is not None
    assert own.modal is not None
    psi, omega = own.modal.shapes[0, 1], own.modal.frequency
    mass = own.modal.mass
    zeta = own.modal.ratio
    first = (2 * 0.02 / 9.81) ** 0.5
    assert times[0] == pytest.approx(first, rel=1e-9)
    inertia = run.system.model.bodies[0].inertia[0]
    give = 1 / mass + 0.25 / inertia + (psi**2).sum() / mass
    impulse = 1.5 * 9.81 * first / give

    def gap(t: float) -> float:
        rigid = impulse * (1 / mass + 0.25 / inertia) * t - 9.81 * first * t - 9.81 / 2 * t * t
        fast = omega * np.sqrt(np.maximum(1 - zeta**2, 0.0))
        swing = np.where(fast > 0, np.sin(fast * t) / np.where(fast > 0, fast, 1.0), t)
        return float(rigid + impulse / mass * (psi**2 * np.exp(-zeta * omega * t) * swing).sum())

    late = times[1] - times[0]
    assert gap(0.5 * late) > 0
    assert gap(0.9999 * late) > 0 > gap(1.0001 * late)
