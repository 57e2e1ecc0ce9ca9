"""Joint coordinates in reports and plots."""

from __future__ import annotations

import numpy as np
import pytest

import reactio as ro
from reactio.drawing.plots.run import plot_run
from reactio.reporting.as_json import to_data
from reactio.reporting.html import to_html
from reactio.reporting.markdown import to_markdown


def test_a_report_has_joint_coordinates_at_its_state_and_along_its_run() -> None:
    model = ro.load("slider-crank")
    run = ro.simulate(model, until=0.2)
    page = ro.report(model, run=run)
    crank = to_data(page)["coordinates"]["A.rotation"]
    assert crank["rate"] == pytest.approx(100.0)
    assert crank["values"][-1] == pytest.approx(crank["value"] + 20.0)  # 100 rad/s for 0.2 s, counted over full turns
    stroke = run.coordinate("D.translation").value
    text = to_markdown(page)
    assert f"| {np.max(stroke):.2g}"[:6] in text
    assert "id='coordinates'" in to_html(page)
    assert "<polyline" in to_html(page)
    assert "<td class='n'>−" in to_html(page)
    assert "<td class='n'>-" not in to_html(page)
    assert "In time" not in to_html(ro.report(model))  # no run, no curves


def test_a_plot_has_panels_of_angles_and_strokes() -> None:
    run = ro.simulate(ro.load("slider-crank"), until=0.02)
    labels = [panel.get_ylabel() for panel in plot_run(run).axes]
    assert "joint\ncoordinate [°]" in labels
    assert "joint\ncoordinate [m]" in labels
