"""Pictures of flexible parts and tolerances."""

from __future__ import annotations

from pathlib import Path

import reactio
from reactio.figures.flexibility import draw_certificate, draw_tornado


def test_bars_and_tornado_are_drawn(tmp_path: Path) -> None:
    door = reactio.load("door", hinges=2, bushings=1)
    bars = draw_certificate(reactio.flexible(door), tmp_path / "bars.svg").read_text()
    assert "hinge1" in bars or "<svg" in bars
    loads = reactio.tolerance(door, {"hinge2.z": 1e-4, "hinge1.x": 1e-4})
    assert draw_tornado(loads, "hinge1", 2, tmp_path / "tornado.png").stat().st_size > 1000
