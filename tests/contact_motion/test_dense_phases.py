"""Peaks and curves of runs with contacts between the rows of the integrator."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.simulation.peaks import peaks

# An arm on a stop, lifted by 60 s(t/0.3) N with s(x) = 10 x³ − 15 x⁴ + 6 x⁵: the stop bears 32.7 − 80 s N.
LIFTED = """
space: planar
gravity: [0, -9.81]
bodies: {arm: {mass: 5, inertia: 0.02, position: [0.2, 0], points: {tip: [0.2, 0], pad: [0.1, -0.005]}}}
joints: {pivot: {type: revolute, bodies: [ground, arm], at: [0, 0]}}
contacts: {stop: {type: point-on-line, line: {body: ground, point: [0, -0.005]}, point: arm.pad}}
forces: {pull: {type: force, at: arm.tip, force: [0, "60*step(t, 0, 0, 0.3, 1)"]}}
"""


def pushed(t: np.ndarray) -> np.ndarray:
    x = t / 0.3
    return np.maximum(32.7 - 80.0 * (10 * x**3 - 15 * x**4 + 6 * x**5), 0.0)


def test_a_contact_is_followed_between_the_rows_of_a_phase() -> None:
    run = reactio.simulate(reactio.parse_model(LIFTED), until=0.2)
    fine = run.denser(200)
    (opening,) = fine.events
    assert len(fine.t) > 200 > 5 * len(run.t)
    assert fine.t[opening.row] == pytest.approx(opening.t, abs=1e-12)
    force = np.array([fine.reactions_at(k)["stop"].force[1] for k in range(len(fine.t))])
    assert force == pytest.approx(pushed(fine.t), abs=1e-6)
    assert fine.work[-1] == pytest.approx(run.work[-1], rel=1e-9)
    assert fine.q[-1] == pytest.approx(run.q[-1], abs=1e-12)


def test_the_mean_of_a_contact_force_does_not_depend_on_the_rows() -> None:
    (stop,) = (
        p
        for p in peaks(reactio.simulate(reactio.parse_model(LIFTED), until=0.2)).found
        if (p.name, p.component) == ("stop", "Fy")
    )
    t = np.linspace(0.0, 0.2, 20_001)
    assert stop.rms == pytest.approx(float(np.sqrt(np.trapezoid(pushed(t) ** 2, t) / 0.2)), rel=2e-3)
