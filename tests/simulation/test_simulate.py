"""Runs: energy, reactions by name, saving and loading, stopping and going on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.simulation.read_run import load_run
from reactio.simulation.run_checks import joined
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory


@pytest.fixture(scope="module")
def robot() -> Trajectory:
    return simulate(reactio.load("mobile-robot"), until=3.0, tol=1e-10, output=4)


@pytest.mark.parametrize(
    ("name", "until"),
    [
        ("double-four-bar", 5.0),  # conservative, through flat poses
        ("bricard", 3.0),  # spatial, redundant, conservative
        ("spatial-parallelogram", 1.0),  # work of a force and a torque
        ("slider-crank", 0.2),  # work of a drive
        ("andrews", 0.01),  # a spring and a torque
        ("mobile-robot", 4.0),  # nonholonomic, driven
    ],
)
def test_energy_is_balanced_and_constraints_hold(name: str, until: float) -> None:
    run = simulate(reactio.load(name), until=until, tol=1e-9)
    assert run.status.name == "DONE"
    assert run.t[-1] == until
    # Steps are accurate to 1e-9 and errors add up over some hundred of them.
    assert run.energy_error == pytest.approx(0.0, abs=1e-7)
    # Projection after every step: rounding of lengths and speeds of order one to a hundred.
    assert run.position_drift < 1e-12
    assert run.velocity_drift < 1e-11


def test_what_stands_still_loses_no_energy() -> None:
    """A door whose hinge is held: rounding of its height is not a lack of energy."""
    text = """
space: planar
bodies: {b: {mass: 3, inertia: 1, position: [0.3, 777.7]}}
joints: {W: {type: fixed, bodies: [ground, b], at: [0.1, 777.1]}}
"""
    run = simulate(reactio.parse_model(text), until=1.0)
    assert run.energy_error == 0.0


def test_energy_of_a_spring_a_damper_and_a_load() -> None:
    text = """
space: spatial
gravity: [1, -2, -9.81]
bodies:
  b: {mass: 2, inertia: [1, 2, 2.5], position: [1, 2, 3], center: [0.3, -0.2, 0.5], velocity: [1, 2, -1],
    angular_velocity: [0.5, -1, 2], orientation: {axis: [1, 1, 0], angle: 0.7}}
  c: {mass: 1, inertia: [1, 1, 1], position: [3, 2, 3], velocity: [0, 1, 0]}
joints: {B: {type: spherical, bodies: [ground, c], at: [3, 2, 2]}}
forces:
  f: {type: force, at: {body: b, point: [1, 0, 0]}, force: [3, "2*t", 1]}
  s: {type: spring-damper, a: b, b: {body: c, point: [0, 1, 0]}, stiffness: 10, length: 1, damping: 0.5}
