"""``check`` settles clear poses by bounds, with the answer of the full analysis."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.diagnosis.check import verdicts_at
from reactio.joint_reactions.component_batches import clear_state
from reactio.kernels import compiled_throughout
from reactio.kinematics.assemble import initial_state
from reactio.library import names
from reactio.system.equations import Equations, equations
from reactio.system.geometry.rank_distance import geometry

SETTLED = ("mobile-robot", "spatial-parallelogram", "andrews", "four-bar-spatial", "slider-crank", "sarrus")


def at_start(name: str) -> Equations:
    """The equations where a mechanism of the library starts."""
    system = reactio.build(reactio.load(name))
    return equations(system, initial_state(system))


@pytest.mark.parametrize("name", names())
def test_bounds_and_full_analysis_give_one_answer(name: str) -> None:
    eqs = at_start(name)
    if not eqs.system.m or eqs.system.m > 100:
        pytest.skip("no reactions, or a model that is judged block by block")
    with compiled_throughout():
        answer, clear = reactio.check(eqs), clear_state(eqs)
    assert (clear is not None) >= (name in SETTLED)
    full = at_start(name).solvability
    assert (answer.rank, answer.confident, answer.decision.alternatives) == (
        full.rank, full.confident, full.decision.alternatives,
    )  # fmt: skip
    for field in ("own", "determined", "low", "high", "multipliers_unique", "doubt", "margin"):
        assert np.array_equal(getattr(answer.verdicts, field), getattr(full.verdicts, field)), field
    assert [g.verdict for g in answer] == [g.verdict for g in full]
    assert [g.components for g in answer] == [g.components for g in full]
    assert answer.tolerances == full.tolerances
    assert np.array_equal(answer.decision.sigma, full.decision.sigma)
    assert answer.notes == full.notes
    assert answer.geometry == geometry(eqs, full)


@pytest.mark.parametrize("name", names())
def test_the_first_answer_of_a_system_is_that_of_its_assembled_start(name: str) -> None:
    model = reactio.load(name)
    system = reactio.build(model)
    if not system.m or system.m > 100:
        pytest.skip("no reactions, or a model that is judged block by block")
    with compiled_throughout():
        first = reactio.check(system)
        eqs, whole = verdicts_at(reactio.build(model))
    assert str(first) == str(whole)
    assert (first.rank, first.redundancy, first.mobility) == (whole.rank, whole.redundancy, whole.mobility)
    assert [(g, g.components) for g in first] == [(g, g.components) for g in whole]
    assert first.notes == whole.notes
    assert first.geometry == whole.geometry
    assert np.array_equal(first.matrix.C, eqs.constraints.C)
    assert first.matrix.origin == whole.matrix.origin
    assert first.matrix.rounding == eqs.constraints.rounding


def test_a_start_without_admissible_velocities_says_so_in_its_notes() -> None:
    held = """
    space: planar
    bodies:
      wheel: {mass: 1, inertia: 1}
    joints:
      A: {type: revolute, a: {body: ground}, b: {body: wheel}}
    drives:
      slow: {joint: A, function: {polynomial: [0, 1]}}
      fast: {joint: A, function: {polynomial: [0, 2]}}
    """
    system = reactio.build(reactio.parse_model(held))
    with compiled_throughout():
        first = reactio.check(system)
    assert "notes" not in vars(first)
    assert (first.redundancy, first["slow"].verdict.value) == (1, "not unique")
    assert any("No velocities satisfy all constraints" in note for note in first.notes)
    assert first.multipliers is None


def test_numbers_and_notes_are_worked_out_when_they_are_asked_for() -> None:
    system = reactio.build(reactio.load("mobile-robot"))
    with compiled_throughout():
        answer = reactio.check(system)
    assert (answer.redundancy, answer["B"].verdict.value) == (2, "partly unique")
    assert not {"evidence", "notes", "geometry"} & set(vars(answer))
    assert "sigma" not in vars(answer.decision)
    assert answer.N.shape == (22, 2)
    assert "evidence" in vars(answer)


def test_without_machine_code_the_full_analysis_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
    eqs = at_start("mobile-robot")
    assert clear_state(eqs) is None
    assert reactio.check(eqs).redundancy == 2


def test_a_start_is_assembled_once() -> None:
    system = reactio.build(reactio.load("slider-crank"))
    assert initial_state(system) is initial_state(system)
