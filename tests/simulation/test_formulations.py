"""Formulations of constrained motion: the same motion and unique reactions by all, undetermined ones as each says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.integrate.formulation import FORMULATIONS, formulation_of, formulations_of
from reactio.integrate.integrator import rank_along
from reactio.integrate.status import Status
from reactio.simulation.formulation_table import FormulationTable, compare_formulations
from reactio.simulation.minimal_coordinates import minimal_coordinates

# How long each runs [s], a few steps in plain Python; benchmarks/formulations.py has longer runs.
MECHANISMS = {"pendulum-twice": 0.02, "modified-double-four-bar": 0.02, "bennett": 0.005}
# Springs at the default of 1e4 rad/s take thousands of steps: softer ones, which open joints the more.
SOFTER = {"penalty": "penalty:frequency=500,damping=1"}
HINGES = """
space: planar
gravity: [0, -10]
bodies:
  bar: {mass: 4, inertia: 1, position: [0, -0.5]}
joints:
  A: {type: revolute, a: ground, b: {body: bar, point: [0, 0.5]}, stiffness: {x: 1e6, y: 1e6}}
  B: {type: revolute, a: ground, b: {body: bar, point: [0, 0.5]}, stiffness: {x: 3e6, y: 3e6}}
"""
RUBBING = """
space: planar
gravity: [0, -9.81]
bodies:
  bar: {mass: 1, inertia: 0.1, position: [0.5, 0]}
joints:
  A: {type: revolute, a: ground, b: {body: bar, point: [-0.5, 0]}}
forces:
  pin: {type: joint-friction, joint: A, coefficient: 0.3, velocity: 0.1, radius: 0.05}
