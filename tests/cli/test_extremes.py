"""Absurd numbers in every field, through the commands: an answer or one message, no traceback, no contradiction."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Call = Callable[..., tuple[int, str, str]]

PLANAR = """
space: planar
gravity: [0.5, -9.81]
bodies:
  crank: {mass: 1.5, inertia: 0.1, position: [0.1, 0.2], velocity: [0.1, 0.0], angular_velocity: 0.3, center: [0.1, 0]}
  slide: {mass: 2.5, inertia: 0.2, position: [0.7, 0.2]}
  disc: {mass: 0.5, inertia: 0.01, position: [0.1, 0.6]}
joints:
  A: {type: revolute, a: {body: ground, point: [0.1, 0.2]}, b: {body: crank, point: [0.0, 0.0]}}
  rod: {type: distance, a: {body: crank, point: [0.2, 0.0]}, b: {body: slide, point: [0.0, 0.0]}, length: 0.4}
  P: {type: translational, bodies: [ground, slide], at: [0.7, 0.2], axis: [1.0, 0.0]}
  R: {type: revolute, bodies: [ground, disc], at: [0.1, 0.6]}
couplings: {belt: {type: linear, joints: [A, R], coefficients: [1.0, -2.0]}}
drives: {motor: {joint: A, function: {step: {start: 0.0, end: 1.0, before: 0.0, after: 1.0}}}}
forces:
  push: {type: force, at: slide, force: [1.5, 0.5]}
  s: {type: linear-spring-damper, joint: P, stiffness: 100.0, damping: 0.5, position: 0.1}
"""
SPATIAL = """
space: spatial
gravity: [0.0, 0.5, -9.81]
bodies:
  door: {mass: 20.0, inertia: [6.0, 5.0, 2.0], position: [0.4, 0.0, 1.0], angular_velocity: [0.0, 0.0, 0.3]}
  knob: {mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0.8, 0.0, 1.0]}
joints:
  A: {type: revolute, bodies: [ground, door], at: [0.0, 0.0, 0.2], axis: [0.0, 0.0, 1.0]}
  B: {type: revolute, bodies: [ground, door], at: [0.0, 0.0, 1.8], axis: [0.0, 0.0, 1.0]}
  K: {type: revolute, bodies: [door, knob], at: [0.8, 0.0, 1.0], axis: [0.0, 1.0, 0.0]}
forces: {t: {type: torque, at: knob, torque: [0.0, 1.0, 0.1]}}
"""
EXTREMES = [10.0**e for e in (-300, -200, -100, -45, -30, -16, -9, 9, 16, 30, 39, 45, 100, 160, 200, 300)] + [5e-324]
COMMANDS = (
    ("check", "--json"),
    ("check", "--coordinates", "natural", "--json"),
    ("reactions", "--json"),
    ("reactions", "--compare"),
    ("mobility", "--json"),
    ("show", "--json"),
    ("assemble", "--json"),
    ("draw", "-o", "picture.svg"),
    ("report", "-o", "report.md"),
)


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all numbers."""
    if isinstance(node, float):
        yield path
    elif isinstance(node, dict | list):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from leaves(value, (*path, key))


def put(node: Any, path: tuple[Any, ...], value: float) -> None:
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value


def agree(answer: dict[str, Any]) -> None:
    """A verdict and those on its components say the same."""
    for group in answer["groups"]:
        parts = [part["unique"] for part in group["components"]]
        assert not (group["verdict"] == "unique" and False in parts), group
        assert not (group["verdict"] == "not unique" and any(parts)), group


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.sampled_from([PLANAR, SPATIAL]), command=st.sampled_from(COMMANDS), data=st.data())
def test_absurd_numbers(call: Call, text: str, command: tuple[str, ...], data: st.DataObject) -> None:
    model = yaml.safe_load(text)
    count = data.draw(st.integers(1, 2))
    for path in data.draw(st.lists(st.sampled_from(list(leaves(model))), min_size=count, max_size=count)):
        put(model, path, data.draw(st.sampled_from(EXTREMES)) * data.draw(st.sampled_from([1, -1])))
    Path("m.yaml").write_text(yaml.safe_dump(model), encoding="utf-8")
    code, out, err = call(command[0], "m.yaml", "--quiet", *command[1:])
    assert code in (0, 2), err
    assert err.startswith("error: ") == (code == 2), err
    if code == 0 and command[0] == "check":
        agree(json.loads(out))


FIELDS = {
    "position: [0.7, 0.2]": ("position: [1e200, 0.2]", "body 'slide': position is 1e+200"),
    "mass: 2.5": ("mass: 1e300", "body 'slide': mass is 1e+300"),
    "length: 0.4": ("length: 1e-300", "joint 'rod' (distance): length is 1e-300"),
    "inertia: 0.2": ("inertia: 1e-45", "body 'slide': inertia is 1e-45"),
    "stiffness: 100.0": ("stiffness: 1e200", "force 's' (linear-spring-damper): stiffness is 1e+200"),
    "force: [1.5, 0.5]": ("force: [1e200, 0.5]", "force 'push' (force) has the value 1e+200 at t = 0 s"),
    "mass: 0.5": ("mass: 1e-14", "the mass of body 'disc' is 5e+14 times less than the inertia of body 'slide'"),
    "position: [0.1, 0.6]": ("position: [1e9, 0.6]", "5e+09 times the size of the bodies (0.2 m)"),
}


@pytest.mark.parametrize("given_field", FIELDS)
@pytest.mark.parametrize("verb", [("check",), ("reactions",), ("mobility",), ("simulate", "--until", "0.1")])
def test_the_message_names_the_field_and_the_number(call: Call, given_field: str, verb: tuple[str, ...]) -> None:
    other, words = FIELDS[given_field]
    Path("m.yaml").write_text(PLANAR.replace(given_field, other, 1), encoding="utf-8")
    code, _, err = call(verb[0], "m.yaml", "--quiet", *verb[1:])
    assert code == 2
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_points_that_coincide_but_for_rounding_are_no_length(call: Call) -> None:
    """0.1 + 0.2 is not 0.3: the two hinges of the bar are one point, and its size is not 5e-17 m."""
    text = """
space: planar
bodies:
  bar: {mass: 1, inertia: 1, position: [1, 0]}
joints:
  A: {type: revolute, a: {body: ground, point: [1.3, 0]}, b: {body: bar, point: [0.1 + 0.2, 0]}}
  B: {type: revolute, a: {body: ground, point: [1.3, 0]}, b: {body: bar, point: [0.3, 0]}}
"""
    Path("m.yaml").write_text(text, encoding="utf-8")
    code, out, err = call("show", "m.yaml", "--json")
    assert code == 0, err
    assert json.loads(out)["length"] > 0.1
