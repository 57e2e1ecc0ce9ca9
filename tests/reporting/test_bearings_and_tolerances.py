"""A report on a belt drive in mm: life of its bearings, effects of tolerances, its belt, two reports side by side."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.arrays import Floats
from reactio.drawing.frames import axes, origins, placed
from reactio.drawing.parts import FramePoint, PartRole
from reactio.drawing.scene import scene
from reactio.reporting.as_json import to_data
from reactio.reporting.html import to_html
from reactio.reporting.markdown import to_markdown
from reactio.reporting.words import folded

K = "{x: 5e4, y: 5e4, z: 5e4, about_x: 1e9, about_y: 1e9}"
DRIVE = f"""\
space: spatial
units: mm
gravity: [0, 0, -9810]
bodies:
  shaft: {{mass: 5, inertia: [2e4, 3e3, 2e4], position: [0, 0, 0]}}
  motor: {{mass: 2, inertia: [2e3, 1e3, 2e3], position: [300, 0, 0]}}
joints:
  left: {{type: hinge, bodies: [ground, shaft], at: [0, -150, 0], axis: y, stiffness: {K}, bearing: {{C: 14e3, p: 3}}}}
  right: {{type: hinge, bodies: [ground, shaft], at: [0, 150, 0], axis: y, stiffness: {K}, bearing: {{C: 14e3, p: 3}}}}
  axle: {{type: hinge, bodies: [ground, motor], at: [300, 0, 0], axis: y}}
couplings:
  belt: {{type: belt, joints: [axle, left], radius_1: 40, radius_2: 80}}
drives:
  speed: {{joint: axle, function: 30*t}}
forces:
  pull: {{type: force, at: shaft, force: [400, 0, 0]}}
tolerances:
  right: {{z: 0.05}}
"""


@pytest.fixture(scope="module")
def made() -> ro.Report:
    system = ro.build(ro.parse_model(DRIVE), vibration=False)
    return ro.report(system, run=ro.simulate(system, 0.1, rule="compliance", output=5), rule="compliance")


def test_bearings_have_their_life(made: ro.Report) -> None:
    """Each bears half of 400 N and of the weight: P = ½ √(400² + 49.05²), L10 = (C/P)³ million revolutions."""
    load = math.hypot(400.0, 5 * 9.81) / 2
    for life in made.lives:
        assert life.mean_load == pytest.approx(load, rel=1e-9)  # a sum and a root over the run
        assert life.millions == pytest.approx((14e3 / load) ** 3, rel=1e-9)
    assert {life.joint for life in made.lives} == {"left", "right"}
    assert "mean load of 201.5 N" in to_markdown(made)
    assert "Life of bearings" in to_html(made)


def test_tolerances_are_bars(made: ro.Report) -> None:
    """The right seat ± 0.05 mm along the shaft, against two springs of 5e4 N/mm in series: ± 1250 N."""
    assert made.error_bars is not None
    assert made.error_bars["right.Fz"].worst == pytest.approx(1250.0, rel=1e-9)
    page = to_html(made)
    assert "Effect of tolerances on" in page
    assert "± 1250 N" in page
    assert to_data(made)["error_bars"]["schema"] == "reactio.error_bars/1"


def test_the_drawing_comes_before_the_text(made: ro.Report) -> None:
    page = to_html(made)
    assert page.index('id="canvas"') < page.index("What this means") < page.index('id="rank"')


@pytest.mark.parametrize("second", [80.0, -80.0])
def test_the_spans_of_a_belt_touch_both_pulleys(second: float) -> None:
    """A span is normal to the radii at both of its ends, open or crossed."""
    eqs = ro.equations(ro.build(ro.parse_model(DRIVE.replace("radius_2: 80", f"radius_2: {second}"))))
    spans = list(_spans(eqs))
    assert len(spans) == 2
    axle, shaft = np.array([0.3, 0.0, 0.0]), np.array([0.0, 0.0, 0.0])
    for a, b in spans:
        flat_a, flat_b = a * [1, 0, 1], b * [1, 0, 1]
        assert np.linalg.norm(flat_a - axle) == pytest.approx(0.04, rel=1e-12)  # a product of two rotations
        assert np.linalg.norm(flat_b - shaft) == pytest.approx(0.08, rel=1e-12)
        assert (flat_b - flat_a) @ (flat_a - axle) == pytest.approx(0.0, abs=1e-15)
    (a, b), (c, d) = spans
    crossed = np.sign(a[2] * b[2]) == np.sign(c[2] * d[2]) == -1
    assert crossed == (second < 0)


def _spans(eqs: ro.Equations) -> Iterator[list[Floats]]:
    frames = placed(eqs)

    def place(point: FramePoint) -> Floats:
        frame = frames[point.frame]
        return np.asarray(origins(frame) + axes(frame).T @ [point.x, point.y, point.z])

    for part in scene(eqs).parts:
        if part.name == "belt" and part.role == PartRole.DRIVE and len(part.points) == 2:
            yield [place(point) for point in part.points]


def test_names_that_count_on_are_folded() -> None:
    assert folded(["bolt1", "bolt2", "bolt3", "bolt10", "bolt11"]) == ["bolt1 … bolt3", "bolt10", "bolt11"]
    assert folded(["A", "B", "2"]) == ["A", "B", "2"]


def test_a_comparison_shows_both_reports(made: ro.Report, tmp_path: Path) -> None:
    from reactio.reporting.compare_page import compare_page

    page = compare_page(["before", "after"], [], "", "", lambda part, side: "", "joint", [made, made])
    assert page.count("<iframe") == 2
    assert "&lt;canvas" in page


def test_arrows_of_two_reports_have_one_scale() -> None:
    """A force of 10 N next to one of 1000 N is drawn as what it is."""
    from reactio.reporting.compare_page import compare_page

    reports = [ro.report(ro.load("door", mass=mass), rule="inertia") for mass in (1.0, 100.0)]
    page = unescape(compare_page(["light", "heavy"], [], "", "", lambda part, side: "", "joint", reports))
    light, heavy = (json.loads(text) for text in re.findall(r'"scales": ?(\{[^}]*\})', page))
    assert light == heavy
    assert light["force"] > 100.0
    assert "function fit()" in page
