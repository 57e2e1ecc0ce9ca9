"""Bearings: geometry to nonlinear stiffness, clearance by class, static safety and life."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk
from typer.testing import CliRunner

import reactio
from reactio.bearings import BEARINGS, LINE, POINT, equivalent_static_load
from reactio.bearings.clearance import BALL_CLEARANCE, ROLLER_CLEARANCE, ClearanceTable
from reactio.cli.app import app
from reactio.errors import ReactioError

SHAFT = """
space: planar
gravity: [0, 0]
bodies: {{plate: {{mass: 1, inertia: 1, position: [0, 0]}}}}
joints:
  guide: {{type: translational, a: ground, b: plate}}
  rod: {{type: distance, a: {{body: ground, point: [-1, 0]}}, b: plate, stiffness: 1e8}}
  bearing: {{type: revolute, a: ground, b: plate, bearing: {{{bearing}}}{more}}}
forces: {{pull: {{type: force, at: plate, force: [{load}, 0]}}}}
"""
BALLS = "type: deep-groove, Z: 9, Dw: 7.938 mm, C: 14e3, C0: 7.8e3"


def forces(bearing: str, load: float = 5000.0, more: str = "") -> tuple[float, float]:
    """Forces of the rod and of the bearing against the load."""
    model = reactio.parse_model(SHAFT.format(bearing=bearing, load=load, more=more))
    found = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    return -float(found["rod"].force[0]), -float(found["bearing"].force[0])


def by_hand(law: tuple[float, float], gap: float, load: float) -> float:
    """The bearing's share F of a load next to a rod of 1e8 N/m: a F^p + gap = (load − F)/1e8."""
    a, p = law
    if gap >= load / 1e8:
        return 0.0
    return float(brentq(lambda F: a * F**p + gap - (load - F) / 1e8, 0.0, load, xtol=1e-12, rtol=1e-15))


def ball_law() -> tuple[float, float]:
    """Palmgren: δ = 4.36e-4 (5F/Z)^(2/3) / Dw^(1/3) in mm."""
    return 1e-3 * 4.36e-4 * (5 / 9) ** (2 / 3) / 7.938 ** (1 / 3), 2 / 3


@pytest.mark.parametrize("load", [1.0, 50.0, 5000.0, 1e6])
def test_a_ball_bearing_next_to_a_rod(load: float) -> None:
    """One unknown, found by bisection of Palmgren's formula; Newton on the split agrees to its last step."""
    rod, own = forces(BALLS, load)
    assert own == pytest.approx(by_hand(ball_law(), 0.0, load), rel=1e-9)
    assert rod + own == pytest.approx(load, rel=1e-12)


@pytest.mark.parametrize("misfit", [1e-4, 1e-9, 1e-15])
def test_misfit_alone_loads_a_bearing_by_forces_of_any_size(misfit: float) -> None:
    """F/k + a F^p = δ without any load: from 5 kN down to 6e-13 N, no size of force is rounding by itself."""
    a, p = ball_law()
    own = float(brentq(lambda F: F / 1e8 + a * F**p - misfit, 0.0, 1e8 * misfit, xtol=1e-300, rtol=1e-14))
    rod, bearing = forces(BALLS, 0.0, f", misfit: {{x: {misfit!r}}}")
    assert (rod, bearing) == pytest.approx((own, -own), rel=1e-9)


def test_a_roller_bearing_next_to_a_rod() -> None:
    """Line contact: δ = 7.68e-5 (5F/Z)^0.9 / l^0.8."""
    law = (1e-3 * 7.68e-5 * (5 / 14) ** 0.9 / 9.0**0.8, 0.9)
    assert forces("type: cylindrical-roller, Z: 14, length: 9 mm")[1] == pytest.approx(by_hand(law, 0, 5e3), rel=1e-9)


