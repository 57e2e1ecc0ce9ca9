"""Causes of redundancy, words, and verdicts along a motion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from tests.shared_models import SUSPENSION, four_cylinders

import reactio
from reactio.diagnosis.cause import Causes, causes
from reactio.diagnosis.why import describe, describe_all, loop_of
from reactio.kinematics.cycle import cycle
from reactio.simulation.state_at import states_at
from reactio.system.types import State, System
from reactio.uniqueness.history import History, history

CASES = [
    # Hinges that stay parallel keep planar motion whatever the lengths.
    ("four-bar-spatial", {}, Causes(3, 0, 0)),
    # Any four hinges: 20 equations on 18 velocities leave 2; the third needs Bennett's proportions.
    ("bennett", {}, Causes(2, 1, 0)),
    # 15 equations on 6 velocities leave 9; the tenth needs hinges on one line.
    ("door", {"hinges": 3}, Causes(9, 1, 0)),
    # Two directions of hinges are enough for Sarrus.
    ("sarrus", {}, Causes(1, 0, 0)),
    # Parallelograms need equal lengths.
    ("modified-double-four-bar", {}, Causes(0, 1, 0)),
    ("spatial-parallelogram", {}, Causes(0, 1, 0)),
    # The flat pose adds redundancies that a small motion takes away again (14 -> 12 rows; 11 -> 10).
    ("double-four-bar", {"theta": 0}, Causes(0, 0, 2)),
    ("modified-double-four-bar", {"theta": 0}, Causes(0, 1, 1)),
    ("four-bar-planar", {}, Causes(0, 0, 0)),
    # Two rods to a point mass from one place; from two places they would be a truss.
    ("pendulum-twice", {}, Causes(0, 1, 0)),
]


@pytest.mark.parametrize(("name", "parameters", "expected"), CASES)
def test_causes_are_told_apart_and_add_up_to_the_redundancy(
    name: str, parameters: dict[str, float], expected: Causes
) -> None:
    system = reactio.build(reactio.load(name, **parameters))
    state = reactio.assemble(system)
    assert causes(system, state) == expected
    p = reactio.check(system, state).redundancy
    assert expected.structural + expected.geometric + expected.pose == p


def test_words_of_the_spatial_four_bar() -> None:
    system = reactio.build(reactio.load("four-bar-spatial"))
    eqs = reactio.equations(system, reactio.assemble(system))
    answer = reactio.solvability(eqs.constraints)
    sentences = {describe(eqs, stress) for stress in answer.self_stress}
    assert "A, B, C and D share a force along joint axis z, which a rigid model leaves undetermined." in sentences
    assert loop_of(system.model, ("A", "B", "C", "D")) in (("D", "C", "B", "A"), ("A", "B", "C", "D"))
    told = reactio.explain(eqs, answer, "A")
    assert told.verdict == "partly unique"
    assert any("Fz" in s for s in told.sentences)
    assert told.remedies


def test_joints_between_the_same_two_bodies_are_told_in_one_sentence() -> None:
    """Five bearings of a crankshaft: 21 equations of rank 5 hold it, 16 ways to share."""
    system = reactio.build(reactio.parse_model(four_cylinders()))
    eqs = reactio.equations(system)
    told = describe_all(eqs, eqs.solvability.self_stress)
    assert told[0] == (
        "M1, M2, M3, M4 and M5 all hold crank on ground and share forces along joint axes x and y and "
        "moments about joint axes x and y, which a rigid model leaves undetermined (16 independent self-stresses)."
    )
    assert len(told) == 5  # and one for every cylinder
    why = reactio.explain(eqs, eqs.solvability, "M3").sentences
    assert told[0] in why
    assert "Its axes: x along world y, y along world z, z along world x." in why


def test_unique_joints_need_no_remedy() -> None:
    system = reactio.build(reactio.load("mobile-robot"))
    eqs = reactio.equations(system, reactio.assemble(system))
    told = reactio.explain(eqs, reactio.solvability(eqs.constraints), "A")
    assert told.remedies == ()
    assert "unique" in told.sentences[0]


def history_of(system: System, states: Iterable[State]) -> History:
    """Verdicts at the states of a motion, one after the other."""
    found = list(states)
    return history((reactio.equations(system, state).constraints for state in found), (state.t for state in found))


def test_through_the_flat_pose_of_the_modified_double_four_bar() -> None:
    """The rank drops from 11 to 10 in the flat pose and comes back (Masarati 2023, Sect. 3.3)."""
    poses = [reactio.build(reactio.load("modified-double-four-bar", theta=theta)) for theta in (0.2, 0.1, 0.0, -0.1)]
    run = history_of(poses[0], [reactio.assemble(p) for p in poses])
    assert run.rank.tolist() == [11, 11, 10, 11]
    changes = [(event.index, event.before, event.after) for event in run.events if event.group is None]
    assert [index for index, *_ in changes] == [2, 3]


def test_once_around_the_four_bar() -> None:
    """A crank-rocker meets no singular pose: its verdicts hold all the way round."""
    system = reactio.build(reactio.load("four-bar-spatial"))
    run = history_of(system, cycle(system, 60))
    assert set(run.rank.tolist()) == {17}
    assert run.events == ()
    assert run.determined.min() == run.determined.max() == 2


def test_history_in_time() -> None:
    system = reactio.build(reactio.load("mobile-robot"))
    run = history_of(system, states_at(system, [0.0, 1.0, 2.0]))
    assert run.rank.tolist() == [20, 20, 20]
    assert run.events == ()


def test_nothing_to_judge() -> None:
    with pytest.raises(reactio.ReactioError, match="no constraints"):
        reactio.check(reactio.parse_model("space: planar\nbodies: {b: {mass: 1, inertia: 1}}"))


def test_legs_that_stay_parallel_are_redundant_along_the_whole_motion() -> None:
    places = [foot.tolist() for foot in np.random.default_rng(7).uniform(-1, 1, (6, 3))]
    ends = [f"a: {{body: ground, point: {at}}}, b: {{body: plate, point: {at}}}" for at in places]
    legs = "".join(f"  leg{k}: {{type: distance, {end}}}\n" for k, end in enumerate(ends))
    plate = "plate: {mass: 1, inertia: [1, 1, 1], position: [0.2, -0.3, 1.5]}"
    system = reactio.build(reactio.parse_model(f"space: spatial\nbodies:\n  {plate}\njoints:\n{legs}"))
    assert causes(system, reactio.assemble(system)) == Causes(0, 3, 0)


@pytest.mark.parametrize("driven", [True, False])
@pytest.mark.parametrize(
    ("case", "expected"),
    [
        # Five bearings in one line: the first that leaves it locks the crank, whether a motor turns it or not.
        (four_cylinders(), Causes(19, 1, 0)),
        # Each of the two axles must be in line, although the first that is not locks the wheel already.
        (SUSPENSION, Causes(12, 2, 0)),
    ],
    ids=["engine", "suspension"],
)
def test_causes_of_machines_with_and_without_their_drives(case: str, expected: Causes, driven: bool) -> None:
    model = reactio.parse_model(case)
    system = reactio.build(model if driven else replace(model, drives=()))
    assert causes(system, reactio.assemble(system)) == expected


def test_axles_of_one_arrangement_have_one_cause() -> None:
    system = reactio.build(reactio.parse_model(SUSPENSION))
    state = reactio.assemble(system)
    assert causes(system, state, ("LF", "LR")) == causes(system, state, ("UF", "UR")) == Causes(4, 1, 0)
