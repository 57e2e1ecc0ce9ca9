"""Figures of runs: what is drawn as a number, as a bar, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.drawing.plots.loads import loads
from reactio.drawing.plots.run import plot_run, turned_angle
from reactio.joint_reactions.data import Reactions
from reactio.simulation.trajectory import Trajectory

BALL = """
space: planar
gravity: [0, -10]
bodies: {b: {mass: 2, inertia: 1, position: [0, 1]}}
joints: {P: {type: translational, a: {body: ground, axis: [0, 1]}, b: b}}
stops: {floor: {along: P, lower: 0, restitution: 0.5}}
"""


@pytest.fixture(scope="module")
def robot() -> Trajectory:
    return reactio.simulate(reactio.load("mobile-robot"), until=2.0, output=6)


def panels(run: Trajectory, **more: Any) -> dict[str, Any]:
    return {axes.get_ylabel().split("\n")[0]: axes for axes in plot_run(run, **more).axes}


def test_what_is_not_unique_has_a_bar_and_no_number(robot: Trajectory) -> None:
    found = panels(robot)
    assert list(found) == [
        "position [m]", "angle [°]", "joint", "reaction force |F| [N]", "reaction moment M [N m]", "not all unique",
        "energy [J]",
    ]  # fmt: skip
    bars = [label.get_text() for label in found["not all unique"].get_yticklabels()]
    assert bars[:6] == ["B", "C", "W1", "W2", "W3", "W4"]  # longest first: others are ambiguous for an instant
    drawn = {line.get_label() for line in found["reaction force |F| [N]"].get_lines()}
    assert drawn == {"A", "D", "E", "F", "G", "H", "steering", "W5"}


def test_flags_decide_what_has_a_number(robot: Trajectory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that stands where a reaction is not unique is not shown: no number says whether it may be believed."""
    judged = Trajectory.reactions_at

    def invented(run: Trajectory, row: int) -> Reactions:
        found = judged(run, row)
        one = found["B"]
        found._looked_up["B"] = replace(one, force=np.ones_like(one.force), moment=np.ones_like(one.moment))
        return found

    monkeypatch.setattr(Trajectory, "reactions_at", invented)
    found = loads(robot, ["A", "B"])
    assert found.masked["B"].all()
    # Just after the steering begins, products of its small angle lie below rounding: A is ambiguous.
    where = found.masked["A"]
    assert ((found.t[where] > 1.0) & (found.t[where] < 1.07)).all()
    assert [load.name for load in found.forces] == ["A"]


def test_numbers_by_a_rule_are_dashed_and_carry_its_name() -> None:
    run = reactio.simulate(reactio.load("mobile-robot"), until=2.0, output=4, rule="inertia")
    found = panels(run, select=("A", "W3"))
    lines = {line.get_label(): line.get_linestyle() for line in found["reaction force |F| [N]"].get_lines()}
    assert lines == {"A": "-", "A (by inertia)": "--", "W3 (by inertia)": "--"}  # A where it is ambiguous only
    assert "not all unique" not in found


def test_selection_is_checked(robot: Trajectory) -> None:
    with pytest.raises(reactio.ReactioError, match="no joint, drive or coupling 'W9'"):
        loads(robot, ["W9"])


def test_smooth_rows_keep_jumps_and_the_balance() -> None:
    run = reactio.simulate(reactio.parse_model(BALL), until=1.0)
    fine = run.denser(400)
    assert len(fine.t) >= 400
    for one, other in zip(run.events[:3], fine.events[:3], strict=True):
        # The rows on both sides of the impact, which a second run reaches with the same steps but for the last one.
        assert fine.q[other.row] == pytest.approx(run.q[one.row], abs=1e-12)
        assert fine.v[other.row + 1] == pytest.approx(run.v[one.row + 1], abs=1e-11)
    assert fine.energy.error < 1e-11
    assert list(panels(run)) == ["position [m]", "angle [°]", "joint", "energy [J]"]  # a reaction of rounding is none


@pytest.mark.parametrize(("suffix", "head"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_figures_are_written_in_the_format_of_their_name(tmp_path: Path, suffix: str, head: bytes) -> None:
    run = reactio.simulate(reactio.parse_model(BALL), until=0.9, output=5)
    plot_run(run, tmp_path / f"run{suffix}")
    assert (tmp_path / f"run{suffix}").read_bytes().startswith(head)
    with pytest.raises(reactio.ReactioError, match=r"a picture is written as \.svg"):
        plot_run(run, tmp_path / "run.bmp")


def test_without_constraints_there_are_no_reactions() -> None:
    text = "{space: spatial, bodies: {b: {mass: 1, inertia: [1, 2, 3], angular_velocity: [1, 2, 3]}}}"
    run = reactio.simulate(reactio.parse_model(text), until=1.0, output=3)
    assert list(panels(run)) == ["position [m]", "turned about its main", "energy [J]"]
    assert np.isfinite(run.energy.total).all()


def test_turns_are_counted_on() -> None:
    """A crank that turns three times about a tilted axis, with its sign and over ±q, which are the same turn."""
    t = np.linspace(0.0, 1.0, 61)
    axis = np.array([1.0, 2.0, 2.0]) / 3
    half = 3 * np.pi * t
    quaternions = np.column_stack([np.cos(half), np.outer(np.sin(half), axis)])
    quaternions[1::2] *= -1
    assert turned_angle(quaternions) == pytest.approx(6 * np.pi * t, abs=1e-12)  # sums of sixty rounded steps
    assert not turned_angle(np.tile(quaternions[:1], (5, 1))).any()


def test_numbers_at_peaks_that_lie_together_are_written_once() -> None:
    """Two equal doors on one hinge each carry the same weight: one number for both peaks, away from the curve."""
    doors = reactio.parse_model(
        """
space: planar
gravity: [0, -9.81]
bodies: {a: {mass: 2, inertia: 1, position: [0.5, 0]}, b: {mass: 2, inertia: 1, position: [0.5, 0]}}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  B: {type: revolute, bodies: [ground, b], at: [0, 0]}
""",
        "doors.yaml",
    )
    found = panels(reactio.simulate(doors, until=1.0, output=20))["reaction force |F| [N]"]
    assert len(found.collections) == 2  # a dot at each peak
    assert len(found.texts) == 1


def test_contacts_that_open_are_marked() -> None:
    """A force that grows lifts a ball off the floor."""
    text = """
space: planar
gravity: [0, -10]
bodies: {ball: {mass: 1, inertia: 0.1, position: [0, 0.5]}}
contacts: {floor: {type: disc-on-line, line: ground, center: ball, radius: 0.5}}
forces: {lift: {type: force, at: ball, force: [0, 100*t]}}
"""
    run = reactio.simulate(reactio.parse_model(text), 0.2)
    assert [event.t for event in run.events] == [pytest.approx(0.1, abs=1e-6)]  # when it carries the weight
    for panel in plot_run(run).axes:
        assert "--" in {
            line.get_linestyle() for line in panel.lines if np.ravel(line.get_xdata()).tolist() == [run.events[0].t] * 2
        }
