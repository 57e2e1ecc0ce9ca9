"""Hints on what a model forgets, and axes by their letters."""

from __future__ import annotations

import pytest

import reactio
from reactio.errors import ReactioError
from reactio.model.plausibility import unheld, unloaded

TWO = (
    "{space: spatial, bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}, b: {mass: 1, inertia: [1, 1, 1], "
)
TWO += "position: [1, 0, 0]}}, joints: {A: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: %s}}}"


def test_a_body_that_nothing_holds_is_named() -> None:
    model = reactio.parse_model(TWO % "z")
    assert unheld(model) == ("Nothing holds 'b': it moves freely.",)
    assert unheld(model)[0] in reactio.check(model).notes
    assert unheld(reactio.load("door")) == ()


def test_missing_loads_are_named() -> None:
    model = reactio.parse_model(TWO % "z")
    assert "gravity: [0, 0, -9.81]" in unloaded(model)[0]
    assert unloaded(model)[0] in reactio.simulate(model, until=0.01, output=2).notes
    assert unloaded(reactio.load("door")) == ()


@pytest.mark.parametrize(("letter", "vector"), [("z", "[0, 0, 1]"), ("-y", "[0, -1, 0]"), ("+x", "[1, 0, 0]")])
def test_an_axis_by_its_letter(letter: str, vector: str) -> None:
    assert reactio.parse_model(TWO % letter).joints == reactio.parse_model(TWO % vector).joints


@pytest.mark.parametrize("word", ["w", "--z", "zz", "xy"])
def test_no_such_axis(word: str) -> None:
    with pytest.raises(ReactioError, match="there is no axis"):
        reactio.parse_model(TWO % f"'{word}'")
