"""Figures: what is in them, as text; no pixels are compared."""

from __future__ import annotations

import builtins
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.drawing.figure import save_figure
from reactio.drawing.style import STYLES


def svg(path: Path, name: str, **more: Any) -> str:
    save_figure(reactio.draw(reactio.load(name), **more), path / "picture.svg")
    text = (path / "picture.svg").read_text(encoding="utf-8")
    ET.fromstring(text)
    return text


def test_names_and_verdicts_are_in_the_picture(tmp_path: Path) -> None:
    text = svg(tmp_path, "mobile-robot")
    for word in ("W1", "W5", "unique", "partly unique", "not unique"):
        assert f">{word}<" in text
    for verdict in ("unique", "partly unique", "not unique"):
        assert STYLES[verdict].colour.lower() in text.lower()


def test_verdicts_differ_without_colour() -> None:
    shapes = [(style.filled, style.sign) for style in STYLES.values()]
    assert len(set(shapes)) == len(shapes)
    assert len({style.mark for style in STYLES.values()}) == len(shapes)


def test_the_same_model_gives_the_same_file(tmp_path: Path) -> None:
    assert svg(tmp_path, "door") == svg(tmp_path, "door")


def test_self_stress_and_motion_add_to_the_picture(tmp_path: Path) -> None:
    plain = svg(tmp_path, "four-bar-spatial")
    assert "#aa3377" not in plain.lower()
    assert "#aa3377" in svg(tmp_path, "four-bar-spatial", self_stress=1).lower()
    assert svg(tmp_path, "four-bar-spatial", motion=1).count("<path") > plain.count("<path")


@pytest.mark.parametrize("wrong", [{"self_stress": 4}, {"self_stress": 0}, {"motion": 2}])
def test_numbers_out_of_range_say_how_many_there_are(wrong: dict[str, int]) -> None:
    with pytest.raises(reactio.ReactioError, match="numbered from 1"):
        reactio.draw(reactio.load("four-bar-spatial"), **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", ["pdf", "png"])
def test_other_formats(tmp_path: Path, suffix: str) -> None:
    save_figure(reactio.draw(reactio.load("sarrus")), tmp_path / f"picture.{suffix}")
    assert (tmp_path / f"picture.{suffix}").read_bytes()[:4] in (b"%PDF", b"\x89PNG")
    with pytest.raises(reactio.ReactioError, match=r"\.svg, \.pdf, \.png"):
        save_figure(reactio.draw(reactio.load("sarrus")), tmp_path / "picture.gif")


def test_page_needs_no_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    made = reactio.report(reactio.load("door"))
    for form in ("html", "md", "json"):
        made.save(tmp_path / f"door.{form}")
    with pytest.raises(reactio.ReactioError, match=r"reactio\[plot\]"):
        made.save(tmp_path / "door.pdf")
    with pytest.raises(reactio.ReactioError, match=r"reactio\[plot\]"):
        reactio.draw(reactio.load("door"))


@pytest.mark.parametrize("name", ["spatial-parallelogram", "rail-four-carriages", "door", "sarrus"])
def test_gravity_axes_and_scale_leave_the_mechanism_alone(name: str) -> None:
    """All that is drawn in metres lies right of the strip on the left and above the words, inside the axes."""
    from reactio.drawing.annotations import LINE_HEIGHT, STRIP

    figure = reactio.draw(reactio.load(name))
    figure.draw_without_rendering()
    axes = figure.axes[0]
    (left, low), (right, high) = axes.transData.transform([axes.dataLim.min, axes.dataLim.max])
    slot, points = axes.get_window_extent(), figure.dpi / 72
    lines = max((text.get_text().count("\n") + 1 for text in axes.texts if "longest" in text.get_text()), default=0)
    slack = 2 * points  # names beside joints may move the axes by as much
    assert left >= slot.x0 + STRIP * points - slack
    assert low >= slot.y0 + LINE_HEIGHT * lines * points - slack
    assert right <= slot.x1 + slack
    assert high <= slot.y1 + slack
    across = axes.transData.transform([[0.0, 0.0], [1.0, 1.0]])
    assert across[1, 0] - across[0, 0] == pytest.approx(across[1, 1] - across[0, 1])  # one scale in both directions
