"""Mechanisms that miss a redundancy by little: by 1e-9 the rank is ambiguous, by 1e-3 it is not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.model.placing import joint_at
from reactio.model.specs import Joint
from reactio.uniqueness import Solvability, Verdict
from reactio.uniqueness.exact import exact_rank

from . import rational

# A loop of two bodies and three hinges, of which J3 leans out of parallel by 6e-12, with a gear; J1 and J4 hang on it.
LEANING = """
space: spatial
bodies:
  b0: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], orientation: [1/sqrt(6), 2/sqrt(6), 0, 1/sqrt(6)]}
  b1: {mass: 1, inertia: [1, 1, 1], position: [1, 3, -3]}
  b2: {mass: 1, inertia: [1, 1, 1], position: [-2, -1, -1.5], orientation: [3/sqrt(11), 1/sqrt(11), 0, 1/sqrt(11)]}
  b3: {mass: 1, inertia: [1, 1, 1], position: [0, -1, 1]}
joints:
  J1: {type: spherical, bodies: [ground, b0], at: [0, 1, 1]}
  J2: {type: revolute, bodies: [ground, b1], at: [0, 0, -1], axis: [0, 0, 1]}
  J3: {type: revolute, bodies: [ground, b2], at: [1, 1, -1], axis: [-6e-12, -1, -6e-12]}
  J4: {type: revolute, bodies: [b1, b3], at: [1, 1, 0], axis: [0, -1, 0]}
  J5: {type: revolute, bodies: [b1, b2], at: [1, 0, -1], axis: [0, -1, 0]}
couplings:
  C0: {type: gear, joints: [J2.rotation, J5.rotation], ratio: 0.5}
"""


def with_joint(model: reactio.Model, joint: Joint) -> reactio.Model:
    return replace(model, joints=tuple(joint if j.name == joint.name else j for j in model.joints))


def longer_crank(miss: float) -> reactio.Model:
    """Three parallel cranks, the third longer by 1 + miss; its pin is moved along the top bar until it fits."""
    theta = 1.0
    model = reactio.load("modified-double-four-bar", theta=theta)
    s = math.sin(theta)
    x = math.sqrt((1.0 + miss) ** 2 - s * s) if miss else math.cos(theta)
    pin = joint_at("F", "revolute", model.body("bar3"), model.body("bar4"), at=(2.0 + x, s))
    return with_joint(model, pin)


def hinge_off_the_line(miss: float) -> reactio.Model:
    """The top hinge of a door stands beside the line of the others by a part of its height."""
    model = reactio.load("door", hinges=3)
    height = 2.0
    top = height * 2.5 / 3
    hinge = joint_at(
        "hinge3", "revolute", "ground", model.body("door"), (miss * height, 0.0, top), axis=(0.0, 0.0, 1.0)
    )
    return with_joint(model, hinge)


def tilted_axis(miss: float) -> reactio.Model:
    """One of four parallel hinges leans by an angle [rad]."""
    model = reactio.load("four-bar-spatial")
    axis = (0.6 * math.sin(miss), 0.8 * math.sin(miss), math.cos(miss))
    return with_joint(model, joint_at("D", "revolute", "ground", model.body("rocker"), (1.0, 0.0, 0.0), axis))


MECHANISMS: dict[str, Callable[[float], reactio.Model]] = {
    "longer crank": longer_crank,
    "hinge off the line": hinge_off_the_line,
    "tilted axis": tilted_axis,
}


def judged(name: str, miss: float) -> Solvability:
    return reactio.check(MECHANISMS[name](miss))


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_redundancy_missed_by_1e_9_is_ambiguous_by_a_millimetre_not(name: str, sign: float) -> None:
    exact, near, apart = (judged(name, sign * miss) for miss in (0.0, 1e-9, 1e-3))
    assert exact.confident
    assert apart.confident
    assert apart.rank == exact.rank + 1
    assert not near.confident
    assert {near.rank, *near.decision.alternatives} == {exact.rank, apart.rank}
    assert "plausible" in near.headline
    for group in near:
        both = {exact[group.name].determined, apart[group.name].determined}
        if len(both) == 1:
            continue  # the same in both readings: the miss does not matter for this joint
        assert group.verdict is Verdict.AMBIGUOUS
        assert {determined for _, determined in group.alternatives} >= both
    assert any(g.verdict is Verdict.AMBIGUOUS for g in near)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("miss", [1e-13, 1e-12])
def test_rounding_of_the_data_is_no_geometry(name: str, miss: float) -> None:
    """The last digits of an input of sixteen change nothing."""
    exact, rounded = judged(name, 0.0), judged(name, miss)
    assert rounded.confident
    assert [(g.verdict, g.determined) for g in rounded] == [(g.verdict, g.determined) for g in exact]


def test_a_joint_with_a_tiny_share_in_a_self_stress_is_not_called_unique() -> None:
    """An axis that leans by 6e-12 gives the gear a share of 9e-12 in a self-stress; errors of the entries are 1e-16."""
    model = reactio.parse_model(LEANING)
    answer = reactio.check(model)
    assert answer["C0"].verdict is Verdict.AMBIGUOUS
    assert answer["C0"].components[0].unique is None
    assert all(answer[name].verdict is Verdict.UNIQUE for name in ("J1", "J4"))
    said = " ".join(reactio.explain(reactio.equations(reactio.build(model)), answer, "C0").sentences)
    assert "The rank is clear" in said


# Numbers of mechanisms in which one misplaced joint gives another a small share; a share below 1e-11 counted as zero.
@pytest.mark.parametrize("number", [126, 273, 292, 349, 484])
def test_misplaced_joints_against_exact_arithmetic(number: int) -> None:
    """No component is called determined that the misplaced geometry, taken exactly, leaves open."""
    rng = np.random.default_rng((7, number))
    mechanism = rational.random_mechanism(rng, "spatial" if number % 3 else "planar", extras=bool(rng.integers(2)))
    exact = rational.exact_rows(misplaced := rational.misplaced(mechanism, rng, int(rng.integers(6, 16))))
    whole = exact_rank([row for rows in exact.values() for row in rows])
    for group in reactio.check(reactio.build(rational.model(misplaced))):
        outside = exact_rank([row for name, rows in exact.items() if name != group.name for row in rows])
        least = min([group.determined, *(determined for _, determined in group.alternatives)])
        assert least <= whole - outside