"""
    run = simulate(reactio.parse_model(text), until=1.0, tol=1e-10)
    assert run.energy_error == pytest.approx(0.0, abs=1e-8)
    assert "velocities" in run.notes[0]  # body c was given a velocity its joint does not allow


def test_named_access(robot: Trajectory) -> None:
    assert robot.body("trolley").position.shape == (4, 2)
    assert robot.body("trolley").angular_velocity.shape == (4, 1)
    unique, shared = robot["A"], robot["W3"]
    assert unique.unique.all()
    assert np.isfinite(unique.force).all()
    assert not shared.unique.any()
    assert np.isnan(shared.force_in_joint).any(axis=1).all()
    assert robot.final.t == 3.0
    with pytest.raises(reactio.ReactioError, match="Did you mean 'trolley'"):
        robot.body("troley")


def test_reactions_by_a_rule_carry_its_name() -> None:
    run = simulate(reactio.load("mobile-robot"), until=2.0, rule="elimination:C.y,W4", output=2)
    assert run["W4"].rule == "elimination:C.y,W4"
    assert np.abs(run["W4"].force).max() == 0.0
    assert np.isfinite(run["W3"].force).all()


def test_eliminations_of_the_paper_change_no_motion_and_no_unique_reaction() -> None:
    """Rows 6+21, 18+21 and 19+21 of Wojtyra & Fraczek 2013, Sect. 4.4, counted from 1."""
    model = reactio.load("mobile-robot")
    runs = [simulate(model, until=2.5, rule=f"elimination:{rows}", output=3) for rows in ("6,21", "18,21", "19,21")]
    for other in runs[1:]:
        assert np.abs(other.q - runs[0].q).max() < 1e-9
        for name in ("A", "D", "E", "F", "G", "H", "steering", "W5"):
            for key in ("force", "moment"):
                difference = getattr(other[name], key) - getattr(runs[0][name], key)
                assert np.abs(difference).max(initial=0.0) < 1e-9
    for name in ("B", "C", "W1", "W2", "W3"):
        last = np.array([run[name].force[-1] for run in runs])
        assert np.ptp(last, axis=0).max() > 1e-4  # forces are of the order of 0.1 N there


@pytest.mark.parametrize("suffix", [".npz", ".nc", ".csv"])
def test_runs_are_kept_whole(robot: Trajectory, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    robot.save(str(path))
    back = load_run(path)
    for key in ("t", "q", "v", "vdot", "lam"):
        assert np.array_equal(getattr(back, key), getattr(robot, key))
    assert back.system.model == robot.system.model
    assert back.status == robot.status
    assert np.array_equal(back["A"].force, robot["A"].force)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_files_that_are_no_runs(tmp_path: Path, robot: Trajectory) -> None:
    with pytest.raises(reactio.ReactioError, match=r"kept as \.npz"):
        robot.save(str(tmp_path / "run.xyz"))
    (tmp_path / "run.csv").write_text("t,x\n0,1\n", encoding="utf-8")
    np.savez(tmp_path / "run.npz", a=np.zeros(3))
    for name in ("run.csv", "run.npz"):
        with pytest.raises(reactio.ReactioError, match="not a run of Reactio"):
            load_run(tmp_path / name)
    with pytest.raises(reactio.ReactioError, match="cannot be read"):
        load_run(tmp_path / "missing.npz")


@pytest.mark.parametrize("suffix", [".npz", ".nc", ".csv"])
def test_a_run_without_rows_is_kept(tmp_path: Path, suffix: str) -> None:
    """It ended before the first row that was asked for; joints and a drive have columns all the same."""
    run = simulate(reactio.load("slider-crank"), 0.2, output=[0.19], on_chunk=lambda chunk: True, chunk=2)
    assert len(run.t) == 0
    run.save(str(tmp_path / f"run{suffix}"))
    back = load_run(tmp_path / f"run{suffix}")
    assert len(back.t) == 0
    assert np.array_equal(back.checkpoint.q, run.checkpoint.q)
    some = simulate(reactio.load("slider-crank"), 0.2, output=2)
    assert list(back.columns()) == list(some.columns())
    for name in [group.name for group in run.system.reacting]:
        assert back[name].force.shape[1:] == some[name].force.shape[1:]
    with pytest.raises(reactio.ReactioError, match="There is no joint"):
        back["nobody"]


def test_pieces_and_numbers_of_rows() -> None:
    model = reactio.load("pendulum-twice")
    for chunk in (0, -1):
        with pytest.raises(reactio.ReactioError, match="at least one step"):
            simulate(model, 0.1, chunk=chunk)
    assert simulate(model, 3.0, output=np.int64(2)).t.tolist() == [0.0, 3.0]
    for asked in (True, np.bool_(True)):
        with pytest.raises(reactio.ReactioError, match="a number of rows, or their times"):
            simulate(model, 3.0, output=asked)


def test_stopping_and_going_on_gives_the_same_numbers(tmp_path: Path) -> None:
    model = reactio.load("two-by-two-four-bar")
    whole = simulate(model, until=3.0)
    half = simulate(model, until=3.0, on_chunk=lambda chunk: chunk.checkpoint.t > 1.0, chunk=10)
    assert half.status.name == "PAUSED"
    assert half.t[-1] < 3.0
    half.save(str(tmp_path / "half.npz"))
    kept = load_run(tmp_path / "half.npz")
    rest = simulate(kept.system, until=3.0, resume=kept.checkpoint)
    both = joined(kept, rest)
    assert np.array_equal(both.t, whole.t)
    assert np.array_equal(both.q, whole.q)
    assert np.array_equal(both.v, whole.v)


def test_unknown_rule_is_refused_before_the_run() -> None:
    with pytest.raises(reactio.ReactioError, match="Did you mean 'pseudoinverse'"):
        simulate(reactio.load("table"), until=1.0, rule="pseudoinvers")


def test_tables_for_pandas_and_xarray(robot: Trajectory) -> None:
    frame, dataset = robot.to_pandas(), robot.to_xarray()
    assert frame.index.name == "t"
    assert frame["robot.position.x"].to_numpy() == pytest.approx(robot.body("robot").position[:, 0])
    assert frame["A.Fx"].to_numpy() == pytest.approx(robot["A"].force_in_joint[:, 0])
    assert frame["W3.Fy"].isna().all()
    assert dataset["reaction"].dims == ("time", "joint", "component")
    steering = dataset["reaction"].sel(joint="steering", component="F").to_numpy()
    assert steering == pytest.approx(robot["steering"].force_in_joint[:, 0])
    assert dataset["reaction"].sel(joint="W3", component="Fy").isnull().all()  # not unique
    place = dataset["position"].sel(body="robot", axis="x").to_numpy()
    assert place == pytest.approx(robot.body("robot").position[:, 0])


def test_the_dataset_of_a_planar_run(robot: Trajectory) -> None:
    data = robot.to_xarray()
    assert set(data.dims) == {"time", "joint", "component", "body", "axis"}
    assert data["component"].values.tolist() == ["Fx", "Fy", "Mz", "F"]
    assert data["component_units"].values.tolist() == ["N", "N", "N m", "N"]
    assert data["axis"].values.tolist() == ["x", "y", "z"]
    assert {name: data[name].attrs["units"] for name in ("time", *data)} == {
        "time": "s",
        "reaction": "N, N m",
        "position": "m",
        "velocity": "m/s",
        "angular_velocity": "rad/s",
        "orientation": "rad",
    }
    body = robot.body("robot")
    one = data.sel(body="robot")
    np.testing.assert_array_equal(one["velocity"], np.pad(body.velocity, ((0, 0), (0, 1))))
    np.testing.assert_array_equal(one["angular_velocity"], np.pad(body.angular_velocity, ((0, 0), (2, 0))))
    np.testing.assert_array_equal(one["orientation"], body.orientation[:, 0])


def test_the_dataset_of_a_spatial_run() -> None:
    run = simulate(reactio.load("four-bar-spatial"), until=0.1, output=3)
    data, joint = run.to_xarray(), run["B"]
    assert data["component"].values.tolist() == ["Fx", "Fy", "Fz", "Mx", "My", "Mz"]
    reaction = np.hstack([joint.force_in_joint, joint.moment_in_joint])
    np.testing.assert_array_equal(data["reaction"].sel(joint="B"), reaction)
    assert data["reaction"].attrs["axes"] == "joint"
    name = str(data["body"].values[0])
    for key in ("position", "velocity", "angular_velocity", "orientation"):
        np.testing.assert_array_equal(data[key].sel(body=name), getattr(run.body(name), key))
    assert data["orientation"].dims == ("time", "body", "quaternion")


def test_the_implicit_method_crosses_the_singular_poses_of_two_four_bars() -> None:
    """The third passage, at t = 2.66 s, is slow: two polynomials, each found from the same state alone, cross it."""
    run = reactio.simulate(reactio.load("double-four-bar"), until=3.0, method="radau5", output=2)
    assert run.t[-1] == 3.0
    assert run.position_drift < 1e-12  # what projections leave
