"""Next to special geometry products of offsets lie below rounding: what rests on them is ambiguous, not unique."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import reactio
from reactio.uniqueness import Verdict

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.syspath_prepend(str(BENCHMARKS.parent / "tests"))
    yield importlib.import_module("verdicts_near")
    for name in ("verdicts_near", "verdicts_matrices"):
        sys.modules.pop(name, None)


# Each was wrong: components and sums called unique that are not, a confident rank, counts of joints that are wrong.
@pytest.mark.parametrize("number", [142, 301, 661, 774, 1054, 1143, 1253, 1295, 1348, 2295])
def test_what_offsets_hide_is_not_decided(benchmark: ModuleType, number: int) -> None:
    _, wrong = benchmark.run(number + 1, seed=1, first=number, progress=False)
    assert not wrong


def test_a_sample_of_models_near_special_geometry(benchmark: ModuleType) -> None:
    tallies, wrong = benchmark.run(64, seed=5, progress=False)
    assert not [line for line in wrong if "refused" not in line]
    assert tallies[2]["joints ambiguous"] == 0  # a centimetre on a metre is decided


def test_ordinary_mechanisms_stay_decided() -> None:
    for name in ("four-bar-spatial", "bennett", "door", "mobile-robot", "scissor-lattice"):
        answer = reactio.check(reactio.load(name))
        assert answer.confident
        assert not answer.verdicts.doubt.any()
        assert Verdict.AMBIGUOUS not in {group.verdict for group in answer}
