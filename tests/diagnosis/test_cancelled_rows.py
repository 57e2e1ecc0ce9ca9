"""Equations whose terms cancel constrain nothing, whatever rounding leaves of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.shared_models import GEARED_TO_ITSELF

import reactio

TWO_BODIES = """
space: spatial
gravity: [0.3, -1, -9.81]
bodies:
  b: {{mass: 1, inertia: [{L}**2, 2*{L}**2, 2.5*{L}**2], position: [{x} + 0.3*{L}, 0.2*{L}, 0.1*{L}]}}
  c: {{mass: 2, inertia: [2*{L}**2, {L}**2, 1.5*{L}**2], position: [{x}, 0.5*{L}, 0.7*{L}]}}
joints:
  J1: {{type: {one}, bodies: [ground, b], at: [{x}, 0, 0], axis: {axis}}}
  J2: {{type: {two}, bodies: [{pair}], at: [{x} + {L}*{axis_x}, {L}*{axis_y}, {L}*{axis_z}], axis: {flipped}}}
  J3: {{type: {one}, bodies: [ground, c], at: [{x}, 0, 0], axis: {axis}}}
  J4: {{type: {two}, bodies: [b, c], at: [{x}, 0, 0], axis: {axis}}}
couplings:
  G: {coupling}
"""
GEAR = "{type: gear, joints: [J1.rotation, J2.rotation], ratio: %s}"
# What a coupling says, joint types, the bodies of J2, the sign of its axis: each is 0 = 0 on coaxial joints.
IDENTITIES = {
    "gear, axis turned": (GEAR % -1, "revolute", "cylindrical", "ground, b", -1),
    "gear, bodies turned": (GEAR % -1, "revolute", "cylindrical", "b, ground", 1),
    "gear, both turned": (GEAR % 1, "revolute", "cylindrical", "b, ground", -1),
    "differential": (
        "{type: linear, joints: [J1.rotation, J4.rotation, J3.rotation], coefficients: [3.7, 3.7, -3.7]}",
        "cylindrical", "cylindrical", "ground, b", 1,
    ),
    "slides": (
        "{type: linear, joints: [J1.translation, J4.translation, J3.translation], coefficients: [1e3, 1e3, -1e3]}",
        "cylindrical", "cylindrical", "ground, b", 1,
    ),
    "screws of one pitch": (
        "{type: linear, joints: [J1.rotation, J4.rotation, J3.rotation], coefficients: [1, 1, -1]}",
        "screw", "screw", "ground, b", 1,
    ),
}  # fmt: skip
PLACES = [
    (1.0, 0.0),
    (1e-6, 0.0),
    (1e6, 0.0),
    (1.0, 300.0),
    (1.0, 1e5),
]  # size, distance from the origin [m]


def model(name: str, size: float = 1.0, x: float = 0.0, coupling: str | None = None) -> reactio.Model:
    """Two bodies on one line with a coupling that says nothing, or another one."""
    said, one, two, pair, sign = IDENTITIES[name]
    axis = np.array([1, 2, 3])
    text = TWO_BODIES.format(
        x=x, L=size, one=one, two=two, pair=pair, axis=axis.tolist(), flipped=(sign * axis).tolist(),
        axis_x=1, axis_y=2, axis_z=3, coupling=coupling or said,
    )  # fmt: skip
    if "screw" in one:
        text = text.replace("type: screw,", f"type: screw, pitch: {0.01 * size},")
    return reactio.parse_model(text)


@pytest.mark.parametrize(("size", "x"), PLACES)
@pytest.mark.parametrize("name", IDENTITIES)
def test_a_coupling_that_cancels_is_no_constraint(name: str, size: float, x: float) -> None:
    """Rank and mobility are those without it, confident; its own effort is not unique and shares with nobody."""
    said = model(name, size, x)
    answer, without = reactio.check(said), reactio.check(replace(said, couplings=()))
    assert (answer.rank, answer.mobility) == (without.rank, without.mobility)
    assert answer.confident
    assert answer["G"].verdict.value == "not unique"
    assert answer["G"].shares_with == ()
    assert [g.verdict for g in answer if g.name != "G"] == [g.verdict for g in without]


@pytest.mark.parametrize("ratio", [1.0, -1.001, 2.0, 1e-3])
def test_other_ratios_between_the_same_joints_are_constraints(ratio: float) -> None:
    """θ = −k θ holds the body unless k = −1: what does not cancel stays."""
    answer = reactio.check(model("gear, axis turned", coupling=GEAR % ratio))
    without = reactio.check(model("gear, axis turned"))
    assert answer.mobility == without.mobility - 1
    assert answer["G"].rank == 1


@pytest.mark.parametrize("method", ["rank", "qr", "svd"])
def test_the_published_tests_agree(method: str) -> None:
    """A zero row passes every decider."""
    answer = reactio.check(model("differential"), method=method)
    assert answer["G"].verdict.value == "not unique"
    assert answer.rank == reactio.check(model("differential")).rank


def test_a_free_body_swings_as_without_the_gear() -> None:
    """The motion, and the reactions that are unique, are those of the model without the row."""
    geared = reactio.parse_model(GEARED_TO_ITSELF)
    models = [geared, replace(geared, couplings=())]
    runs = [reactio.simulate(one, 0.5) for one in models]
    assert np.abs(runs[0].q[-1][:7] - runs[1].q[-1][:7]).max() < 1e-8  # a few steps, each within 1e-9
    assert np.abs(runs[0].v[-1]).max() > 0.1
    found, without = (reactio.reactions(reactio.equations(reactio.build(one)))["hinge"] for one in models)
    assert found.force == pytest.approx(without.force, rel=1e-12, nan_ok=True)
