"""A joint with a row that can only push, from outside the package: the verdict and the bounds know it by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio import joints
from reactio.errors import ReactioError
from reactio.forward_dynamics.contact import ContactLost
from reactio.joints import Freedom, JointType, Row
from reactio.model.files.read import parse_model
from reactio.primitives import PLANAR_PRIMITIVES
from reactio.statics.equilibrium import equilibrium
from reactio.system.equations import equations
from reactio.uniqueness.bounds import multiplier_bounds

BENCH = """
space: planar
gravity: [0, -10]
bodies:
  bench: {mass: 6, inertia: 1, position: [0, 0], points: {left: [-1, 0], middle: [0, 0], right: [1, 0]}}
joints:
  left: {type: foot, a: {body: ground, point: [-1, 0], angle: 0}, b: {body: bench, point: [-1, 0], angle: 0}}
  middle: {type: foot, a: {body: ground, point: [0, 0], angle: 0}, b: {body: bench, point: [0, 0], angle: 0}}
  right: {type: foot, a: {body: ground, point: [1, 0], angle: 0}, b: {body: bench, point: [1, 0], angle: 0}}
"""


@pytest.fixture
def foot() -> Iterator[None]:
    """A foot on a floor: its depth below the x axis of A pushes; for one test."""
    slide, turn = PLANAR_PRIMITIVES.get("slide"), PLANAR_PRIMITIVES.get("turn")
    joints.register(
        JointType(
            name="foot",
            space="planar",
            rows=(Row(-1.0 * slide("y"), label="depth", unilateral=True),),
            free=(
                Freedom("translation", slide("x"), axis="x", rotates=False),
                Freedom("rotation", turn(), axis="z"),
            ),
            doc="A point that stands on a line.",
        )
    )
    yield
    joints.PLANAR_JOINTS.remove("foot")


@pytest.mark.usefixtures("foot")
def test_rows_that_push_are_known_where_they_stand() -> None:
    eqs = equations(reactio.build(parse_model(BENCH)))
    assert eqs.constraints.rows.unilateral == (0, 1, 2)
    answer = reactio.solvability(eqs.constraints)
    assert answer.unilateral == (0, 1, 2)
    assert any("3 rows can only push" in note for note in answer.notes)


@pytest.mark.usefixtures("foot")
def test_bounds_need_not_be_told() -> None:
    """Three feet in a row under 60 N: each outer one bears 0 to 30 N, the middle one 0 to 60 N."""
    eqs = equations(reactio.build(parse_model(BENCH)))
    found = multiplier_bounds(eqs.constraints, eqs.Q)
    np.testing.assert_allclose(found.low, 0.0, atol=1e-9)
    np.testing.assert_allclose(found.high, [30.0, 60.0, 30.0], rtol=1e-9)


@pytest.mark.usefixtures("foot")
def test_reaction_of_a_foot_points_up() -> None:
    two = BENCH.replace("  middle: {type: foot", "  # middle: {type: foot")
    system = reactio.build(parse_model(two))
    found = reactio.reactions(equations(system))
    assert [found[name].force[1] for name in ("left", "right")] == pytest.approx([30.0, 30.0])


@pytest.mark.usefixtures("foot")
def test_a_run_names_the_remedy_for_a_joint_that_only_pushes() -> None:
    with pytest.raises(
        ReactioError, match=r"left, middle, right can only push.*under `contacts:`.*those under `joints:`"
    ):
        reactio.simulate(parse_model(BENCH), until=0.1)


@pytest.mark.usefixtures("foot")
def test_no_pose_of_rest_where_a_joint_that_only_pushes_would_pull() -> None:
    model = parse_model(BENCH)
    assert equilibrium(model).eqs.system.m == 3
    with pytest.raises(ContactLost, match="left, middle"):
        equilibrium(replace(model, gravity=tuple(-g for g in model.gravity)))
