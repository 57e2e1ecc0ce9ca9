"""Peaks and RMS over a run, and the table of a run for people."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.model.files.write import to_yaml
from reactio.simulation.peaks import Peak, _rms, peaks
from reactio.simulation.read_run import load_run

BOTH = {"both": "rod1.Fx + rod2.Fx in joint axes"}


@pytest.fixture(scope="module")
def run() -> reactio.Trajectory:
    """A pendulum on two equal rods: each of them is open, their sum is not."""
    return reactio.simulate(reactio.load("pendulum-twice"), 0.2, output=9)


def of(run: reactio.Trajectory, name: str, component: str) -> Peak:
    return next(p for p in peaks(run, BOTH).found if (p.name, p.component) == (name, component))


def test_the_peak_of_a_sum_is_that_of_the_motion(run: reactio.Trajectory) -> None:
    """The axis x of a rod points along it: Fx is negative where the rods pull the mass towards the ground."""
    body = run.system.model.bodies[0]
    gravity = np.array([0.0, -9.81])
    force = -(body.mass or 0.0) * np.linalg.norm(run.body(body.name).acceleration - gravity, axis=1)
    one = of(run, "both", BOTH["both"])
    assert one.verdict == "unique"
    assert one.peak == pytest.approx(force[np.abs(force).argmax()], rel=1e-7)  # of the tolerance of the run, 1e-9
    assert one.t == run.t[np.abs(force).argmax()]
    assert one.rms == pytest.approx(np.sqrt(np.trapezoid(force**2, run.t) / np.ptp(run.t)), rel=1e-2)  # eight steps


def test_open_reactions_have_no_peak_without_a_rule(run: reactio.Trajectory) -> None:
    one = of(run, "rod1", "N")
    assert (one.verdict, one.peak, one.t, one.rms) == ("not unique", None, None, None)
    ruled = reactio.simulate(reactio.load("pendulum-twice"), 0.2, output=9, rule="inertia")
    by = of(ruled, "rod1", "N")
    assert by.verdict == "by inertia"
    assert by.peak is not None
    assert abs(by.peak) == pytest.approx(
        np.linalg.norm(ruled["rod1"].force, axis=1).max(), rel=1e-12
    )  # the same numbers


def test_few_rows_are_judged_and_then_those_around_the_peak(run: reactio.Trajectory) -> None:
    found = peaks(run, BOTH, most=3)
    assert found.looked < found.rows == 9
    assert found.words == f"sampled at {found.looked} instants of the run"


def test_peaks_are_looked_for_between_the_rows_too() -> None:
    """A pendulum let go at the side pulls hardest at the bottom, with 3 m g; no row is near when there are few."""
    pendulum = "{space: planar, gravity: [0, -10], bodies: {b: {mass: 2, inertia: 1e-9, position: [1, 0]}}, joints: " \
        "{A: {type: revolute, bodies: [ground, b], at: [0, 0]}}}"  # fmt: skip
    run = reactio.simulate(reactio.parse_model(pendulum), 3.0, output=3)
    found = next(p for p in peaks(run).found if p.component == "|F|")
    assert found.peak == pytest.approx(60.0, rel=1e-3)  # 480 instants of 3 s
    assert np.linalg.norm(run["A"].force, axis=1).max() < 58.0


def test_the_root_mean_square_of_a_ramp() -> None:
    t = np.array([0.0, 0.3, 1.0])
    assert _rms(t, t, np.full(3, True)) == pytest.approx(1 / np.sqrt(3), rel=1e-15)


def test_the_table_has_units_one_short_comment_and_reads_back(run: reactio.Trajectory, tmp_path: Path) -> None:
    run.save(str(tmp_path / "run.csv"))
    first, head, *_, last = (tmp_path / "run.csv").read_text().splitlines()
    assert first.startswith("# ")
    assert len(first) < 120
    assert last.startswith("# {")
    names = next(csv.reader([head]))
    assert {"t [s]", "rod1.Fx [N]"} <= set(names)
    table = np.genfromtxt(tmp_path / "run.csv", delimiter=",", skip_header=2, comments="#")
    np.testing.assert_array_equal(table[:, names.index("t [s]")], run.t)
    assert load_run(tmp_path / "run.csv").t.tolist() == run.t.tolist()


def test_quaternions_and_angles_are_named() -> None:
    door = reactio.simulate(reactio.load("door", hinges=1), 0.01, output=2)
    names = [(name, unit) for name, unit, _ in door.named_columns()]
    assert [n for n, _ in names if "orientation" in n] == [f"door.orientation.{c}" for c in "wxyz"]
    assert ("door.angular_velocity.z", "rad/s") in names


def test_doubts_of_a_moment_have_their_times() -> None:
    """A spatial four-bar that is started gently is in doubt next to its first pose, and nowhere later."""
    drive = "drives: {motor: {joint: A, function: {step: {start: 0, end: 10, before: 0, after: -0.5}}}}"
    model = reactio.parse_model(to_yaml(reactio.load("four-bar-spatial")) + drive)
    found = peaks(reactio.simulate(model, 10.0))
    assert {peak.verdict for peak in found.found} >= {"unique at times", "not unique"}
    assert found.in_doubt
    assert max(found.in_doubt) < 0.2  # s, of 10


def test_contacts_that_yield_have_peaks_where_nothing_else_is_constrained() -> None:
    """A block dropped on a spring of stiffness k is at its lowest at δ = mg/k: it bears twice its weight."""
    model = reactio.parse_model("""
space: planar
gravity: [0, -10]
bodies: {block: {mass: 2, inertia: 0.1, position: [0, 0]}}
contacts: {floor: {type: point-on-line, line: ground, point: {body: block, point: [0, 0]}, stiffness: 2000}}
""")
    run = reactio.simulate(model, until=0.3)
    (peak,) = peaks(run).found
    assert (peak.name, peak.component, peak.verdict) == ("floor", "N", "unique")
    assert peak.peak == pytest.approx(-40.0, rel=1e-3)  # the rows lie within 1 % of the period around the lowest point
