"""Commands about one pose read the model once, and judge no set of rows in any pose twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.kinematics import assemble
from reactio.system import equations
from reactio.system.evaluate.evaluation import evaluation
from reactio.uniqueness import engine


@pytest.mark.parametrize(
    # Judged are the pose, and two next to it, which show whether it is singular.  Where redundancies come from is shown
    # by the mechanism without its drive, and by the joints that share load: there, in three poses further along, and
    # with all joints moved about.  The report asks this also of each of two self-stresses alone, and draws motions.
    # Rows in world axes, which the model asks for, are less linear in the pose than those in the axes of the joints:
    # one of the three poses further along takes two steps to close.
    ("command", "judged", "closed", "evaluated"),
    [("check", 9, 6, 18), ("reactions", 3, 3, 6), ("report", 19, 10, 26)],
)
def test_each_pose_is_judged_once(
    command: str,
    judged: int,
    closed: int,
    evaluated: int,
    call: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts: Counter[str] = Counter()
    for module, name in ((engine, "_judge"), (assemble, "_closed_pose"), (equations, "evaluation"), (library, "load")):
        monkeypatch.setattr(module, name, counted(getattr(module, name), counts))
    code, _, err = call(command, "mobile-robot")
    assert code == 0, err
    assert counts["_judge"] <= judged
    assert counts["_closed_pose"] <= closed
    assert counts["evaluation"] <= evaluated
    assert counts["load"] == 1


@pytest.mark.parametrize("command", ["check", "reactions", "report"])
def test_the_pose_of_the_model_is_evaluated_once(
    command: str, call: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its given velocities are admissible; the mechanism without its drive is another system."""
    model = reactio.load("mobile-robot")
    at_start = Counter[int]()
    start = reactio.build(model).q0

    def seen(system: Any, state: Any = None) -> Any:
        if system.model == model and np.array_equal(system.q0 if state is None else state.q, start):
            at_start[system.m] += 1
        return evaluation(system, state)

    monkeypatch.setattr(equations, "evaluation", seen)
    code, _, err = call(command, "mobile-robot")
    assert code == 0, err
    assert list(at_start.values()) == [1]


def counted(function: Callable[..., Any], counts: Counter[str]) -> Callable[..., Any]:
    def call(*args: Any, **more: Any) -> Any:
        counts[function.__name__] += 1
        return function(*args, **more)

    return call
