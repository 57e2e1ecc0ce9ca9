"""Public functions given what they cannot use: an error that names the argument, never one from within."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.errors.arguments import with_argument_errors

FUNCTIONS = sorted(name for name in reactio.__all__ if inspect.isfunction(getattr(reactio, name)))
SHORT = {"until": 0.01, "eqs": None, "answer": None, "model": None, "C": np.eye(3), "source": "door", "name": "A"}


def usual() -> dict[str, Any]:
    model = reactio.load("four-bar-planar")
    system = reactio.build(model)
    return SHORT | {
        "model": model, "system": system, "source": system, "eqs": reactio.equations(system),
        "answer": reactio.check(model), "state": reactio.assemble(system),
    }  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("wrong", [None, 3, [], {}, object()], ids=lambda one: type(one).__name__)
def test_everything_wrong(name: str, wrong: object) -> None:
    function = getattr(reactio, name)
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind < 2]
    with pytest.raises(reactio.ReactioError):
        function(*[wrong] * max(1, len(needed)))


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("simulate", "tol"), ("simulate", "rule"), ("simulate", "method"), ("simulate", "step"),
        ("singularities", "until"), ("singularities", "state"), ("solvability", "tolerances"),
        ("solvability", "rounding"), ("solvability", "method"), ("sweep", "over"), ("sweep", "settings"),
        ("equations", "state"),
    ],
)  # fmt: skip
def test_an_option_of_the_wrong_type_is_named(name: str, option: str) -> None:
    function, given = getattr(reactio, name), usual()
    needed = {p.name: given[p.name] for p in inspect.signature(function).parameters.values() if p.default is p.empty}
    with pytest.raises(reactio.ReactioError) as told:
        function(**{**needed, option: object()})
    assert option in str(told.value)


def test_a_word_that_a_function_does_not_know() -> None:
    with pytest.raises(reactio.ReactioError, match=r"has no argument 'untill'\. Did you mean 'until'"):
        reactio.simulate(reactio.load("door"), untill=1.0)  # type: ignore[call-arg]


def test_what_fails_with_right_arguments_is_a_bug_and_stays_one() -> None:
    def broken(x: float, many: list[str] | None = None) -> float:
        raise TypeError("inside")

    with pytest.raises(TypeError, match="inside"):
        with_argument_errors(broken, "broken")(1.0, ["a"])
    with pytest.raises(reactio.ReactioError, match="x must be a number, not 'a'"):
        with_argument_errors(broken, "broken")("a")
    with pytest.raises(reactio.ReactioError, match="many must be a list of text or None"):
        with_argument_errors(broken, "broken")(1.0, "text")


def test_public_functions_can_be_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(reactio.check)) is reactio.check


def given(value: Any) -> Any:
    """A value whose type no checker knows."""
    return value


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda door: reactio.error_bars(door, given({"hinge2.z": "a"})), "tolerances must be a dictionary of numbers"),
        (
            lambda door: reactio.bounds(door, capacity=given({"hinge1": -4})),
            "capacity must be a dictionary of dictionaries",
        ),
        (lambda door: reactio.releases(door, keep="hinge1"), "keep must be a list of text, not 'hinge1'"),
        (lambda door: reactio.compare(door, "inertia"), "rules must be a list of text or None, not 'inertia'"),
        (lambda door: reactio.explain(door, given(3)), "The name of a joint is needed, not 3"),
        (
            lambda door: reactio.Model.new("stage", parameters=given([1])),
            "parameters is .1.; give names with their values",
        ),
        (lambda door: door.body(3, mass=1), "3 cannot be a name"),
        (lambda door: reactio.check(door).functional("hinge1.Fz + "), "'hinge1.Fz \\+' ends without a component"),
        (lambda door: reactio.error_bars(door, {"hinge2.q": 1e-4}), "'hinge2' has no 'q'. Known: about_x"),
        (lambda door: reactio.error_bars(door, {"door.z": 1e-4}), "'door' has no 'z'. Known: length, temperature"),
    ],
)
def test_what_a_list_or_a_dictionary_holds_is_named(call: Any, words: str) -> None:
    with pytest.raises(reactio.ReactioError, match=words) as caught:
        call(reactio.load("door", hinges=2, bushings=1))
    assert "along" not in str(caught.value)
