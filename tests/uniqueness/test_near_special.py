"""Next to special geometry products of offsets lie below rounding: what rests on them is ambiguous, not unique."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.sparse import csr_array

import reactio
from reactio.linear.spans import Spans
from reactio.uniqueness import Verdict, engine, large, near_misses, solvability
from reactio.uniqueness.near_misses import distances_from_spans
from reactio.uniqueness.words import NEAR_SPECIAL

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.syspath_prepend(str(BENCHMARKS.parent / "tests"))
    yield importlib.import_module("verdicts_near")
    for name in ("verdicts_near", "verdicts_matrices"):
        sys.modules.pop(name, None)


# Each was wrong: components and sums called unique that are not, a confident rank, counts of joints that are wrong.
NUMBERS = [(1, k) for k in (142, 301, 661, 774, 1054, 1143, 1253, 1295, 1348, 2295, 5414)]
NUMBERS += [(21, 6943)]  # a singular value of 2e-10, whose rounding makes shares of 1e-6 of zeros
NUMBERS += [(31, 9551)]  # bodies whose reference points are far from their joints: offsets show between the joints
NUMBERS += [(72, 1315)]  # a share of third order, 2.5e-14, below the floor of rounding and above the errors of entries
NUMBERS += [(4401, 2540), (4401, 9387)]  # sums of shares that cancel but for less than rounding
NUMBERS += [(2, 5252), (3, 527)]  # a machine of 2 µm, 1 m from the origin; a row whose share is an offset squared


@pytest.mark.parametrize(("seed", "number"), NUMBERS)
def test_what_offsets_hide_is_not_decided(benchmark: ModuleType, seed: int, number: int) -> None:
    tallies, wrong = benchmark.run(number + 1, seed=seed, first=number, progress=False)
    assert not wrong
    assert not any(tally["below rounding"] for tally in tallies.values())


@pytest.mark.parametrize("large_block", [False, True])
def test_nor_is_it_kilometres_away(benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, large_block: bool) -> None:
    """Centimetres in size, 3 km away: a share of 1e-6 and its square, below what rounding of such coordinates makes."""
    if large_block:
        monkeypatch.setattr(engine, "LARGEST_UNDIVIDED_SIDE", 0)
        monkeypatch.setattr(large, "LARGEST_DENSE_BLOCK", 0)
    given = benchmark.mechanism(np.random.default_rng((1, 1092)), 6)
    small = benchmark.rational.stretched(given, Fraction(1, 100))
    far = benchmark.rational.moved(small, (Fraction(3000), Fraction(-1500), Fraction(1000)))
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    benchmark.judge(far, 1092, "far", counts, wrong)
    assert not wrong
    assert counts["models"] == 1
    assert not counts["refused"] + counts["below rounding"]


def test_rounding_of_a_pose_is_no_offset() -> None:
    """A robot steered by 0.06 mm: what rounding makes of determined rows is multiplied by the motions they hold."""
    system = reactio.build(reactio.load("mobile-robot"))
    steered = reactio.assemble(system, t=1.08)
    random = np.random.default_rng(1)
    for _ in range(20):
        q = steered.q * (1.0 + 1e-15 * random.standard_normal(steered.q.size))
        answer = reactio.check(system, reactio.State(1.08, q, steered.v))
        assert [answer[name].verdict.name for name in "ABH"] == ["UNIQUE", "PARTLY", "UNIQUE"]


def test_a_sample_of_models_placed_anywhere(benchmark: ModuleType) -> None:
    """With joints of all types, in other axes, sizes and orders, and kilometres away."""
    _, wrong = benchmark.run(40, seed=1, progress=False, placed=True)
    assert not wrong


@pytest.mark.parametrize(("seed", "number"), [(1, 5414), *NUMBERS[-7:]])
@pytest.mark.parametrize("loops", [0, 150], ids=["small block", "chain of loops"])
def test_nor_is_it_in_large_blocks(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, seed: int, number: int, loops: int
) -> None:
    """Sparse QR and random probes see the same offsets, in the machine alone and in one with 150 loops hung on it."""
    if not loops:
        monkeypatch.setattr(engine, "LARGEST_UNDIVIDED_SIDE", 0)
        monkeypatch.setattr(large, "LARGEST_DENSE_BLOCK", 0)
    tallies, wrong = benchmark.run(number + 1, seed=seed, first=number, progress=False, loops=loops)
    assert not wrong
    assert sum(tally["components ambiguous"] + tally["sums ambiguous"] for tally in tallies.values()) > 0
    assert not any(tally["below rounding"] for tally in tallies.values())


def test_what_is_unique_on_a_crowded_body_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four rows on one column, two of them the same, and a chain: with too many on a column they are not compared."""
    I = np.eye(450)
    C = csr_array(np.vstack([I[0], I[0], I[0] + I[1], *(I[1:-1] - I[2:])]))
    for most, third in ((1000, Verdict.UNIQUE), (2, Verdict.AMBIGUOUS)):
        monkeypatch.setattr(near_misses, "MOST_ON_A_COLUMN", most)
        verdicts = [group.verdict for group in solvability(C, rounding=0)]
        assert verdicts[:3] == [Verdict.NOT, Verdict.NOT, third]
        assert set(verdicts[3:]) == {Verdict.UNIQUE}


