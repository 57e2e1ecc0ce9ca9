"""Impacts on stops of mechanisms with friction, and with bodies that have no mass: generalised momenta say what."""

from __future__ import annotations

import math

import numpy as np
import pytest

import reactio
from reactio.simulation.simulate import simulate

from ..shared_models import MASSLESS_FOUR_BAR

G = 9.81
M2, J2, S2 = 1.0, 0.2, 0.4  # the rod: mass, inertia, distance of its centre from joint B


def crank_and_rod(e: float, friction: float) -> reactio.Model:
    """A crank of length 1 that hits a stop, with a rod on its end whose joint rubs."""
    return reactio.parse_model(f"""
space: planar
gravity: [0, -{G}]
bodies:
  crank: {{mass: 2, inertia: 0.3, angle: 1.0, center: [0.5, 0.1], angular_velocity: -3}}
  rod: {{mass: {M2}, inertia: {J2}, position: [cos(1.0), sin(1.0)], angle: -0.5, center: [{S2}, 0]}}
joints:
  A: {{type: revolute, a: ground, b: crank}}
  B: {{type: revolute, a: {{body: crank, point: [1, 0]}}, b: rod}}
stops: {{s: {{along: A, lower: -0.4, restitution: {e}}}}}
forces: {{rub: {{type: joint-friction, joint: B, coefficient: {friction}, velocity: 0.01, radius: 0.1}}}}
""")


@pytest.mark.parametrize("e", [0.3, 1.0])
def test_joints_do_not_rub_during_an_impact(e: float) -> None:
    """The impulse turns the crank only, so the momentum of the rod about joint B is kept: in the angles α, β

    p_β = m s cos(α − β) α̇ + (J + m s²) β̇,        α̇⁺ = −e α̇
    """
    run = simulate(crank_and_rod(e, 0.9), 0.6)
    event = run.events[0]
    alpha, beta, (rate, spin) = event.q[2], event.q[5], event.v[[2, 5]]
    kept = M2 * S2 * math.cos(alpha - beta) / (J2 + M2 * S2**2)
    # One solution of well-conditioned equations for rates of some rad/s.
    assert event.v_after[[2, 5]] == pytest.approx([-e * rate, spin + (1 + e) * kept * rate], abs=1e-12)
    if e == 1.0:
        assert event.work == pytest.approx(0.0, abs=1e-12)  # out of 10 J
    else:
        assert event.work < 0.0


def test_friction_that_a_rule_decides_survives_an_impact() -> None:
    """Two bearings on one axis: the rule shares the load between impacts, and has no part in them."""
    run = simulate(
        reactio.parse_model(f"""
space: planar
gravity: [0, -{G}]
bodies: {{crank: {{mass: 2, inertia: 0.3, center: [0.5, 0.1]}}}}
joints:
  A: {{type: revolute, a: ground, b: crank}}
  B: {{type: revolute, a: ground, b: crank}}
stops: {{s: {{along: A, lower: -0.4, restitution: 0.5}}}}
forces: {{rub: {{type: joint-friction, joint: A, coefficient: 0.2, velocity: 0.01, radius: 0.1}}}}
"""),
        0.6,
        rule="pseudoinverse",
    )
    assert run.status.name == "DONE"
    event = run.events[0]
    J = 0.3 + 2 * (0.5**2 + 0.1**2)  # about the axis
    assert event.v_after == pytest.approx(-0.5 * event.v, abs=1e-12)
    assert event.work == pytest.approx(-0.5 * J * 0.75 * event.v[2] ** 2, rel=1e-12)


@pytest.mark.parametrize("depth", [1e-2, 1e-4, 1e-6])
def test_a_limit_that_is_touched_at_any_time_within_a_step_is_met(depth: float) -> None:
    """A ball thrown up against a roof just below the top of its flight; pieces of one step begin anywhere before it.

    It begins at the height 0, s = v t − 5 t² = h first at t = (v − √(v² − 20 h))/10.
    """
    for v in np.linspace(0.3, 3.0, 28).tolist():
        roof = (1 - depth) * v**2 / 20
        model = reactio.parse_model(f"""
space: planar
gravity: [-10, 0]
bodies: {{b: {{mass: 2, inertia: 1, velocity: [{v!r}, 0]}}}}
joints: {{P: {{type: translational, a: ground, b: b}}}}
stops: {{roof: {{along: P, upper: {roof!r}, action: stop}}}}
""")
        run = simulate(model, 0.5, chunk=1)
        assert run.status.name == "EVENT", v
        # Parabolas are integrated exactly; rounding of s, 1e-16, over the rate √depth v in which it is met.
        assert run.events[0].t == pytest.approx((v - math.sqrt(v**2 - 20 * roof)) / 10, abs=1e-12 / math.sqrt(depth))


@pytest.mark.parametrize(
    ("along", "limit"), [("A", "lower: 0.9 - 1.2"), ("B", "upper: 1.2 - 0.9")], ids=["crank", "massless rod"]
)
def test_a_parallelogram_with_a_massless_rod_hits_a_stop(along: str, limit: str) -> None:
    """It is one pendulum: ½ J θ̇² = W (sin 1.2 − sin θ), and an impact keeps e² of that."""
    run = simulate(
        reactio.parse_model(MASSLESS_FOUR_BAR + f"stops: {{s: {{along: {along}, {limit}, restitution: 0.5}}}}"), 1.0
    )
    event = run.events[0]
    J, W = 0.3 + 2 * 0.25 + 0.2 + 0.25, (2 + 1) * 0.5 * G
    assert event.q[2] == pytest.approx(0.9, abs=1e-9)  # joints count from their pose in the file
    energy = W * (math.sin(1.2) - math.sin(0.9))
    assert 0.5 * J * event.v[2] ** 2 == pytest.approx(energy, rel=1e-7)  # tol 1e-9 for each of some ten steps
    assert event.v_after == pytest.approx(-0.5 * event.v, abs=1e-9)  # the added inertia is removed to rounding / 1e-6
    assert event.work == pytest.approx(-0.75 * 0.5 * J * event.v[2] ** 2, rel=1e-9)


def test_what_holds_a_massless_rod_cannot_be_turned_back() -> None:
    text = (
        MASSLESS_FOUR_BAR
        + "drives: {turn: {joint: A, function: 0.5*t}}\nstops: {s: {along: B, lower: -0.2, restitution: 1}}"
    )
    with pytest.raises(reactio.ReactioError, match=r"stop 's' is hit at t = 0.4 s, but drives or joints hold B"):
        simulate(reactio.parse_model(text), 1.0)


def test_massless_is_the_limit_of_light_at_an_impact() -> None:
    stop = "stops: {s: {along: B, upper: 0.3, restitution: 0.5}}"
    light = MASSLESS_FOUR_BAR.replace("mass: 0, inertia: 0", "mass: 1e-7, inertia: 1e-7")
    one, two = (simulate(reactio.parse_model(text + stop), 1.0).events[0] for text in (MASSLESS_FOUR_BAR, light))
    assert one.v_after == pytest.approx(two.v_after, abs=1e-6)  # a part 1e-7 of the mass, and rates of some rad/s
    assert np.isfinite(one.v_after).all()
