"""Level 1 drawn on a run that vibrates."""

from __future__ import annotations

from pathlib import Path

import pytest

import reactio
from reactio.drawing.plots.levels import draw_levels
from reactio.errors import ReactioError
from reactio.model.transform.floating_frames import with_modes
from reactio.simulation.start import vibration_notes

from ..shared_models import beam_on_three_supports

PUSH = "{type: force, at: {body: beam, point: [0.25, 0]}, force: [0, {harmonic: {amplitude: 20, frequency: 100}}]}"
BEAM = beam_on_three_supports(2.1e10, rest=f"forces: {{push: {PUSH}}}")


def test_forces_of_both_levels_are_drawn(tmp_path: Path) -> None:
    model = reactio.parse_model(BEAM)
    run = reactio.simulate(with_modes(model, {"count": 0, "damping": 0.0}), until=1e-3, tol=1e-3, output=3)
    assert draw_levels(model, run, tmp_path / "levels.svg", ["middle"]).stat().st_size > 0
    with pytest.raises(ReactioError, match="Did you mean 'middle'"):
        draw_levels(model, run, tmp_path / "levels.svg", ["midle"])


def test_modes_that_a_load_would_swing_are_named_where_they_only_follow() -> None:
    """The second mode of the free beam has 93 Hz; the load swings with 100 Hz."""
    model = reactio.parse_model(BEAM)
    one = vibration_notes(reactio.build(with_modes(model, {"count": 1, "damping": 0.01})))
    assert any("'push' (force) oscillates at 100 Hz" in note and "93.31 Hz" in note for note in one)
    many = vibration_notes(reactio.build(with_modes(model, {"up_to": 300.0, "damping": 0.01})))
    assert not any("swings" in note for note in many)


def test_rigid_models_have_no_modes() -> None:
    with pytest.raises(ReactioError, match="no flexible body"):
        with_modes(reactio.load("four-bar-planar"), {"count": 1, "damping": 0.0})
