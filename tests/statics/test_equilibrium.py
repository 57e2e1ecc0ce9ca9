"""Poses of rest against closed forms: pendulum, hanging spring, snap-through."""

from __future__ import annotations

import math

import numpy as np
import pytest

import reactio
from reactio.statics.equilibrium import NoRest, equilibria, equilibrium

PENDULUM = """
space: planar
gravity: [0, -9.81]
bodies: {{rod: {{mass: 2, inertia: 0.1, position: [{x}, {y}], angle: {angle}}}}}
joints: {{A: {{type: revolute, a: ground, b: {{body: rod, point: [-0.5, 0]}}}}}}
forces: {{side: {{type: force, at: rod, force: [{side}, 0]}}}}
"""


def pendulum(angle: float, side: float = 0.0) -> reactio.Model:
    return reactio.parse_model(
        PENDULUM.format(x=0.5 * math.cos(angle), y=0.5 * math.sin(angle), angle=angle, side=side)
    )


@pytest.mark.parametrize("side", [0.0, 10.0])
def test_a_pendulum_hangs_along_its_load(side: float) -> None:
    rest = equilibrium(pendulum(0.3, side))
    angle = math.atan2(-2 * 9.81, side)
    x, y = rest.state.q[:2]
    assert (x, y) == pytest.approx((0.5 * math.cos(angle), 0.5 * math.sin(angle)), abs=1e-8)
    assert rest.stability == "stable"
    # Stiffness along the unit freedom (arc of the centre and rotation together): m g' l / (l² + 1) in these units.
    assert rest.stiffness[0] > 0


def test_on_its_head_it_is_unstable() -> None:
    rest = equilibrium(pendulum(math.pi / 2))
    assert rest.state.q[1] == pytest.approx(0.5)
    assert rest.stability == "unstable"


def test_from_several_starts_both_ends_of_a_bistable_frame_are_found() -> None:
    """A bar on two hinged springs: flat is unstable, two poses snap to either side."""
    text = """
space: planar
bodies: {block: {mass: 1, inertia: 0.1, position: [0, 0.05]}}
joints: {A: {type: translational, a: {body: ground, axis: [0, 1]}, b: {body: block, axis: [0, 1]}}}
forces:
  left: {type: spring, a: {body: ground, point: [-1, 0]}, b: block, stiffness: 1000, length: 1.1}
  right: {type: spring, a: {body: ground, point: [1, 0]}, b: block, stiffness: 1000, length: 1.1}
"""
    found = equilibria(reactio.parse_model(text), 12)
    heights = sorted(float(rest.state.q[1]) for rest in found if rest.stability == "stable")
    assert heights == pytest.approx([-math.sqrt(0.21), math.sqrt(0.21)], abs=1e-7)


def test_nothing_holds_what_falls() -> None:
    model = reactio.parse_model("space: planar\ngravity: [0, -9.81]\nbodies: {stone: {mass: 1, inertia: 1}}\n")
    with pytest.raises(NoRest, match="no pose of rest"):
        equilibrium(model)


def test_reactions_at_rest_carry_the_weight() -> None:
    rest = equilibrium(pendulum(-0.4))
    found = reactio.reactions(rest.eqs)
    assert found["A"].force == pytest.approx([0.0, 2 * 9.81], abs=1e-7)
    assert np.isfinite(rest.residual)