"""


@pytest.fixture(scope="module", params=MECHANISMS)
def table(request: pytest.FixtureRequest) -> FormulationTable:
    """A mechanism by every formulation that is registered."""
    names = [SOFTER.get(name, name) for name in FORMULATIONS]
    return compare_formulations(reactio.load(request.param), MECHANISMS[request.param], names)


def test_motions_agree_to_the_tolerance_of_each_formulation(table: FormulationTable) -> None:
    assert {row.name.partition(":")[0] for row in table.rows} == set(FORMULATIONS)
    for row in table.rows:
        assert row.reached, row.note
        assert row.agrees, (row.name, row.motion_error)


def test_reactions_differ_only_where_the_verdict_says_that_they_are_not_unique(table: FormulationTable) -> None:
    assert not any(one.contradicts for one in table.reactions)
    for one in table.reactions:
        for row, value in zip(table.rows, one.values, strict=True):
            shares = row.formulation.multipliers or row.formulation.eliminates
            assert (value is not None) == bool(one.unique or shares)
    undetermined = [one for one in table.reactions if not one.unique]
    # An elimination sets whole reactions to zero that the others share.
    assert any(one.differs for one in undetermined) or not undetermined


def test_drift_is_what_each_formulation_allows(table: FormulationTable) -> None:
    for row in table.rows:
        assert row.run is not None
        assert row.run.position_drift <= (row.formulation.drift or 1e-12)  # rounding of closed joints of metres


@pytest.mark.parametrize("name", sorted(FORMULATIONS))
def test_every_formulation_says_what_it_does_and_who_devised_it(name: str) -> None:
    how = FORMULATIONS.get(name)
    assert how.undetermined.endswith(".")
    assert how.doc.endswith(".")
    assert any(year in how.cite for year in map(str, range(1829, 2030)))


def test_iterations_of_the_augmented_lagrangian_are_visible() -> None:
    """A penalty of 10⁴ leaves 1/(1 + 10⁴ σ²) of a residual, and each further iteration that part of the one before."""
    system = reactio.build(reactio.load("four-bar-planar"))
    drifts = [
        reactio.simulate(
            system, 0.02, tol=1e-6, formulation=f"augmented-lagrangian:penalty=1e4,iterations={k}"
        ).velocity_drift
        for k in (1, 2)
    ]
    assert drifts[0] > 1e-8  # found: 1.6e-7 m/s
    assert drifts[1] < 1e-3 * drifts[0]  # σ² of this linkage is above 0.1


def test_springs_of_the_joints_share_by_their_stiffness() -> None:
    """A bar of 40 N at rest on two hinges of 1e6 and 3e6 N/m: 10 N and 30 N, by penalty as by the rule compliance."""
    model = reactio.parse_model(HINGES)
    found = compare_formulations(model, 0.05, ["penalty:joints=1,damping=1"])
    hangs = {one.group: one.values[1] for one in found.reactions if one.component == "Fy"}
    assert hangs == pytest.approx({"A": 10.0, "B": 30.0}, rel=1e-3)  # e^(−ω t) of the springs' transient, ω = 1000
    by_compliance = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    assert [hangs[name] for name in "AB"] == pytest.approx([by_compliance[n].force[1] for n in "AB"], rel=1e-3)


def test_friction_acts_the_same_by_every_formulation() -> None:
    model = reactio.parse_model(RUBBING)
    first, *others = (
        reactio.simulate(model, 0.03, formulation=name, output=2)
        for name in (
            "projection",
            "minimal-coordinates",
            "coordinate-partitioning",
            "null-space",
            "augmented-lagrangian",
        )
    )
    free = reactio.simulate(reactio.parse_model(RUBBING.replace("0.3", "0")), 0.03, output=2)
    assert abs(first.v[-1, 2] - free.v[-1, 2]) > 1e-4
    for run in others:
        np.testing.assert_allclose(run.v, first.v, atol=1e-7)  # steps of 1e-9
    # The springs start unloaded, and N rings for some 1/(ζ ω) = 3e-4 s of the 0.03 s: 1 % of what friction does.
    sprung = reactio.simulate(model, 0.03, formulation="penalty", output=2)
    assert abs(sprung.v[-1, 2] - first.v[-1, 2]) < 0.01 * abs(first.v[-1, 2] - free.v[-1, 2])
    twice = RUBBING.replace("forces:", "  B: {type: revolute, a: ground, b: {body: bar, point: [-0.5, 0]}}\nforces:")
    with pytest.raises(ReactioError, match="'penalty' shares them by its own multipliers"):
        reactio.simulate(reactio.parse_model(twice), 0.1, formulation="penalty", rule="mass-rows")


def test_minimal_coordinates_of_a_run() -> None:
    """T spans null(C) and is orthonormal, v = T u, Q̇ = Q Ω with Ω skew, and the continued T never jumps."""
    run = reactio.simulate(reactio.load("double-four-bar"), 0.1, formulation="minimal-coordinates", output=6)
    found = minimal_coordinates(run)
    system = run.system
    v = run.v * (system.length / system.column_scale)
    for k in range(len(run.t)):
        np.testing.assert_allclose(found.T[k].T @ found.T[k], np.eye(1), atol=1e-12)
        np.testing.assert_allclose(found.T[k] @ found.u[k], v[k], atol=1e-9)
    np.testing.assert_allclose(found.Omega, -np.swapaxes(found.Omega, 1, 2), atol=1e-12)
    assert found.diagonal.shape == (6, 14)
    assert np.abs(np.diff(found.T, axis=0)).max() < 0.1  # 20 ms of a swing of some rad/s
    # |Ṫ| = |Ω₁₂|, by differences of T over 40 ms, whose error is of the square of that time
    rate = np.linalg.norm(found.T[2] - found.T[0]) / (run.t[2] - run.t[0])
    assert np.linalg.norm(found.Omega[1, :-1, -1]) == pytest.approx(rate, rel=1e-2)


def test_the_rank_along_a_motion_is_that_away_from_singular_poses() -> None:
    """The flat double four-bar has rank 12, its motions have 14 (Masarati, Quro & Zanoni 2023, Sect. 3.2)."""
    system = reactio.build(reactio.load("double-four-bar"))
    flat = reactio.simulate(system, 1.4).final  # on the way past the flat pose
    assert rank_along(system, reactio.assemble(system)) == rank_along(system, flat) == 14


def test_dropped_equations_leave_the_motion_and_carry_nothing() -> None:
    """The same motion without a redundant equation; reactions depend on the choice (Wojtyra & Frączek 2012)."""
    model = reactio.load("modified-double-four-bar")
    whole, less = (reactio.simulate(model, 0.05, output=2, drop=drop) for drop in ((), ("auto",)))
    np.testing.assert_allclose(less.q, whole.q, atol=1e-12)
    assert less.system.m == whole.system.m - 1
    assert any("redundant at the start" in note for note in less.notes)
    assert all(not less.last_reactions[name].unique for name in less.last_reactions)  # given the elimination only
    assert "elimination" in less.peaks().found[0].verdict


def test_an_equation_that_is_not_redundant_makes_another_mechanism() -> None:
    run = reactio.simulate(reactio.load("four-bar-planar"), 0.05, output=2, drop="C.x")
    assert any("another mechanism, with 1 more freedom" in note for note in run.notes)
    assert any("violated by at most" in note for note in run.notes)


def test_a_run_without_an_equation_reads_back_and_goes_on(tmp_path: Path) -> None:
    from reactio.simulation.read_run import load_run

    model = reactio.load("modified-double-four-bar")
    run = reactio.simulate(model, 0.05, drop="auto", output=2)
    run.save(str(tmp_path / "run.npz"))
    again = load_run(tmp_path / "run.npz")
    assert again.system.m == run.system.m
    longer = reactio.simulate(again.system.model, 0.1, resume=again)
    assert longer.status is Status.DONE
    assert longer.system.m == run.system.m


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"formulation": "minimal-coords"}, "Did you mean 'minimal-coordinates'"),
        ({"formulation": "penalty:stif=1"}, "Did you mean 'stiffness'"),
        ({"formulation": "penalty:stiffness=-1"}, "at least 0"),
        ({"formulation": "augmented-lagrangian:iterations=1.5"}, "whole number"),
        ({"formulation": "null-space:x=1"}, "has no settings"),
        ({"formulation": "null-space", "method": "radau5"}, "needs the method 'dop853'"),
        ({"formulation": "null-space", "stabilise": "baumgarte"}, "Give either a formulation"),
        ({"formulation": "penalty:joints=1"}, "has a stiffness"),
        ({"formulation": "elimination:B.w"}, "'B' has no equation 'w'"),
        ({"drop": "B"}, "name those to drop: B.x, B.y"),
        ({"drop": "Q.x"}, "There is no equation 'Q.x'"),
        ({"drop": "auto,B.x"}, "either"),
        ({"drop": " , "}, "No equation is named"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ReactioError, match=words.replace("(", r"\(")):
        reactio.simulate(reactio.load("four-bar-planar"), 0.1, **options)


def test_lists_of_formulations_with_settings() -> None:
    assert formulations_of("penalty:stiffness=1e7,damping=1, elimination:B.y,W4,null-space") == (
        "penalty:stiffness=1e7,damping=1", "elimination:B.y,W4", "null-space",
    )  # fmt: skip
    assert formulation_of("penalty:stiffness=1e7,damping=1").settings["stiffness"] == 1e7
    with pytest.raises(ReactioError, match="no formulation 'nul-space'"):
        formulations_of("projection,nul-space")


def test_undetermined_components_that_coincide_are_named() -> None:
    """Without a load along the hinges, both formulations give zero to components that a prestress could take."""
    found = compare_formulations(reactio.load("four-bar-spatial"), 0.05, ["udwadia-kalaba", "elimination"])
    assert "0 of 12 undetermined ones differ. A.Fz, A.Mx" in found.summary
    assert "undetermined, although these formulations agree" in found.summary


@pytest.mark.parametrize(("tol", "crosses"), [(1e-6, True), (1e-9, False)])
def test_a_drifting_motion_crosses_a_singular_pose_in_long_steps_only(tol: float, crosses: bool) -> None:
    """Drift has a pole in v̇ at the pose, and follows the tolerance: what does not cross says so."""
    system = reactio.build(reactio.load("double-four-bar"))
    run = reactio.simulate(system, 1.4, tol=tol, formulation="null-space", output=2)
    if crosses:
        exact = reactio.simulate(system, 1.4, tol=1e-11, output=2)
        assert run.q[-1] == pytest.approx(exact.q[-1], abs=1e-6)  # seen: 4e-8
    else:
        assert run.status is Status.NEAR_SINGULAR
        assert run.final.t == pytest.approx(1.228, abs=1e-3)  # the second flat pose
        assert "null-space lets the state drift off the constraints" in " ".join(run.notes)
        assert "as `projection`, passes it" in " ".join(run.notes)