def test_clearance_by_class_and_bore() -> None:
    """CN at a bore of 25 mm is 5 to 20 µm on the diameter: 6.25 µm on the radius; with C3 at 100 N it is idle."""
    assert forces(f"{BALLS}, bore: 25 mm, clearance: CN")[1] == pytest.approx(
        by_hand(ball_law(), 6.25e-6, 5e3), rel=1e-9
    )
    assert forces(f"{BALLS}, bore: 25 mm, clearance: C3", load=100.0)[1] == pytest.approx(0.0, abs=1e-7)
    assert forces(f"{BALLS}, clearance: 0.0125 mm") == pytest.approx(forces(f"{BALLS}, bore: 25 mm, clearance: CN"))


def test_numbers_of_the_joint_count_first() -> None:
    """A `stiffness` replaces the law, a `play` the class."""
    rod, own = forces(f"{BALLS}, bore: 25 mm, clearance: CN", more=", stiffness: [1e8, 1e8, rigid], play: 1e-5")
    assert own == pytest.approx((5e3 - 1e8 * 1e-5) / 2, rel=1e-9)
    assert rod == pytest.approx(5e3 - own, rel=1e-9)


def test_angular_contact_bears_both_ways() -> None:
    """α = 40°, Z = 13, Dw = 12.7 mm: radial and axial laws by their formulas."""
    laws = BEARINGS.get("angular-contact").laws({"Z": 13, "Dw": 12.7e-3, "angle": math.radians(40)})
    K, c, s = 4.36e-7 / 12.7 ** (1 / 3), math.cos(math.radians(40)), math.sin(math.radians(40))
    assert laws["radial"].a == pytest.approx(K * (5 / (13 * c)) ** (2 / 3) / c, rel=1e-12)
    assert laws["axial"].a == pytest.approx(K * (1 / (13 * s)) ** (2 / 3) / s, rel=1e-12)


def test_static_load_is_that_of_iso_76() -> None:
    """Deep groove: P0 = max(Fr, 0.6 Fr + 0.5 Fa); rollers under an angle: 0.5 Fr + 0.22 cot α Fa."""
    ball, cone = BEARINGS.get("deep-groove"), BEARINGS.get("tapered-roller")
    assert equivalent_static_load(ball, {}, 1000.0, 2000.0) == pytest.approx(1600.0)
    assert equivalent_static_load(ball, {}, 1000.0, 100.0) == pytest.approx(1000.0)
    angle = math.radians(15)
    assert equivalent_static_load(cone, {"angle": angle}, 1e3, 2e3) == pytest.approx(500 + 440 / math.tan(angle))
    barrel = BEARINGS.get("spherical-roller")
    assert equivalent_static_load(barrel, {"angle": angle}, 1e3, 2e3) == pytest.approx(1000 + 880 / math.tan(angle))


@pytest.mark.parametrize(("degrees", "Y0"), [(15, 0.46), (25, 0.38), (40, 0.26)])
def test_static_load_of_angular_contact_balls(degrees: float, Y0: float) -> None:
    """P0 = 0.5 Fr + Y0 Fa, as makers of bearings list it for single rows."""
    balls, angle = BEARINGS.get("angular-contact"), math.radians(degrees)
    assert equivalent_static_load(balls, {"angle": angle}, 1e3, 4e3) == pytest.approx(500 + 4e3 * Y0)


@pytest.mark.parametrize(
    ("bearing", "words"),
    [
        ("type: deep-grove, Z: 9, Dw: 8 mm", "did you mean|Did you mean"),
        ("type: deep-groove, clearance: C3", "needs the size of the bearing"),
        ("type: deep-groove, clearance: C3, bore: 5 m", "no C3 for a bore of 5000 mm"),
        ("type: plain, clearance: CN, bore: 25 mm", "give it as a length"),
        ("type: tapered-roller, Z: 20, length: 12 mm", "angle is missing"),
        ("Z: 9", "needs C"),
        ("C: 1e4, Z: 9", "needs a `type`"),
        ("type: deep-groove, Z: 0, Dw: 8 mm", "positive"),
    ],
)
def test_wrong_bearings_are_refused(bearing: str, words: str) -> None:
    """Each names the joint and what is missing."""
    with pytest.raises(ReactioError, match=words):
        reactio.parse_model(SHAFT.format(bearing=bearing, load=1, more=""))


