"""``reactio simulate`` with events and figures."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reactio

Run = Callable[..., subprocess.CompletedProcess[str]]
RunJson = Callable[..., dict[str, Any]]

MODEL = """
space: planar
gravity: [0, -10]
bodies: {{b: {{mass: 2, inertia: 1, position: [0, 1]}}}}
joints: {{P: {{type: translational, a: {{body: ground, axis: [0, 1]}}, b: b}}}}
events: {{half: {{when: b.y - 0.5, direction: falling, action: {action}}}}}
stops: {{"[floor]": {{along: P, lower: 0, restitution: 0.5}}}}
"""


def write(folder: Path, action: str) -> None:
    (folder / "ball.yaml").write_text(MODEL.format(action=action), encoding="utf-8")


def test_events_for_scripts_and_for_people(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    write(tmp_path, "record")
    data = run_json("simulate", "ball.yaml", "--until", "0.6", "--plot", "out.svg")
    assert (tmp_path / "out.svg").exists()
    assert data["plot"] == "out.svg"
    assert [(e["name"], e["kind"], e["direction"], e["action"]) for e in data["events"]] == [
        ("half", "crossing", "falling", "record"),
        ("[floor]", "stop", "falling", "impact"),
    ]
    assert data["events"][0]["t"] == pytest.approx(0.1**0.5, abs=1e-12)
    assert data["events"][1]["work"] == pytest.approx(-0.75 * 20, rel=1e-12)  # m g h (1 − e²)
    done = run("simulate", "--plot", "ball.yaml", "--until", "5")
    assert done.returncode == 3  # at rest before the end
    assert "come to rest on its end stop" in done.stdout
    assert "[floor]" in done.stdout
    assert "more (--json lists them all)" in done.stdout
    assert (tmp_path / "ball-run.png").exists()


def test_a_run_that_an_event_ends_is_a_success(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "stop")
    done = run("simulate", "ball.yaml", "--until", "5", "--json", "--out", "run.npz")
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert data["status"] == "event"
    assert data["t"] == data["events"][-1]["t"] == pytest.approx(0.1**0.5, abs=1e-12)
    again = json.loads(run("simulate", "ball.yaml", "--until", "0.5", "--resume", "run.npz", "--json").stdout)
    assert [event["name"] for event in again["events"]] == ["half", "[floor]"]


def test_what_is_wrong_with_a_figure_is_said_before_the_run(run: Run, process: Run, tmp_path: Path) -> None:
    write(tmp_path, "record")
    done = run("simulate", "ball.yaml", "--until", "1", "--plot=run.bmp")
    assert done.returncode == 2
    assert "a picture is written as .svg" in done.stderr
    (tmp_path / "matplotlib.py").write_text("raise ImportError", encoding="utf-8")
    done = process("simulate", "ball.yaml", "--until", "1", "--plot", PYTHONPATH=_path(tmp_path))
    assert done.returncode == 2
    assert "pip install 'reactio[plot]'" in done.stderr


def _path(folder: Path) -> str:
    return os.pathsep.join([str(folder), str(Path(reactio.__file__).parents[1])])


STOPPED_ROD = """space: planar
gravity: [0, -9.81]
bodies:
  rod: {mass: 2, inertia: 0.1, position: [0.7, 0]}
  far: {mass: 2, inertia: 0.1, position: [5, 0]}
joints:
  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}
  B: {type: revolute, bodies: [ground, far], at: [4.5, 0]}
stops:
  s: {along: A, lower: -1, restitution: 0.2}
"""


def test_no_reaction_where_an_unknown_stop_pushes(run: Run, tmp_path: Path) -> None:
    """Held by the stop the rod weighs 19.62 N on A; falling freely through the pose it would pull by (−8.09, 14.42)."""
    (tmp_path / "rod.yaml").write_text(STOPPED_ROD, encoding="utf-8")
    done = run("simulate", "rod.yaml", "--until", "3", "--json")
    assert done.returncode == 3
    data = json.loads(done.stdout)
    assert data["status"] == "resting"
    assert data["reactions"]["A"] == {
        "verdict": "not unique", "state": "not unique",
        "force": None, "moment": None, "force_in_joint": None, "moment_in_joint": None,
    }  # fmt: skip
    assert data["reactions"]["B"]["verdict"] == "unique"  # another machine
    assert "stop 's'" in data["notes"][-1]
    assert "reactions of A are not known" in data["notes"][-1]
