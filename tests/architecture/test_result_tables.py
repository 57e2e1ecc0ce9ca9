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
from reactio.result_table import Tabular

# What is no answer: models, their equations, figures, and nothing at all.
NO_RESULTS = {"Model", "System", "State", "Equations", "Figure", "NoneType"}
WITHOUT_NUMBERS = {"explain"}
TABLE = ro.load("table")
DOOR = ro.load("door", hinges=2, bushings=1)
SHORT = {"until": 0.01}
QUESTIONS: dict[str, Callable[[], Any]] = {
    "bounds": lambda: ro.bounds(TABLE),
    "branches": lambda: ro.branches(ro.build(ro.load("four-bar-planar")))[0],
    "check": lambda: ro.check(TABLE),
    "compare": lambda: ro.compare(TABLE),
    "envelope": lambda: ro.envelope(ro.load("pendulum-twice"), **SHORT, rows=3),
    "equilibrium": lambda: ro.equilibrium(TABLE),
    "error_bars": lambda: ro.error_bars(DOOR, default="0.1 mm"),
    "explain": lambda: ro.explain(ro.equations(ro.build(TABLE)), ro.check(TABLE), "leg1"),
    "flexible": lambda: ro.flexible(DOOR),
    "measure": lambda: ro.measure(TABLE, Readings(np.zeros(1), {"leg1.Fz": np.array([100.0])}), 1.0),
    "mobility": lambda: ro.mobility(ro.load("four-bar-planar")),
    "reactions": lambda: ro.reactions(TABLE, "pseudoinverse"),
    "releases": lambda: ro.releases(ro.load("four-bar-spatial")),
    "report": lambda: ro.report(TABLE),
    "sensitivity": lambda: ro.sensitivity(DOOR),
    "sensors": lambda: ro.sensors(TABLE),
    "simulate": lambda: ro.simulate(ro.load("pendulum-twice"), **SHORT, output=3),
    "singularities": lambda: ro.singularities(ro.load("four-bar-planar"), **SHORT),
    "solvability": lambda: ro.solvability(np.ones((2, 2))),
    "sweep": lambda: ro.sweep("door", {"hinges": [2, 3]}, processes=1),
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
    assert answers() - {"audit"} == set(QUESTIONS)  # an audit needs another program: its class is asked below
    from reactio.auditing.data import Audit

    assert issubclass(Audit, Tabular)
    assert Audit.table is not Tabular.table


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_an_answer_shows_itself(name: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    pytest.importorskip("matplotlib")
    answer = QUESTIONS[name]()
    assert isinstance(answer, Tabular)
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
