"""Sensors: sets that make everything known, how well they do, and what is found from their readings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.design import sensors as module
from reactio.design.measure import Readings, measure, read_readings
from reactio.errors import ReactioError

from .random_mechanisms import random_mechanism

TABLE = reactio.load("table")
SPARE = ["leg1.Fz", "leg2.Fz", "leg3.Fz"]


def test_four_legs_need_one_load_cell_under_any_of_them() -> None:
    advice = reactio.sensors(TABLE)
    assert advice.redundancy == 1
    assert {one.names for one in advice.sets} == {(f"leg{k}.Fz",) for k in (1, 2, 3, 4)}
    # The self-stress of a rectangle pushes and pulls all legs alike.
    assert [one.amplification for one in advice.sets] == pytest.approx([1.0] * 4)


MECHANISMS = [*map(reactio.load, ("four-bar-spatial", "mobile-robot", "sarrus")), *map(random_mechanism, range(3))]


@pytest.mark.parametrize("model", MECHANISMS, ids=lambda model: model.name)
def test_a_set_makes_everything_unique_and_none_of_it_can_be_left_out(model: reactio.Model) -> None:
    """Some of those of benchmarks/sensors.py, which looks at 500 random ones."""
    eqs = reactio.equations(reactio.build(model))
    best = reactio.sensors(model).sets[0]
    table = module.components_in_self_stresses(eqs)
    rows = [table.names.index(one) for one in best.names]
    # A measured component is a row more: with all of them C has p more independent rows than rank C.
    C, p = eqs.C.toarray(), eqs.solvability.redundancy
    known = np.linalg.matrix_rank(np.vstack([C.T, table.P[rows]]), tol=1e-9)
    assert known == eqs.system.m
    for k in range(p):
        less = np.vstack([C.T, table.P[rows[:k] + rows[k + 1 :]]])
        assert np.linalg.matrix_rank(less, tol=1e-9) == eqs.system.m - 1


def test_exchanges_come_within_ten_percent_of_trying_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in (*map(reactio.load, ("four-bar-spatial", "bennett")), *map(random_mechanism, range(3, 6))):
        best = reactio.sensors(model).sets[0].amplification
        monkeypatch.setattr(module, "MOST_SENSOR_SETS", 0)
        found = reactio.sensors(model)
        monkeypatch.undo()
        assert not found.exhaustive
        assert found.sets[0].amplification <= 1.1 * best


def test_any_sensor_may_fail_where_that_is_asked_for() -> None:
    model = reactio.load("four-bar-spatial")
    best = reactio.sensors(model, faults=1).sets[0]
    assert best.with_faults is not None
    for lost in best.names:
        others = [name for name in best.names if name != lost]
        assert reactio.sensors(model, others).sets


def test_sensors_that_cannot_work_say_what_they_do_not_see() -> None:
    with pytest.raises(ReactioError, match=r"do not detect 2 of 3 self-stresses.*Measure also one of .*M"):
        reactio.sensors(reactio.load("four-bar-spatial"), ["A.Fx", "A.Fz"])
    with pytest.raises(ReactioError, match=r"Did you mean 'leg1\.Fz'"):
        reactio.sensors(TABLE, ["leg1.Fzz"])


def readings(**more: float) -> Readings:
    """What load cells under the table would read when leg 1 bears 100 N, some of them wrong by some newtons."""
    exact = measure(TABLE, Readings(np.zeros(1), {"leg1.Fz": np.array([100.0])}), 1.0)
    return Readings(np.zeros(1), {name: exact[name][0] + more.get(name.partition(".")[0], 0.0) for name in SPARE})


def test_all_reactions_follow_from_one_reading_and_balance() -> None:
    found = measure(TABLE, readings(), 1.0)
    legs = found.values[0]
    assert legs[0] == pytest.approx(100.0)
    assert legs.sum() == pytest.approx(12 * 9.81 + 200)
    # Three equal sensors of one unknown: its deviation is 1/√3 of theirs, and the self-stress is alike in all legs.
    assert found.sigma[0] == pytest.approx([1 / np.sqrt(3)] * 4)
    assert found.contradictions == ()


def test_the_reading_that_contradicts_the_others_is_named() -> None:
    found = measure(TABLE, readings(leg2=20.0), 1.0)
    assert [one.suspects for one in found.contradictions] == [("leg2.Fz",)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("leg1.Fz\n100\n", "no column 't'"),
        ("t,leg1.Fz [N m]\n0,100\n", "'N m' is not a unit of leg1.Fz"),
        ("t,leg1.Fz\n0,100\n,90\n", ":3: the time of these readings is missing"),
        ("t,leg1.Fz\n1,100\n0,90\n", ":3: times must increase"),
        ("t,leg1.Fz\n0,abc\n", ":2: 'abc' in column 'leg1.Fz' is not a number"),
        ("t,leg1.Fz\n0,1\n1,1e308\n", ":3: '1e308' in column 'leg1.Fz' is too large a number"),
        ("t,leg1.Fz\n0\n", ":2: 1 values for 2 columns"),
        ("t,leg1.Fz\n", "there are no readings"),
    ],
)
def test_bad_readings_are_refused(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "readings.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ReactioError, match=words):
        read_readings(file)


def test_units_of_readings_are_converted(tmp_path: Path) -> None:
    file = tmp_path / "readings.csv"
    file.write_text("t [ms],A.Fx [kN],A.Mz [N mm]\n0,1.5,2000\n", encoding="utf-8")
    found = read_readings(file)
    assert found.values["A.Fx"][0] == 1500
    assert found.values["A.Mz"][0] == pytest.approx(2.0)


def test_too_few_readings_are_refused() -> None:
    with pytest.raises(ReactioError, match="do not determine all 1 self-stresses"):
        measure(TABLE, Readings(np.zeros(1), {"leg1.Fz": np.array([np.nan])}), 1.0)


@pytest.mark.parametrize("most_sets", [60_000, 1])  # all sets, and exchanges
def test_a_budget_settles_as_much_as_the_best_of_all_sets(monkeypatch: pytest.MonkeyPatch, most_sets: int) -> None:
    """What a set settles, again by ranks: a row of Y that adds none to those measured."""
    monkeypatch.setattr("reactio.design.sensor_budget.MOST_SENSOR_SETS", most_sets)
    model = reactio.load("four-bar-spatial")
    system = reactio.build(model)
    table = module.components_in_self_stresses(reactio.equations(system, reactio.assemble(system)))

    def settled(sensors: Sequence[int]) -> list[str]:
        rank = np.linalg.matrix_rank(table.Y[list(sensors)], tol=1e-8)
        return [
            name
            for name, row in zip(table.names, table.Y, strict=True)
            if np.linalg.norm(row) > 1e-8
            and np.linalg.matrix_rank(np.vstack([table.Y[list(sensors)], row]), tol=1e-8) == rank
        ]

    best = reactio.sensors(model, budget=2).sets[0]
    assert list(best.settles) == settled([table.names.index(name) for name in best.names])
    assert len(best.settles) == max(len(settled(pair)) for pair in combinations(range(len(table.names)), 2))
