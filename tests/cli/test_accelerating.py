"""Where a mechanism accelerates in its pose, its reactions are said to be those of that motion."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import reactio
from reactio.joint_reactions.accelerating import acceleration_words

Call = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("driven", [None, "0", "5*t"])
def test_a_bar_at_rest_or_turning_evenly_about_its_centre_says_nothing(driven: str | None) -> None:
    model = reactio.Model.new("wheel", space="planar", gravity=[0, -9.81]).body("wheel", mass=3, inertia=1)
    model = model.joint("pin", "revolute", bodies=["ground", "wheel"], at=[0, 0])
    if driven is not None:
        model = model.drive("motor", "pin", driven)
    assert acceleration_words(reactio.reactions(model)) == ()


def test_a_falling_bar_names_its_acceleration() -> None:
    """A bar of 2 m on a pin at its end, held level: ω̇ = m g l / (m l² + J) = 29.43/4 rad/s²."""
    model = reactio.Model.new("bar", space="planar", gravity=[0, -9.81])
    model = model.body("bar", mass=3, inertia=1, position=[1, 0])
    model = model.joint("pin", "revolute", bodies=["ground", "bar"], at=[0, 0])
    (words,) = acceleration_words(reactio.reactions(model))
    assert "(bar most, by 7.36 m/s² and 7.36 rad/s²)" in words
    assert "`reactio equilibrium` computes those at rest" in words


def test_a_motor_that_starts_names_the_acceleration_of_its_wheel() -> None:
    model = reactio.Model.new("wheel", space="planar", gravity=[0, -9.81]).body("wheel", mass=3, inertia=1)
    model = model.joint("pin", "revolute", bodies=["ground", "wheel"], at=[0, 0]).drive("motor", "pin", "2*t**2")
    (words,) = acceleration_words(reactio.reactions(model))
    assert "(wheel most, by 4 rad/s²)" in words


def test_commands_say_so_once_and_static_poses_say_nothing(call: Call) -> None:
    for options in ((), ("--body", "crank"), ("--compare",)):
        code, out, _ = call("reactions", "four-bar-planar", *options)
        assert code == 0
        assert out.count("The mechanism accelerates in this pose") == 1
    code, out, _ = call("reactions", "door", "--json")
    assert code == 0
    assert not any("accelerates" in note for note in json.loads(out)["notes"])
