"""Measured cases: misses are seen, and models that predict readings agree with closed forms."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from reactio.joint_reactions.at_state import reactions
from reactio.reproduce import Agreement
from reactio.reproduce.measured import MEASUREMENTS, ford_wheel, wheel_pressed_on_a_road, wheel_pushed_sideways
from reactio.reproduce.measured.measurement import Measurement, PublishedReading
from reactio.reproduce.measured.portal_frame import thrust
from reactio.reproduce.measured.rims_pressed_together import stiffness

GUIDE = Path(__file__).parents[2] / "docs" / "who-bears.md"


def test_a_reading_outside_its_interval_is_a_miss() -> None:
    """2 N ± 1 % predicted, read to 0.1 N: 2.05 is inside, 2.3 outside."""
    readings = tuple(PublishedReading("force", value, 0.05) for value in (2.05, 2.3))
    case = Measurement(
        "case",
        "source",
        "model",
        {"F": (1.98, 2.02)},
        "",
        lambda data: {"force": data["F"]},
        readings,
        "now",
        "why",
        "",
    )
    inside, outside = case.rows()
    assert (inside.status, outside.status) == ("holds", "differs")
    assert outside.note.startswith("outside by 0.23")


def test_misses_are_counted_in_the_guide() -> None:
    """Readings outside by case; the guide states how many lie inside."""
    rows = [row for case in MEASUREMENTS for row in case.rows()]
    misses = Counter(row.where for row in rows if row.status is Agreement.DIFFERS)
    assert misses == {
        "beam on three supports": 4,
        "cantilever truss": 8,
        "rims pressed together": 2,
        "wheel pressed on a road": 5,
        "wheel pushed sideways": 1,
    }
    assert f"{len(rows) - misses.total()} of {len(rows)} readings lie inside" in " ".join(GUIDE.read_text().split())


def test_a_ring_pressed_together() -> None:
    """P / δ = 4 EI / R³ (π − 8/π), Timoshenko; the ring is a polygon of 48 sides."""
    R, EI = 0.304, 111.0
    assert stiffness(R, EI) == pytest.approx(4e-3 * EI / (R**3 * (np.pi - 8.0 / np.pi)), rel=1e-3)


def test_the_thrust_of_a_portal_frame() -> None:
    """H / W = 3 a (b − a) / 2 h (2 h + 3 b), bending alone; shear and length of members change it by 1e-3."""
    h, b, a = 0.6, 0.5, 0.2
    assert thrust(h, b, a) == pytest.approx(3.0 * a * (b - a) / (2.0 * h * (2.0 * h + 3.0 * b)), rel=2e-3)


def test_the_lateral_stiffness_of_a_wheel() -> None:
    """Ford's equivalent springs without tension, 1/K = Σ 1/Kₙ, whose rim does not bend in its plane.

    They smear the spokes over the rim (the polygon of the model has a side for each): 1 %.
    """
    R, EI, GJ = ford_wheel.RIM_RADIUS, 219.0, 26.3
    length = float(np.hypot(R - ford_wheel.HUB_RADIUS, 0.025))
    spokes = ford_wheel.SPOKES * 522e3 / length * (0.025 / length) ** 2  # 2 π R k_uu
    n = np.arange(2, 40)
    bending = np.pi * EI / R**3 * (n**2 - 1) ** 2
    twisting = np.pi * GJ / R**3 * n**2 * (n**2 - 1) ** 2
    modes = spokes / 2.0 + bending * twisting / (bending + twisting)
    springs = 1.0 / (1.0 / spokes + 2.0 / spokes + (1.0 / modes).sum())
    loading, shortening = wheel_pushed_sideways.push(1e-3), wheel_pushed_sideways.SHORTENING
    forces = reactions(ford_wheel.wheel(loading, shortening, 522e3, in_plane=1e4), "compliance")
    assert -(forces["push"].axial or 0.0) / 1e-3 == pytest.approx(springs, rel=0.01)


def test_all_spokes_pull_while_the_wheel_is_pushed() -> None:
    """The prediction holds for all weights: at the least tension and its largest displacement no spoke is slack."""
    loading = wheel_pushed_sideways.push(1.11e-3)
    bent = ford_wheel.wheel(loading, wheel_pushed_sideways.SHORTENING, 522e3, flanges=0.053)
    forces = reactions(bent, "compliance")
    assert min(forces[f"spoke{k}"].axial or 0.0 for k in range(ford_wheel.SPOKES)) > 100.0


def test_the_loaded_spoke_goes_slack_first_and_the_wheel_softer() -> None:
    """Wheel 1: the load keeps its line until the loaded spoke has no tension, and is 5 % below it soon after."""
    tested = wheel_pressed_on_a_road.WHEELS[0]
    displacement, load = wheel_pressed_on_a_road.pressed(tested, 522e3, 111.0)
    slope = np.diff(load) / np.diff(displacement)
    assert (np.diff(slope) < 1e-6 * slope[0]).all()  # parts cease to bear, none begins
    assert slope[-1] < 0.5 * slope[0]
    kink = load[1:][slope < (1.0 - 1e-6) * slope[0]][0]
    onset = wheel_pressed_on_a_road.onset(displacement, load, 0.0)
    assert 2100.0 < kink < onset < 2500.0
    assert onset < wheel_pressed_on_a_road.onset(displacement, load, 0.3e-6) < load[-1]
