"""Verdicts by the batch are those of the full analysis, state by state."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio import ReactioError, Verdict
from reactio.diagnosis.check_many import check_many, full_analysis
from reactio.kernels import CodeUse, compiled_throughout, running
from reactio.system.types import System

BENCHMARK = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "check_many.py"))
MECHANISMS = list(BENCHMARK["mechanisms"]())
STATES = 30  # of each mechanism; benchmarks/check_many.py tries more


@pytest.mark.parametrize(("name", "system"), MECHANISMS, ids=[name for name, _ in MECHANISMS])
def test_no_difference_from_the_full_analysis(name: str, system: System) -> None:
    """At poses of random motions, at singular ones, and at displacements of all sizes from them."""
    with compiled_throughout():
        q = BENCHMARK["poses"](system, STATES, np.random.default_rng(sum(name.encode())))
        table, different = BENCHMARK["differences"](system, q)
    assert different == 0
    assert len(table) == STATES


@pytest.mark.parametrize("name", ["mobile-robot", "spatial-parallelogram", "bennett", "planetary"])
@pytest.mark.parametrize("axes", ["joint", "world"])
def test_ordinary_poses_are_settled_by_bounds_alone(name: str, axes: str) -> None:
    system = reactio.build(reactio.load(name)).in_axes(axes)
    q = reactio.assemble(system).q[None]
    with running(CodeUse.PLAIN):
        table = check_many(system, q)
    full = full_analysis(system, q, table.times)
    assert not table.full.any()
    np.testing.assert_array_equal(table.component_verdict, full.component_verdict)
    assert 0.0 < table.margin[0] <= full.margin[0]  # a lower bound


def test_plain_kernels_as_compiled() -> None:
    system = reactio.build(reactio.load("mobile-robot"))
    q = BENCHMARK["poses"](system, 12, np.random.default_rng(5))
    with compiled_throughout():
        compiled = check_many(system, q)
    with running(CodeUse.PLAIN):
        plain = check_many(system, q)
    np.testing.assert_array_equal(plain.full, compiled.full)
    np.testing.assert_array_equal(plain.margin, compiled.margin)
    np.testing.assert_array_equal(plain.component_verdict, compiled.component_verdict)


def test_a_flat_parallelogram_is_left_to_the_full_analysis() -> None:
    """1e-9 rad from the pose where all bars lie in one line, no bound settles the rank."""
    system = reactio.build(reactio.load("modified-double-four-bar", theta=1e-9))
    table = check_many(system, system.q0[None])
    assert table.full.all()
    assert not table.confident.any()
    assert Verdict.AMBIGUOUS in table.words_of("A") + table.words_of("B")


def test_a_run_with_drives_has_its_own_times() -> None:
    run = reactio.simulate(reactio.load("mobile-robot"), until=0.02, output=3)
    table = check_many(run.system, run)
    np.testing.assert_array_equal(table.times, run.t)
    assert not table.full.any()  # at other times than its own the drive would leave a gap
    assert table.redundancy.tolist() == [2, 2, 2]
    assert table.mobility.tolist() == [1, 1, 1]
    assert table.counts()["B"] == {"partly unique": 3}


def test_stated_accuracy_and_contacts_are_judged_as_always() -> None:
    for name in ("stool", "box-on-plane"):
        system = reactio.build(reactio.load(name))
        table = check_many(system, system.q0[None])
        assert table.full.all()
        answer = reactio.equations(system).solvability
        assert [words for joint in table.joints for words in table.words_of(joint)] == [
            str(answer[joint].verdict) for joint in table.joints
        ]


def test_as_an_xarray_dataset() -> None:
    pytest.importorskip("xarray")
    system = reactio.build(reactio.load("mobile-robot"))
    data = check_many(system, system.q0[None], times=[0.0]).to_xarray()
    code = int(data["component_verdict"].sel(joint="B", component="Fx")[0])
    assert data["component_verdict"].attrs["flag_meanings"].split()[code] == "unique"
    assert data["redundancy"].values.tolist() == [2]


@pytest.mark.parametrize(
    ("q", "times", "words"),
    [
        (np.zeros((2, 3)), None, "needs poses with 21 coordinates each"),
        (np.zeros((2, 21)), [0.0], "one time for each of the 2 poses"),
        (np.full((1, 21), np.nan), None, "must be finite"),
    ],
)
def test_bad_poses_are_refused(q: np.ndarray, times: list[float] | None, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        check_many(reactio.load("mobile-robot"), q, times=times)
