"""Singular poses that a run has passed, found on its own steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.shared_models import DRIVEN_PARALLELOGRAM

import reactio as ro
from reactio import kernels
from reactio.drawing.plots.run import plot_run
from reactio.integrate.checkpoint import Checkpoint
from reactio.kernels import CodeUse, machine_code_use
from reactio.simulation import passages as room
from reactio.system.types import System


@pytest.mark.parametrize(
    ("name", "until", "options"),
    [
        ("double-four-bar", 3.0, {}),
        ("double-four-bar", 3.0, {"output": 5}),  # rows that are not the steps
        ("double-four-bar", 1.0, {"method": "radau5", "tol": 1e-8}),
        ("modified-triple-four-bar", 3.0, {}),
        ("scissor-lattice", 1.0, {}),  # several motions open at once
        ("bricard", 1.0, {}),  # none: shaky all the way
    ],
)
def test_same_as_the_study(name: str, until: float, options: dict[str, Any]) -> None:
    """The study locates them by a motion of its own, at tighter tolerance, and to rounding."""
    system = ro.build(ro.load(name))
    study = ro.singularities(system, until).events
    found = ro.simulate(system, until, **options).singular_passages.found
    assert [p.motions for p in found] == [e.rank_after - e.rank_at for e in study]
    # 1e-6 s is what is promised; the motions themselves differ by their tolerances, 1e-8 at most.
    np.testing.assert_allclose([p.t for p in found], [e.t for e in study], atol=1e-6)


@pytest.mark.parametrize(("speed", "until"), [(1, 10.0), (200, 0.05)])
def test_none_is_missed_between_long_steps(speed: int, until: float) -> None:
    """A parallelogram at constant speed takes steps of more than a radian, and lies flat at (k π − 1)/ω."""
    text = DRIVEN_PARALLELOGRAM.replace("function: 1*t", f"function: {speed}*t")
    run = ro.simulate(ro.parse_model(text), until)
    assert run.steps < 20
    expected = (np.pi * np.arange(1, 10) - 1) / speed
    found = run.singular_passages.found
    assert {p.motions for p in found} == {1}
    # Located to a part of the window between looks; the drive leaves the motion no error of its own.
    np.testing.assert_allclose([p.t for p in found], expected[expected <= until], atol=1e-9 / speed)


def test_start_in_a_singular_pose_counts() -> None:
    run = ro.simulate(ro.load("double-four-bar", theta=0), 0.3)
    assert [(p.t, p.motions) for p in run.singular_passages.found] == [(0.0, 2)]


def test_too_much_work_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    run = ro.simulate(ro.load("double-four-bar"), 1.0)
    monkeypatch.setattr(room, "MOST_SAMPLES", run.steps - 1)
    found = run.singular_passages
    assert not found.found
    assert "not located" in found.note
    assert "14 × 15" in found.note


def test_singular_poses_are_drawn_in_every_panel() -> None:
    pytest.importorskip("matplotlib")
    panels = plot_run(ro.simulate(ro.load("double-four-bar"), 1.0)).axes
    labels = [line.get_label() for panel in panels for line in panel.lines]
    assert labels.count("singular pose") == 1
    for panel in panels:
        drawn = [np.asarray(line.get_xdata()) for line in panel.lines]
        # 1e-6 s: as the study has it
        assert [x[0] for x in drawn if len(x) == 2] == [pytest.approx(0.714356, abs=1e-6)]


@pytest.mark.parametrize(("worth", "compiled"), [(1.0, True), (4.0, False)])
def test_a_scan_is_compiled_where_repeating_the_run_is_worth_it(
    worth: float, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run whose first step foresaw too little work is plain Python; its scan knows how much there is, twice."""
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
    run = ro.simulate(ro.load("four-bar-planar"), until=0.1, output=2)
    monkeypatch.delenv("REACTIO_KERNELS")
    monkeypatch.setattr(kernels, "COMPILE_THRESHOLD", worth * run.system.m * run.checkpoint.evaluations)
    used: list[bool] = []

    def begins(system: System, begin: Checkpoint, *_: Any, **__: Any) -> None:
        used.append(machine_code_use() is CodeUse.COMPILED)
        raise KeyboardInterrupt

    monkeypatch.setattr(room, "integrate", begins)
    with pytest.raises(KeyboardInterrupt):
        _ = run.singular_passages
    assert used == [compiled]
