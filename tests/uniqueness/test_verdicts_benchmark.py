"""A sample of benchmarks/verdicts.py: random mechanisms made hard, against exact arithmetic on unrounded geometry."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "verdicts.py"


@pytest.fixture(scope="module")
def verdicts() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verdicts_benchmark", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_no_false_unique_and_no_certain_wrong_rank(verdicts: ModuleType) -> None:
    """Noise rows, graded self-stresses, units over 12 decades and rounded geometry, ten of each."""
    tallies = verdicts.run(50, seed=7, progress=False)
    found = verdicts.total(tallies)
    examples = [example for tally in tallies.values() for example in tally.examples]
    assert (found["false_unique"], found["wrong_rank"]) == (0, 0), examples
    assert found["refused"] == 0, examples
    assert found["joints"] > 300


def test_second_order_leaves_a_rank_in_doubt(verdicts: ModuleType) -> None:
    """Geometry rounded to 3 digits, whose singular values the accuracy makes zero up to terms of second order only."""
    tallies = verdicts.run(5675, seed=2026, progress=False, first=5674)
    assert verdicts.total(tallies)["wrong_rank"] == 0