def test_axes_that_doubles_cannot_tell_apart_are_not_asked_for(benchmark: ModuleType) -> None:
    """Two joints tilted alike, one in two steps: 10⁻²¹ apart in fractions, the same in a model file."""
    tallies, wrong = benchmark.run(8342, seed=1, first=8341, progress=False)
    assert not wrong
    assert tallies[7]["lost in doubles"] == 1


def test_an_answer_that_rests_on_less_than_a_rounding_is_counted_apart(benchmark: ModuleType) -> None:
    """A singular value of third order in offsets of 10⁻⁵, 5e-15."""
    tallies, wrong = benchmark.run(9572, seed=4411, first=9571, progress=False)
    assert not wrong
    assert tallies[5]["below rounding"] == 1


@pytest.mark.parametrize("off", [1e-7, 1e-8, 1e-9])
def test_a_near_miss_is_seen_in_any_axes(off: float) -> None:
    """A pin that misses another by δ, in axes in which no entry is small: a row of it misses the span by δ."""
    turn = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))[0]
    rows = np.array([[1.0, 0.0, 0.3], [0.0, 1.0, -0.2], [1.0, 0.0, 0.3 + off]]) @ turn
    assert np.abs(rows).min() > 1e-2
    distances, row = distances_from_spans(rows, Spans(np.array([0, 2, 3])))
    # Along the normal (0.3, −0.2, −1) of the span; rounding makes 1e-16 of it.
    assert distances[row == 2] == pytest.approx([off / np.linalg.norm([0.3, -0.2, -1])], abs=1e-15)


def test_a_near_miss_in_a_large_block_is_a_doubt() -> None:
    """A row that is nearly the sum of two, in a ring of 450: shares that may be the offset squared are not zero."""
    n = 450
    C = np.eye(n) - np.roll(np.diag(0.9 + 0.1 * np.sin(np.arange(n))), 1, axis=1)
    for off, confident in ((0.0, True), (1e-8, False)):
        extra = C[0] + C[1]
        extra[17] += off
        answer = solvability(csr_array(np.vstack([C, extra])), rounding=0)
        assert answer.confident is confident
        assert (NEAR_SPECIAL in answer.notes) is not confident


def test_a_sample_of_models_near_special_geometry(benchmark: ModuleType) -> None:
    tallies, wrong = benchmark.run(64, seed=5, progress=False)
    assert not wrong
    assert tallies[2]["joints ambiguous"] == 0  # a centimetre on a metre is decided


def test_ordinary_mechanisms_stay_decided() -> None:
    for name in ("four-bar-spatial", "bennett", "door", "mobile-robot", "scissor-lattice"):
        answer = reactio.check(reactio.load(name))
        assert answer.confident
        assert not answer.verdicts.doubt.any()
        assert Verdict.AMBIGUOUS not in {group.verdict for group in answer}
