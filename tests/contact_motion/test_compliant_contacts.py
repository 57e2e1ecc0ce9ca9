"""Contacts with a stiffness: forces in a motion and at rest, one-way springs by the rule compliance."""

from __future__ import annotations

import math

import pytest

import reactio as ro
from reactio.errors import ReactioError

BALL = """
space: planar
gravity: [0, -10]
bodies: {{ball: {{mass: 2, inertia: 0.1, position: [0, {y}], velocity: [0, {v}]}}}}
contacts: {{floor: {{type: disc-on-line, line: ground, center: ball, radius: 0.1, stiffness: 1e6{more}}}}}
"""


def test_a_ball_rests_as_deep_as_its_weight_presses() -> None:
    rest = ro.equilibrium(ro.parse_model(BALL.format(y=0.15, v=0, more="")))
    assert rest.state.q[1] == pytest.approx(0.1 - 20 / 1e6, rel=1e-9)


def test_an_undamped_ball_bounces_back() -> None:
    """Half a period π √(m/k) later it leaves as fast as it came, up to its weight times that, and energy is kept."""
    model = ro.parse_model(BALL.format(y=0.1, v=-1, more="").replace("gravity: [0, -10]\n", ""))
    run = ro.simulate(model, until=math.pi * math.sqrt(2 / 1e6) * 1.001)
    assert run.v[-1, 1] == pytest.approx(1.0, rel=1e-7)
    assert run.energy_error == pytest.approx(0.0, abs=1e-7)


def test_damping_takes_what_hunt_and_crossley_say() -> None:
    """e = 1 − ⅔ χ v for small losses."""
    model = ro.parse_model(BALL.format(y=0.1, v=-1, more=", damping: 0.01").replace("gravity: [0, -10]\n", ""))
    run = ro.simulate(model, until=0.006)
    assert 1 - run.v[-1, 1] == pytest.approx(2 / 3 * 0.01, rel=0.05)
    assert run.energy_error == pytest.approx(0.0, abs=1e-7)  # the loss is booked as work


TABLE = """
space: planar
gravity: [0, -10]
bodies: {{top: {{mass: 40, inertia: 1, points: {{a: [-1, 0], b: [0, 0], c: [1, 0]}}}}}}
joints: {{guide: {{type: translational, bodies: [ground, top], at: [0, 0], axis: [0, 1]}}}}
contacts:
  stiff: {{type: point-on-line, line: ground, point: top.b, stiffness: {k}}}
  soft: {{type: point-on-line, line: ground, points: [top.a, top.c], stiffness: 1e5}}
"""


def test_stiffness_splits_the_load_at_rest_and_by_the_rule() -> None:
    model = ro.parse_model(TABLE.format(k=2e5))
    found = ro.reactions(model, rule="compliance")
    assert [found[name].force[1] for name in ("stiff", "soft1", "soft2")] == pytest.approx([200, 100, 100])
    assert ro.equilibrium(model).state.q[1] == pytest.approx(-400 / 4e5, rel=1e-9)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (", friction: 0.3", "friction cannot be combined with a stiffness"),
        (", restitution: 0.3", "its `damping` determines the rebound"),
        (", damping: -1", "damping is -1 s/m; it must not be negative"),
    ],
)
def test_what_does_not_go_with_a_stiffness(more: str, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        ro.parse_model(BALL.format(y=0.1, v=0, more=more))
    with pytest.raises(ReactioError, match="damping needs a stiffness"):
        ro.parse_model(BALL.format(y=0.1, v=0, more=", damping: 1").replace("stiffness: 1e6, ", ""))