def test_commands(tmp_path: Path) -> None:
    """`bearings` lists the kinds; `envelope` has static safety; a file is written and read back."""
    file = tmp_path / "shaft.yaml"
    file.write_text(SHAFT.format(bearing=f"{BALLS}, bore: 25 mm, clearance: CN", load=5000, more=""))
    assert "7.68e-5 Q^0.9 / l^0.8" in CliRunner().invoke(app, ["bearings"]).output
    output = CliRunner().invoke(app, ["envelope", str(file), "--until", "0.01", "--rule", "compliance"]).output
    expected = 7.8e3 / by_hand(ball_law(), 6.25e-6, 5e3)
    assert f"static safety C0/P0 = {expected:.4g}" in " ".join(output.split())
    model = reactio.load(str(file))
    again = tmp_path / "again.yaml"
    reactio.save(model, str(again))
    assert reactio.load(str(again)).joints == model.joints


def hertz_approach(Q: float, Dw: float, osculation: float, gamma: float, inner: bool) -> float:
    """Approach [m] of a ball and a groove of steel by Hertz's elliptic integrals (Harris 2001, Chap. 6)."""
    ball, groove = 2 / Dw, -1 / (osculation * Dw)
    along = (2 * gamma / (1 - gamma) if inner else -2 * gamma / (1 + gamma)) / Dw
    total, difference = 2 * ball + groove + along, along - groove

    def curvature(k: float) -> float:
        K, E = ellipk(1 - k**-2), ellipe(1 - k**-2)
        return float(((k**2 + 1) * E - 2 * K) / ((k**2 - 1) * E)) - difference / total

    k = brentq(curvature, 1.001, 200)
    K, E = ellipk(1 - k**-2), ellipe(1 - k**-2)
    shape = 2 * K / math.pi * (math.pi / (2 * k**2 * E)) ** (1 / 3)
    return float(shape * (3 * Q * (1 - 0.3**2) / (total * 208e9)) ** (2 / 3) * total / 2)


@pytest.mark.parametrize("gamma", [0.1, 0.2, 0.3])
@pytest.mark.parametrize("Q", [50.0, 2000.0])
def test_the_constant_of_balls_is_that_of_hertz(gamma: float, Q: float) -> None:
    """Palmgren's formula lies between osculations of 0.515 and 0.52, those of usual bearings."""
    narrow, wide = (sum(hertz_approach(Q, 0.01, f, gamma, inner) for inner in (True, False)) for f in (0.515, 0.52))
    assert narrow < POINT.at({"Dw": 0.01}) * Q**POINT.p < wide


def test_the_constant_of_rollers_is_near_that_of_the_standard() -> None:
    """ISO/TS 16281: Q = 35948 l^(8/9) δ^(10/9) [N, mm]."""
    Q, length = 1000.0, 13.6
    expected = 1e-3 * (Q / (35948 * length ** (8 / 9))) ** 0.9
    assert LINE.at({"length": 1e-3 * length}) * Q**LINE.p == pytest.approx(expected, rel=0.04)


def test_a_deep_groove_bearing_is_near_a_calculation_by_the_standard() -> None:
    """6 balls of 11.1 mm, osculations 0.52 and 0.53, 1 kN, no clearance: 16.99 µm by ISO/TS 16281."""
    law = BEARINGS.get("deep-groove").laws({"Z": 6, "Dw": 11.1e-3})["radial"]
    assert law.a * 1000**law.p == pytest.approx(16.99e-6, rel=0.05)


@pytest.mark.parametrize("table", [BALL_CLEARANCE, ROLLER_CLEARANCE])
def test_clearances_grow_with_the_class_and_the_bore(table: ClearanceTable) -> None:
    assert len(table.bores) == len(table.lines) + 1
    for line in table.lines:
        ends = [pair for pair in line if pair is not None]
        assert all(a < b for a, b in ends)
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(ends))
    for before, after in itertools.pairwise(table.lines):
        known = [(a, b) for a, b in zip(before, after, strict=True) if a and b]
        assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in known)
