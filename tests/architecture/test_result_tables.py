"""Every result of a public function shows itself: DataFrame, Dataset, plot, and a table in notebooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio as ro
from reactio.design.measure import Readings
from reactio.errors import ReactioError
from reactio.results.table import Tabular

# What is no answer: models, their equations, figures, and nothing at all.
NO_RESULTS = {"Model", "System", "State", "Equations", "Figure", "NoneType"}
WITHOUT_NUMBERS = {"explain"}
LONGEST_REPR = 250  # letters at a prompt: two lines, not the arrays
TABLE = ro.load("table")
DOOR = ro.load("door", hinges=2, bushings=1)
QUESTIONS: dict[str, Callable[[], Any]] = {
    "bounds": lambda: ro.bounds(TABLE),
    "branches": lambda: ro.branches(ro.load("four-bar-planar"))[0],
    "check": lambda: ro.check(TABLE),
    "check_jacobians": lambda: ro.check_jacobians(np.eye(3)[None], {"A": [0, 1]}),
    "check_many": lambda: ro.check_many(TABLE, np.tile(ro.build(TABLE).q0, (2, 1))),
    "compare": lambda: ro.compare(TABLE),
    "envelope": lambda: ro.envelope(ro.load("pendulum-twice"), until=0.01, rows=3),
    "equilibrium": lambda: ro.equilibrium(TABLE),
    "error_bars": lambda: ro.error_bars(DOOR, default="0.1 mm"),
    "explain": lambda: ro.explain(TABLE, name="leg1"),
    "flexible": lambda: ro.flexible(DOOR),
    "measure": lambda: ro.measure(TABLE, Readings(np.zeros(1), {"leg1.Fz": np.array([100.0])}), 1.0),
    "mobility": lambda: ro.mobility(ro.load("four-bar-planar")),
    "reactions": lambda: ro.reactions(TABLE, "pseudoinverse"),
    "releases": lambda: ro.releases(pendulum()),
    "report": lambda: ro.report(TABLE),
    "sensitivity": lambda: ro.sensitivity(DOOR),
    "sensors": lambda: ro.sensors(TABLE),
    "simulate": lambda: ro.simulate(ro.load("pendulum-twice"), until=0.01, output=3),
    "singularities": lambda: ro.singularities(ro.load("four-bar-planar"), until=0.01),
    "solvability": lambda: ro.solvability(np.ones((2, 2))),
    "sweep": lambda: ro.sweep("door", {"hinges": [2]}, processes=1),
}
QUESTIONS["load_run"] = QUESTIONS["simulate"]


def answers() -> set[str]:
    """The public functions that answer with a result."""
    found = set()
    for name in ro.__all__:
        function = getattr(ro, name)
        if inspect.isfunction(function):
            text = str(inspect.signature(function).return_annotation).strip("'")
            if text.removeprefix("tuple[").partition(",")[0].partition(" ")[0] not in NO_RESULTS | {"None"}:
                found.add(name)
    return found


def test_every_public_question_is_asked_here() -> None:
    # An audit needs another program: its class is asked below.  A live page is no table.
    assert answers() - {"audit", "live"} == set(QUESTIONS)
    from reactio.auditing.data import Audit

    assert issubclass(Audit, Tabular)
    assert Audit.table is not Tabular.table


READINGS = Readings(np.array([0.02]), {"A.Fx": np.ones(1), "A.Fy": np.ones(1)})
# Questions about an instant or a motion; the others are about matrices, files, lists of poses or families of models.
ASKED_OF_ANYTHING: dict[str, Callable[..., Any]] = {
    "bounds": ro.bounds,
    "branches": lambda given, **at: ro.branches(given, **at)[0],
    "check": ro.check,
    "compare": ro.compare,
    "envelope": lambda given, **at: ro.envelope(given, until=0.02, rows=3, **at),
    "equilibrium": ro.equilibrium,
    "error_bars": lambda given, **at: ro.error_bars(given, default="0.1 mm", **at),
    "explain": lambda given, **at: ro.explain(given, name="A", **at),
    "flexible": ro.flexible,
    "measure": lambda given, **at: ro.measure(given, READINGS, 1.0, **at),
    "mobility": ro.mobility,
    "reactions": ro.reactions,
    "releases": ro.releases,
    "report": ro.report,
    "sensitivity": ro.sensitivity,
    "sensors": ro.sensors,
    "simulate": lambda given, **at: ro.simulate(given, until=0.02, output=3, **at),
    "singularities": lambda given, **at: ro.singularities(given, until=0.02, **at),
}


def pendulum() -> ro.Model:
    """A rod on two hinges at one place: two redundant equations, one freedom, and quick in every question."""
    rod = ro.Model.new("rod", "planar", gravity=[0, -9.81]).body("rod", mass=1, inertia=0.1, position=[0.5, 0])
    hinge = {"bodies": ["ground", "rod"], "at": [0, 0], "stiffness": [1e8, 1e8, 0]}
    return rod.joint("A", "revolute", **hinge).joint("B", "revolute", **hinge)


def test_every_question_about_a_mechanism_takes_a_state() -> None:
    assert set(QUESTIONS) - {"check_jacobians", "check_many", "load_run", "solvability", "sweep"} == set(
        ASKED_OF_ANYTHING
    )
    for name in ASKED_OF_ANYTHING:
        assert "state" in inspect.signature(getattr(ro, name)).parameters, name


@pytest.mark.parametrize("name", sorted(ASKED_OF_ANYTHING))
def test_models_systems_states_and_equations_have_one_answer(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    model = pendulum()
    system = ro.build(model)
    ask, state = ASKED_OF_ANYTHING[name], ro.assemble(system)
    answers = [ask(model), ask(system), ask(system, state=state), ask(ro.equations(model, state))]
    first, *others = (answer.to_pandas() for answer in answers)
    for other in others:
        pandas.testing.assert_frame_equal(
            first, other, check_exact=False, rtol=1e-6, atol=1e-6
        )  # steps differ a little


def test_a_state_alone_is_refused_with_what_is_missing() -> None:
    state: Any = ro.assemble(pendulum())
    for ask in (ro.check, ro.reactions, ro.mobility):
        with pytest.raises(ReactioError, match="give the model or the system first, and `state=` with it"):
            ask(state)


def test_equations_are_those_of_one_state() -> None:
    system = ro.build(TABLE)
    with pytest.raises(ReactioError, match="those of one state"):
        ro.check(ro.equations(system), ro.assemble(system))
    with pytest.raises(ReactioError, match="leave out `at`"):
        ro.bounds(system, at=0.1, state=ro.assemble(system))


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_an_answer_shows_itself(name: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    pytest.importorskip("matplotlib")
    answer = QUESTIONS[name]()
    assert isinstance(answer, Tabular)
    assert repr(answer).startswith("<")
    assert len(repr(answer)) < LONGEST_REPR
    frame, data = answer.to_pandas(), answer.to_xarray()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == len(answer.table())
    assert data.sizes
    assert "<table>" in answer._repr_html_() or "<iframe" in answer._repr_html_()
    if name in WITHOUT_NUMBERS:
        with pytest.raises(ReactioError, match="no numbers to plot"):
            answer.plot()
        return
    figure = answer.plot(tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size
    assert any(axes.lines or axes.patches for axes in figure.axes)
