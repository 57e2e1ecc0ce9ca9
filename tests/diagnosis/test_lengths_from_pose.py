"""Contacts without a given sum of radii: the length that was taken is reported, and kept where a model is written."""

from __future__ import annotations

from typing import Any

import pytest

import reactio
from reactio.diagnosis.cause import RedundancyCauses
from reactio.kinematics import assemble as room
from reactio.kinematics.body_state import model_at
from reactio.kinematics.close import descend
from reactio.system.equations import equations

BALLS = """space: SPACE
gravity: GRAVITY
bodies: {ball: {mass: 1, inertia: INERTIA, position: AT}}
joints:
  touch: {type: TYPE, a: ground, b: ball}
  again: {type: TYPE, a: ground, b: ball}
"""
SPACES = {
    "planar": {"GRAVITY": "[0, -9.81]", "INERTIA": "1", "AT": "[0, 2]"},
    "spatial": {"GRAVITY": "[0, 0, -9.81]", "INERTIA": "[1, 1, 1]", "AT": "[0, 0, 2]"},
}


@pytest.mark.parametrize("kind", ["contact-distance", "rough-distance, radius: 1"])
@pytest.mark.parametrize("space", SPACES)
def test_the_length_of_a_contact_is_said_and_kept(space: str, kind: str) -> None:
    text = BALLS.replace("SPACE", space).replace("TYPE", kind)
    for word, value in SPACES[space].items():
        text = text.replace(word, value)
    system = reactio.build(reactio.parse_model(text))
    notes = " ".join(reactio.check(system).notes)
    assert "touch.length = 2 m, again.length = 2 m" in notes
    eqs = equations(system)
    written = model_at(system, eqs.state)
    assert [joint.parameters["length"] for joint in written.joints] == [2.0, 2.0]
    assert "length = 2 m" not in " ".join(reactio.check(written).notes)
    assert RedundancyCauses(eqs).of().total == eqs.solvability.redundancy  # frames are moved: lengths follow


def test_a_cable_without_a_length_bears_at_the_given_pose() -> None:
    """A cable has no radii and does not touch: its note says that it bears."""
    text = BALLS.replace("SPACE", "planar").replace("TYPE", "cable").replace("[0, 2]", "AT")
    for word, value in (SPACES["planar"] | {"AT": "[0, -2]"}).items():
        text = text.replace(word, value)
    notes = " ".join(reactio.check(reactio.parse_model(text)).notes)
    assert "cables and struts are assumed to be loaded: touch.length = 2 m, again.length = 2 m" in notes
    assert "radii" not in notes
    assert "assumed to touch" not in notes


def test_a_pose_that_does_not_close_nearby_is_not_searched_far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two balls held at their distance along a line: no displacement is real, and restarts would all be in vain."""
    text = BALLS.replace("SPACE", "planar").replace("TYPE", "distance").replace("joints:", "joints:\n  rod: ROD")
    text = text.replace("ROD", "{type: distance, a: {body: ground, point: [0, 4]}, b: ball}")
    for word, value in SPACES["planar"].items():
        text = text.replace(word, value)
    system = reactio.build(reactio.parse_model(text))
    eqs = equations(system)
    starts: list[int] = []

    def counted(*args: Any, **given: Any) -> Any:
        starts.append(1)
        return descend(*args, **given)

    monkeypatch.setattr(room, "descend", counted)
    for motion in eqs.solvability.T.T:
        starts.clear()
        room.displaced_pose(system, eqs.state, 0.05 * motion)
        assert len(starts) == 1
