"""Every command takes ``--at``, ``--until`` and ``--axes`` where they make sense, and says here where they do not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
import typer

from reactio.cli.command import VERBS, command_line

Run = Callable[..., subprocess.CompletedProcess[str]]

FILE = "it is about the model as a file"
OVER_RUN = "it is about a whole motion"
# Why a command that reads a model does without an option.
WITHOUT = {
    ("check", "--until"): "--along RUN judges the states of a run",
    ("reactions", "--until"): "simulate has the reactions of a motion",
    ("flexible", "--until"): "sensitivity --until has the motion",
    ("advise", "--axes"): "it proposes joints, not components",
    ("measure", "--at"): "readings have times of their own",
    ("measure", "--until"): "readings have times of their own",
    ("measure", "--axes"): "sensors stand in the axes of their joints",
    ("envelope", "--at"): OVER_RUN,
    ("engage", "--at"): "a load grows in the pose of the file",
    ("engage", "--until"): "a load grows in the pose of the file",
    ("engage", "--axes"): "it lists sizes of forces",
    ("tolerances", "--until"): "error bars are those of an instant",
    ("live", "--at"): "the page moves the model itself",
    ("live", "--until"): "the page moves the model itself",
    ("live", "--axes"): "the page has both",
    ("draw", "--until"): "simulate --plot draws a motion",
    ("draw", "--axes"): "it draws geometry",
    ("import", "--at"): FILE,
    ("import", "--until"): FILE,
    ("import", "--axes"): FILE,
    ("export", "--at"): FILE,
    ("export", "--until"): FILE,
    ("export", "--axes"): FILE,
    ("show", "--until"): "it shows an instant",
    ("show", "--axes"): "it lists coordinates, not components",
    ("assemble", "--until"): "a pose is that of an instant",
    ("assemble", "--axes"): "it lists poses",
    ("equilibrium", "--until"): "rest has no duration",
    ("mobility", "--until"): "singular --until has the motion",
    ("mobility", "--axes"): "motions of bodies are in world axes",
    ("generic", "--at"): "it is about all dimensions at once",
    ("generic", "--until"): "it is about all dimensions at once",
    ("generic", "--axes"): "it is about all dimensions at once",
    ("simulate", "--at"): OVER_RUN,
    ("singular", "--at"): OVER_RUN,
    ("singular", "--axes"): "it lists ranks",
}
READING = {"source", "first"}


def options_of(name: str) -> set[str]:
    """The names of all arguments and options of a verb."""
    group = typer.main.get_command(command_line(name))
    command = group.commands[name]  # type: ignore[attr-defined]
    return {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize("name", [name for name, _ in VERBS])
def test_every_verb_has_the_option_or_a_reason(name: str) -> None:
    known = options_of(name)
    if not known & READING:
        pytest.skip("it reads no model")
    missing = {option for option in ("--at", "--until", "--axes") if option not in known}
    reasons = {option for (verb, option), reason in WITHOUT.items() if verb == name and reason}
    assert missing == reasons


INSTANT = [
    ("show slider-crank", lambda data: data["coordinates"]["A.rotation"]["value"]),
    ("bounds four-bar-spatial", lambda data: data["bounds"]["A"]["Fx"]["low"]),
    ("reactions four-bar-spatial", lambda data: data["reactions"]["A"]["force"][0]),
]


@pytest.mark.parametrize(("command", "number"), INSTANT)
def test_another_instant_has_other_numbers(run: Run, command: str, number: Callable[[dict[str, Any]], float]) -> None:
    values = [number(json.loads(run(*command.split(), *at, "--json").stdout)) for at in ((), ("--at", "0.1"))]
    assert abs(values[0] - values[1]) > 1e-6


WORLD = [
    ("bounds four-bar-spatial --at 0.1", lambda data: data["bounds"]["B"]["Fx"]["low"]),
    ("bounds four-bar-spatial --until 0.1 --samples 3", lambda data: data["bounds"]["B"]["Fx"]["low"]),
    ("envelope four-bar-spatial --until 0.05 --rows 5", lambda data: next(
        load["largest"] for load in data["loads"] if (load["joint"], load["part"]) == ("B", "Fx"))),
]  # fmt: skip


@pytest.mark.parametrize(("command", "number"), WORLD)
def test_world_axes_have_other_numbers(run: Run, command: str, number: Callable[[dict[str, Any]], float]) -> None:
    values = [number(json.loads(run(*command.split(), "--axes", axes, "--json").stdout)) for axes in ("joint", "world")]
    assert abs(values[0] - values[1]) > 1e-3
