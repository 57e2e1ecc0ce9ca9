"""Random mechanisms built as models, against exact ranks of matrices written from the same rational geometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from reactio.uniqueness import Solvability, Verdict, engine, large, solvability

from . import rational
from .rational import Mechanism, Vector, random_mechanism

flint = pytest.importorskip("flint")
SPACES = ("planar", "spatial")
FAR = 1000


def exact_rank(rows: list[list[int]]) -> int:
    return int(flint.fmpz_mat(rows).rank()) if rows else 0


def exact_counts(mechanism: Mechanism) -> tuple[int, dict[str, tuple[int, int]]]:
    """The rank of C, and of each group (determined components, rank of its own rows)."""
    groups = rational.exact_rows(mechanism)
    r = exact_rank([row for rows in groups.values() for row in rows])
    found = {}
    for name, rows in groups.items():
        outside = [row for other, rows in groups.items() if other != name for row in rows]
        found[name] = (r - exact_rank(outside), exact_rank(rows))
    return r, found


def said(answer: Solvability) -> dict[str, tuple[Verdict, int]]:
    return {g.name: (g.verdict, g.determined) for g in answer}


@pytest.mark.parametrize("extras", [False, True], ids=["joints", "drives, gears and particles"])
@pytest.mark.parametrize("space", SPACES)
def test_random_mechanisms_against_exact_arithmetic(space: str, extras: bool) -> None:
    rng = np.random.default_rng(11)
    verdicts: Counter[Verdict] = Counter()
    redundant = 0
    for _ in range(220):
        mechanism = random_mechanism(rng, space, extras)
        answer = solvability(rational.constraints(mechanism))
        r, exact = exact_counts(mechanism)
        assert answer.rank == r
        redundant += answer.redundancy > 0
        assert {g.name for g in answer} == set(exact)
        for group in answer:
            verdicts[group.verdict] += 1
            if group.verdict is not Verdict.AMBIGUOUS:
                assert (group.determined, group.rank) == exact[group.name], mechanism
                assert group.multipliers_unique == (group.determined == group.size)
    assert verdicts.total() > 1000
    # Fractions with denominators up to a few hundred leave no grey values; all three words are put to the test.
    assert verdicts[Verdict.AMBIGUOUS] == 0
    assert min(verdicts[word] for word in (Verdict.UNIQUE, Verdict.PARTLY, Verdict.NOT)) > 100
    assert 80 < redundant < 220


def origins(mechanism: Mechanism, rng: np.random.Generator) -> list[Vector]:
    planar = mechanism.space == "planar"
    shifts = FAR * rng.integers(-1, 2, (len(mechanism.links), 3))
    return [tuple(Fraction(int(x)) * (k < 2 or not planar) for k, x in enumerate(row)) for row in shifts]


REWRITTEN: dict[str, Callable[[Mechanism, np.random.Generator], Mechanism]] = {
    "thousand times larger": lambda m, rng: rational.stretched(m, FAR),
    "world origin far away": lambda m, rng: rational.moved(m, (Fraction(FAR), Fraction(-FAR), Fraction(0))),
    "body origins far away": lambda m, rng: rational.with_origins_moved(m, origins(m, rng)),
    "joint frames turned": lambda m, rng: rational.with_frames_turned(m),
    "joints in another order": rational.permuted,
}


@pytest.mark.parametrize("how", REWRITTEN)
@pytest.mark.parametrize("space", SPACES)
def test_the_same_mechanism_in_another_description(space: str, how: str) -> None:
    rng = np.random.default_rng(12)
    for k in range(40):
        mechanism = random_mechanism(rng, space, extras=k % 2 == 0)
        rewritten = REWRITTEN[how](mechanism, rng)
        assert exact_counts(rewritten)[1] == exact_counts(mechanism)[1]  # the rewriting itself is right
        one, other = (solvability(rational.constraints(m)) for m in (mechanism, rewritten))
        assert said(other) == said(one)
        assert one.confident
        assert other.confident


@pytest.mark.parametrize("dense", [10**6, 0], ids=["stacks", "probes"])
@pytest.mark.parametrize("space", SPACES)
def test_blocks_of_models_give_the_verdicts_of_the_whole(
    space: str, dense: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drives, gears between four bodies, knife edges, particles and bridges have their right place in the graph."""
    monkeypatch.setattr(large, "LARGEST_DENSE_BLOCK", dense)
    rng = np.random.default_rng(13)
    split, kinds = 0, set()
    for _ in range(60):
        matrix = rational.constraints(random_mechanism(rng, space, extras=True))
        monkeypatch.setattr(engine, "LARGEST_UNDIVIDED_SIDE", 10**6)
        whole = solvability(matrix)
        monkeypatch.setattr(engine, "LARGEST_UNDIVIDED_SIDE", 0)
        parts = solvability(matrix)
        assert parts.rank == whole.rank
        assert parts.confident
        for field in ("own", "determined", "low", "high", "multipliers_unique"):
            np.testing.assert_array_equal(getattr(parts.verdicts, field), getattr(whole.verdicts, field))
        for one, other in zip(parts, whole, strict=True):
            assert one.shares_with == other.shares_with
        split += not parts.notes[0].startswith("Judged in 1 blocks")
        kinds |= {g.kind for g in matrix.rows.groups}
        edges = zip(matrix.rows.groups, matrix.rows.edges, strict=True)
        kinds |= {f"gear between {len(set(bodies))}" for g, bodies in edges if g.kind == "coupling"}
    assert split > 20
    assert kinds >= {"joint", "drive", "coupling", "gear between 4"}
    assert ("nonholonomic" in kinds) == (space == "planar")
