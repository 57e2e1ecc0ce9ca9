"""Loads and drives that act for a moment are seen by a run, however long its steps could be."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import reactio
from reactio.integrate.longest_step import longest_step
from reactio.integrate.status import Status
from reactio.model.model import Model
from reactio.model.specs import Event

SLIDE = """
space: planar
bodies: {{b: {{mass: 1, inertia: 1, position: [0, 0]}}}}
joints: {{A: {{type: translational, bodies: [ground, b], at: [0, 0], axis: [1, 0]}}}}
forces: {{push: {{type: force, at: b, force: ["{law}", 0]}}}}
"""


def pushed(law: str) -> Model:
    return reactio.parse_model(SLIDE.format(law=law))


@pytest.mark.parametrize("method", ["dop853", "radau5", "auto"])
@pytest.mark.parametrize(("at", "width"), [(5.0, 0.1), (5.1, 0.05), (9.7, 0.03)])
def test_a_short_push_on_a_body_at_rest(at: float, width: float, method: str) -> None:
    """The momentum after a push exp(−((t − t₀)/w)²) is w √π; nothing moved before it."""
    run = reactio.simulate(pushed(f"exp(-((t-{at})/{width})**2)"), 20.0, method=method)
    assert run.status is Status.DONE
    momentum = width * math.sqrt(math.pi)
    assert run.checkpoint.v[0] == pytest.approx(momentum, abs=1e-6)  # some hundred steps of 1e-9
    assert run.checkpoint.q[0] == pytest.approx(momentum * (20.0 - at), abs=1e-5)  # the same, carried on for 15 s


@pytest.mark.parametrize("law", ["7", "2*t - 1", "t*t*t"])
def test_polynomials_leave_steps_as_long_as_they_may_be(law: str) -> None:
    assert longest_step(reactio.build(pushed(law)), 0.0, 10.0) == math.inf


def test_long_changes_leave_a_step_that_spans_the_run() -> None:
    assert longest_step(reactio.build(pushed("sin(0.3*t)")), 0.0, 5.0) > 5.0


@pytest.mark.parametrize("law", ["1/floor(8.3 - t)", "log(t - 20)", "1e300*sin(50*t)"])
def test_functions_that_are_not_defined_everywhere_or_huge_have_a_longest_step(law: str) -> None:
    assert longest_step(reactio.build(pushed(law)), 0.0, 10.0) > 0.0


def test_a_short_push_late_in_a_run_that_begins_late() -> None:
    """The samples are those of the run, not of all times from 0 on."""
    model = pushed("exp(-((t-9005.1)/0.05)**2)")
    late = replace(reactio.build(model).state(), t=9000.0)
    run = reactio.simulate(model, 9010.0, state=late)
    assert run.checkpoint.v[0] == pytest.approx(0.05 * math.sqrt(math.pi), abs=1e-6)  # as above


def test_rows_between_those_of_a_run_that_ended_early_are_of_the_same_motion() -> None:
    """An event ends the run long before its time: its steps are repeated with the limit of the whole run."""
    model = replace(
        pushed("exp(-((t-0.3)/0.02)**2)"),
        events=(Event("away", "A.translation - 0.01", action="stop"),),
    )
    run = reactio.simulate(model, 5.0)
    assert run.t[-1] < 4.0
    assert run.denser(50).v[-1][0] == pytest.approx(run.v[-1][0], abs=1e-9)  # the same steps, projected again
