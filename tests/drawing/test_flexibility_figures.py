"""Pictures of flexible parts, tolerances, deformed shapes and self-stresses."""

from __future__ import annotations

from pathlib import Path

import pytest

import reactio
from reactio.drawing.plots.deformed import draw_deformed, draw_self_stress
from reactio.drawing.plots.flexibility import draw_certificate, draw_tornado
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.flexibility.deformation import deformation
from reactio.flexibility.instant import instant
from reactio.flexibility.sensitivity import tolerance


@pytest.fixture(scope="module")
def door() -> reactio.Model:
    return reactio.load("door", hinges=2, bushings=1, misfit=1e-4)


def words(path: Path) -> str:
    """The letters of a picture; Matplotlib keeps each text as a comment beside its outline."""
    return path.read_text(encoding="utf-8")


def test_bars_name_every_part(door: reactio.Model, tmp_path: Path) -> None:
    text = words(draw_certificate(flexible(door), tmp_path / "bars.svg"))
    assert "hinge1" in text
    assert "share of the self-stress energy [%]" in text


def test_the_tornado_says_worst_case_and_tolerances(door: reactio.Model, tmp_path: Path) -> None:
    loads = tolerance(door, {"hinge2.z": 1e-4, "hinge1.x": 1e-4})
    text = words(draw_tornado(loads, "hinge1", 2, "Fz", tmp_path / "tornado.svg"))
    assert "hinge2.z ± 0.1 mm" in text
    assert "worst case ± 250 N" in text


def test_the_deformed_shape_says_its_scale(door: reactio.Model, tmp_path: Path) -> None:
    found = deformation(door)
    used = draw_deformed(found, tmp_path / "door.svg", validity=flexible(door).validity)
    text = words(tmp_path / "door.svg")
    assert f"displacements × {used:g}" in text
    assert "elastic rotation" in text
    assert draw_deformed(found, tmp_path / "door.png", scale=10.0) == 10.0


def test_the_self_stress_is_drawn_on_coloured_parts(door: reactio.Model, tmp_path: Path) -> None:
    here, found = instant(door), flexible(door)
    draw_self_stress(here, found, tmp_path / "stress.svg", which=2)
    text = words(tmp_path / "stress.svg")
    assert "self-stress 2 of 5" in text
    assert "#b2182b" in text.lower()
    with pytest.raises(ReactioError, match="5 self-stresses; there is no number 6"):
        draw_self_stress(here, found, tmp_path / "stress.svg", which=6)
