"""A rod has one force: its tension N, and Fx = −N by its older name."""

from __future__ import annotations

import numpy as np
import pytest

import reactio as ro
from reactio.design.error_bars import error_bars
from reactio.design.measure import Readings
from reactio.simulation.peaks import peaks

HUNG = """
space: planar
gravity: [0, -9.81]
bodies: {load: {mass: 10, inertia: 1, position: [0, 0]}}
joints:
  left: {type: distance, a: {body: ground, point: [-1, 1]}, b: load, stiffness: 1e6}
  rod: {type: distance, a: {body: ground, point: [0, 2]}, b: load, stiffness: 1e6}
  right: {type: distance, a: {body: ground, point: [1, 1]}, b: load, stiffness: 1e6}
"""
COIL = """
space: planar
gravity: [0, -9.81]
bodies: {box: {mass: 1, inertia: 1, position: [0, -1.5]}}
joints: {guide: {type: revolute-translational, a: {body: ground, orientation: 1.5707963267948966}, b: box}}
forces: {coil: {type: spring, a: ground, b: box, stiffness: 100, length: 1}}
"""


def test_a_known_range_may_be_of_either_name() -> None:
    model = ro.parse_model(HUNG)
    by_tension, by_force = (ro.bounds(model, known=known) for known in ({"rod.N": (10, 20)}, {"rod.Fx": (-20, -10)}))
    for name in ("left", "rod", "right"):
        one, other = by_tension[name]["N"], by_force[name]["N"]
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_readings_may_have_either_name() -> None:
    model = ro.parse_model(HUNG)
    t = np.zeros(1)
    tension = ro.measure(model, Readings(t, {"rod.N": np.array([30.0])}))
    force = ro.measure(model, Readings(t, {"rod.Fx": np.array([-30.0])}))
    assert force.values == pytest.approx(tension.values)
    assert ro.sensors(model, candidates=["rod.Fx"]) is not None


def test_tolerances_find_a_rod_by_either_name() -> None:
    found = error_bars(ro.parse_model(HUNG), {"rod.along": 1e-4})
    assert found["rod.Fx"] is found["rod.N"]


def test_springs_have_their_tension_in_peaks_and_columns() -> None:
    run = ro.simulate(ro.parse_model(COIL), until=0.3, output=5)
    column = next(column for column in run.named_columns() if column.name == "coil.N")
    stretch = -run.body("box").position[:, 1] - 1.0
    assert column.values == pytest.approx(100.0 * stretch)
    peak = next(one for one in peaks(run).found if one.name == "coil")
    assert (peak.component, peak.unit) == ("N", "N")
    assert peak.peak == pytest.approx(50.0)


def test_rods_have_their_tension_in_columns() -> None:
    run = ro.simulate(ro.load("pendulum-twice"), until=0.05, output=3, rule="inertia")
    columns = {column.name: column.values for column in run.named_columns()}
    assert columns["rod1.N"] == pytest.approx(-columns["rod1.Fx"])
    assert (columns["rod1.N"] > 0).all()
