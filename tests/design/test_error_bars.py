"""Error bars against springs in a row."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError

DOOR = reactio.load("door", hinges=2, bushings=1)


def test_a_misfit_of_two_hinges_in_line_is_taken_by_two_springs_in_a_row() -> None:
    off = 1e-4
    k = DOOR.joint("hinge1").elastic.stiffness[2]
    bars = reactio.error_bars(DOOR, {"hinge2.z": off, "hinge1.z": off})
    bar = bars["hinge1.Fz"]
    assert bar.nominal == pytest.approx(25 * 9.81 / 2)  # two equal springs bear the weight
    assert bar.worst == pytest.approx(k / 2 * 2 * off)
    assert bar.rss == pytest.approx(k / 2 * np.sqrt(2) * off)
    assert dict(bar.dominant) == pytest.approx({"hinge1.z": 0.5, "hinge2.z": 0.5})


def test_a_default_holds_for_every_seat() -> None:
    bars = reactio.error_bars(DOOR, {"hinge1.z": 0.0}, default="0.05 mm, 0.1 mrad")
    assert len(bars.tolerances) == 12
    assert bars.tolerances["hinge1.z"] == 0.0
    assert bars.tolerances["hinge2.z"] == pytest.approx(5e-5)
    assert bars.tolerances["hinge2.about_x"] == pytest.approx(1e-4)


@pytest.mark.parametrize(
    ("source", "given", "words"),
    [
        (DOOR, {"hinge1.z": -1e-4}, "tolerance of 'hinge1.z' is -0.0001"),
        (DOOR, {}, "No tolerance is given"),
        (reactio.load("door", hinges=2), {"hinge1.z": 1e-4}, "Give joints a `stiffness`"),
        (DOOR, {"hinge9.z": 1e-4}, "no joint 'hinge9'"),
    ],
)
def test_bad_tolerances_are_refused(source: reactio.Model, given: dict[str, float], words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        reactio.error_bars(source, given)
