"""Verdicts on structured matrices against exact ranks of the very numbers that are given.

A double is a fraction, so every matrix has one exact rank and one exact null space.  The matrices are hard in the ways
that Jacobians of other programs are: rows that nearly repeat or nearly depend on others, at every distance down to the
last digit; rings of gears that close or nearly close; rows and columns in units over many decades; integers of low
rank; numbers in single precision.  Their rows come singly and in groups, and sums of multipliers are asked for too.

Counted for groups, components and sums: unique and called otherwise, not unique and called unique, left ambiguous.  An
answer says *without a doubt* what it says with a confident rank, no ambiguous verdict, and no note on rounding.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/verdicts_matrices.py --count 10000 [--first 0] [--seed 1] [--json]
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactio.uniqueness import Solvability, solvability
from reactio.uniqueness.words import Verdict

Array = NDArray[np.float64]
SUMS = 6  # sums of multipliers asked for in each matrix
LARGEST_SIDE = 14  # of a random matrix: exact null spaces of larger ones say nothing else and take long


# ---------------------------------------------------------------- the exact answer


@dataclass(frozen=True)
class Exact:
    """The rank of a matrix of doubles and an integer basis N (m, p) of null(Cᵀ)."""

    rows: list[list[int]]
    rank: int
    N: Any

    def is_unique(self, p: list[int]) -> bool:
        """Is the sum p of multipliers the same for all λ with Cᵀλ = f?"""
        from flint import fmpz_mat

        return not any(int(x) for x in (fmpz_mat([p]) * self.N).entries())

    def group(self, members: list[int]) -> tuple[int, int]:
        """Rank of the wrench of a group, and how many of its components are determined."""
        from flint import fmpz_mat

        own = _rank([self.rows[i] for i in members])
        p = self.N.ncols()
        if not p:
            return own, own
        N_X = fmpz_mat([[int(self.N[i, j]) for j in range(p)] for i in members])
        C_X = fmpz_mat([self.rows[i] for i in members])
        return own, own - (C_X.transpose() * N_X).rank()


def exact(C: Array) -> Exact:
    """The exact answer on doubles, each taken as the fraction that it is."""
    fractions = [[Fraction(float(x)) for x in row] for row in C]
    scale = lcm(*(x.denominator for row in fractions for x in row))  # one for all rows: λ keeps its meaning
    return exact_rows([[int(x * scale) for x in row] for row in fractions])


def exact_rows(rows: list[list[int]]) -> Exact:
    """The exact answer on integers."""
    from flint import fmpz_mat

    basis, nullity = fmpz_mat(rows).transpose().nullspace()
    m = len(rows)
    N = fmpz_mat([[int(basis[i, j]) for j in range(nullity)] for i in range(m)]) if nullity else fmpz_mat(m, 0)
    return Exact(rows, m - nullity, N)


def _rank(rows: list[list[int]]) -> int:
    from flint import fmpz_mat

    return int(fmpz_mat(rows).rank())


# ---------------------------------------------------------------- matrices of every kind


def base(rng: np.random.Generator) -> Array:
    """A small matrix of full row rank, nearly always: integers, halves and quarters, or random doubles."""
    m = int(rng.integers(2, 8))
    n = int(rng.integers(m, LARGEST_SIDE))
    kind = rng.integers(3)
    if kind == 0:
        C = rng.integers(-4, 5, (m, n)).astype(float)
    elif kind == 1:
        C = rng.integers(-16, 17, (m, n)) / 4.0 * (rng.random((m, n)) < 0.6)
    else:
        C = rng.standard_normal((m, n)) * (rng.random((m, n)) < 0.7)
    return _no_zero_rows(C, rng)


def _no_zero_rows(C: Array, rng: np.random.Generator) -> Array:
    for i in np.flatnonzero(~C.any(axis=1)):
        C[i, int(rng.integers(C.shape[1]))] = 1.0
    return C


def distance(rng: np.random.Generator) -> float:
    """From a hundredth to the last digit of a double."""
    return float(10.0 ** rng.uniform(-16.5, -2.0))


def moved(row: Array, by: float, rng: np.random.Generator) -> Array:
    """A row whose entries, one or all, are changed by a part of them; sometimes a zero of it is."""
    out = row.copy()
    kind = rng.integers(3)
    if kind == 0:
        out *= 1.0 + by * rng.standard_normal(row.size)
    elif kind == 1:
        j = int(rng.choice(np.flatnonzero(row)))
        out[j] *= 1.0 + by
    else:
        out[int(rng.integers(row.size))] += by * np.abs(row).max()
    return out


def repeated(rng: np.random.Generator) -> Array:
    """Rows that nearly repeat, in the same or in another unit; some repeat exactly."""
    C = base(rng)
    rows = list(C)
    for _ in range(int(rng.integers(1, 4))):
        row = rows[int(rng.integers(len(rows)))]
        factor = float(rng.choice((1.0, 1.0, -1.0, 2.0, 0.5, 3.0, 1e3)))
        rows.append(factor * (row if rng.random() < 0.25 else moved(row, distance(rng), rng)))
    return np.array(rows)[rng.permutation(len(rows))]


def combined(rng: np.random.Generator) -> Array:
    """Rows that are nearly, or exactly but for rounding, sums of others."""
    rows = list(base(rng))
    for _ in range(int(rng.integers(1, 3))):
        some = rng.choice(len(rows), min(len(rows), int(rng.integers(2, 4))), replace=False)
        row = sum(float(rng.choice((-2.0, -1.0, 1.0, 0.5, 2.0))) * rows[int(i)] for i in some)
        if not np.any(row):
            continue
        rows.append(row if rng.random() < 0.25 else moved(np.asarray(row), distance(rng), rng))
    return np.array(rows)[rng.permutation(len(rows))]


def ring(rng: np.random.Generator) -> Array:
    """Gears x_k = r_k x_{k+1} around a ring that closes, or nearly does, and shafts held by single rows."""
    size = int(rng.integers(3, 11))
    most = int(rng.choice((1, 3, 8, 20)))
    powers = rng.integers(-most, most + 1, size - 1)
    C = np.zeros((size, size))
    for k, e in enumerate(powers):
        C[k, k], C[k, k + 1] = 1.0, -(2.0 ** int(e)) * (1.0 if rng.random() < 0.5 else 3.0)
    product = float(np.prod([-C[k, k + 1] for k in range(size - 1)]))
    C[-1, 0], C[-1, -1] = 1.0, -product
    if rng.random() < 0.5:
        C[-1, -1] *= 1.0 + distance(rng)
    extra = [np.eye(size)[int(rng.integers(size))] for _ in range(int(rng.integers(0, 3)))]
    C = np.vstack([C, *extra]) if extra else C
    return C[rng.permutation(len(C))]


def graded(rng: np.random.Generator) -> Array:
    """A matrix of another kind with rows and columns in units of powers of two over many decades."""
    C = (repeated, combined, whole_numbers)[int(rng.integers(3))](rng)
    most = int(rng.choice((4, 12, 30, 60)))
    m, n = C.shape
    rows, columns = (2.0 ** rng.integers(-most, most + 1, k).astype(float) for k in (m, n))
    if rng.random() < 0.5:
        columns = np.ones(n)
    return np.asarray(rows[:, None] * C * columns)


def whole_numbers(rng: np.random.Generator) -> Array:
    """Integers of low rank: a product of two matrices of small integers."""
    m, n = (int(k) for k in rng.integers(3, LARGEST_SIDE, 2))
    r = int(rng.integers(1, min(m, n) + 1))
    A = rng.integers(-3, 4, (m, r)) * (rng.random((m, r)) < 0.5)
    B = rng.integers(-3, 4, (r, n)) * (rng.random((r, n)) < 0.5)
    return _no_zero_rows((A @ B).astype(float), rng)


def single_precision(rng: np.random.Generator) -> Array:
    """A matrix of another kind whose numbers were rounded to 24 bits."""
    C = (repeated, combined, ring)[int(rng.integers(3))](rng)
    if rng.random() < 0.5:
        C = C * float(rng.choice((0.1, 1.0 / 3.0, 0.7)))
    return C.astype(np.float32).astype(float)


def tiny(rng: np.random.Generator) -> Array:
    """Two rows, parallel exactly or nearly, with entries up to 2⁶⁰ apart, among others."""
    k = int(rng.integers(10, 61))
    two = np.array([[1.0, 2.0**k], [2.0**-k, 1.0]])
    if rng.random() < 0.5:
        two[1, 1] *= 1.0 + distance(rng)
    C = base(rng)
    out = np.zeros((len(C) + 2, C.shape[1] + 2))
    out[:2, :2], out[2:, 2:] = two, C
    if rng.random() < 0.5:
        out[2, 0] = 1.0
    return out[rng.permutation(len(out))]


KINDS: dict[str, Callable[[np.random.Generator], Array]] = {
    "near-duplicate rows": repeated,
    "near-dependent rows": combined,
    "rings": ring,
    "graded": graded,
    "integers": whole_numbers,
    "single precision": single_precision,
    "tiny": tiny,
}


def grouped(rng: np.random.Generator, m: int) -> dict[str, list[int]]:
    """Rows singly, in pairs, or in groups of up to six."""
    most = int(rng.choice((1, 2, 3, 6)))
    order, at, groups = [int(i) for i in rng.permutation(m)], 0, {}
    while at < m:
        size = int(rng.integers(1, most + 1))
        groups[f"g{len(groups)}"] = order[at : at + size]
        at += size
    return groups


def sums(rng: np.random.Generator, m: int) -> list[list[int]]:
    """Sums and differences of two to all multipliers with small whole factors."""
    out = []
    for _ in range(SUMS):
        p = [0] * m
        for i in rng.choice(m, int(rng.integers(2, min(m, 5) + 1)), replace=False):
            p[int(i)] = int(rng.choice((-2, -1, 1, 1, 2)))
        out.append(p)
    return out


# ---------------------------------------------------------------- what is said against what is so


@dataclass
class Judged:
    """One matrix: what was wrong, and how much was left open."""

    counts: Counter[str]
    examples: list[str]


def judge(C: Array, groups: dict[str, list[int]], functionals: list[list[int]], label: str) -> Judged:
    """Compare an answer with the exact one."""
    truth, answer = exact(C), solvability(C, groups)
    counts: Counter[str] = Counter(matrices=1)
    examples: list[str] = []
    noted = has_note(answer)

    def count(what: str, said: bool | None, so: bool, words: str) -> None:
        counts[what] += 1
        counts[f"{what} ambiguous"] += said is None
        if said is None or said == so:
            return
        kind = "false unique" if said else "false not unique"
        doubt = "with a note" if noted else "without a doubt"
        counts[f"{what} {kind} {doubt}"] += 1
        if not noted:
            examples.append(f"{label}: {words} is {'unique' if so else 'not unique'}, {kind}")

    if answer.decision.confident and answer.rank != truth.rank:
        counts["wrong rank with a note" if noted else "wrong rank without a doubt"] += 1
        if not noted:
            examples.append(f"{label}: rank {truth.rank}, said {answer.rank}")
    counts["ambiguous rank"] += not answer.decision.confident
    for name, members in groups.items():
        verdict = answer[name]
        own, determined = truth.group(members)
        said = None if verdict.verdict is Verdict.AMBIGUOUS else verdict.verdict is Verdict.UNIQUE
        count("groups", said, determined == own > 0, name)
        if said is not None and (verdict.rank, verdict.determined) != (own, determined):
            counts["miscounted with a note" if noted else "miscounted without a doubt"] += 1
            if not noted:
                words = f"{verdict.determined} of {verdict.rank}"
                examples.append(f"{label}: {name} has {determined} of {own} determined, said {words}")
        for i, component in zip(members, verdict.components, strict=True):
            p = [0] * len(C)
            p[i] = 1
            count("components", component.unique, truth.is_unique(p), f"{name}, row {i}")
    for p in functionals:
        verdict_on_sum = answer.functional(np.array(p, float))
        noted = has_note(answer) or bool(verdict_on_sum.note)
        count("sums", verdict_on_sum.unique, truth.is_unique(p), f"sum {p}")
    return Judged(counts, examples)


def has_note(answer: Solvability) -> bool:
    """Does the answer say that something was taken for rounding?"""
    return bool(answer.last_digits) or any("rounding" in note for note in answer.notes)


def draw(seed: int, k: int) -> tuple[str, Array, dict[str, list[int]], list[list[int]]]:
    """Matrix number k: its kind, its entries, its groups, and the sums asked for."""
    rng = np.random.default_rng((seed, k))
    kind = list(KINDS)[k % len(KINDS)]
    C = KINDS[kind](rng)
    return kind, C, grouped(rng, len(C)), sums(rng, len(C))


def run(count: int, seed: int, first: int = 0, progress: bool = True) -> tuple[dict[str, Counter[str]], list[str]]:
    """Judge matrices number ``first`` to ``count``, all kinds in turn; the same ones for the same seed."""
    tallies: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    examples: list[str] = []
    began = time.process_time()
    for k in range(first, count):
        kind, C, groups, functionals = draw(seed, k)
        judged = judge(C, groups, functionals, f"#{k} {kind}")
        tallies[kind].update(judged.counts)
        examples += judged.examples
        if progress and (k + 1) % 500 == 0:
            print(f"{k + 1} of {count}, {time.process_time() - began:.0f} s, {len(examples)} wrong", file=sys.stderr)
    return tallies, examples


def main() -> None:
    """Print the counts of every kind, and examples of what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="go on from this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tallies, examples = run(options.count, options.seed, options.first)
    if options.json:
        print(json.dumps({"counts": tallies, "examples": examples}, indent=2))
        return
    total: Counter[str] = sum(tallies.values(), Counter())
    for kind, tally in [*tallies.items(), ("all", total)]:
        shares = ", ".join(
            f"{what} {100.0 * tally[f'{what} ambiguous'] / max(tally[what], 1):.2f} %"
            for what in ("groups", "components", "sums")
        )
        print(f"{kind}: {tally['matrices']} matrices; ambiguous: {shares}")
        for key in sorted(k for k in tally if "false" in k or "wrong" in k or "miscounted" in k):
            print(f"    {key}: {tally[key]}")
    for example in itertools.islice(examples, 40):
        print(" ", example)


if __name__ == "__main__":
    main()
