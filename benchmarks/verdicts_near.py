"""Verdicts on models next to special geometry against exact arithmetic on their unrounded geometry.

Each mechanism has rational geometry with few points and directions, so that redundancies appear; then some of its
joints are shifted and tilted by 10⁻² … 10⁻⁹.  Its rank, and the uniqueness of every joint, of every component and of
sums of components (a joint force less the force of a drive, and others), are known exactly.

Counted: unique and called otherwise, not unique and called unique, left ambiguous; ranks that are wrong and confident.
Refused, and no verdict: machines so small beside their place that doubles lose their joints (1 µm, 4 m away).
Below rounding, and counted apart: the exact answer rests on a singular value or a share that is smaller than what
rounding the numbers of the model file makes, such as 10⁻¹⁵ from 10⁻⁵ cubed; no reader of that file can know it.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/verdicts_near.py --count 10000 [--first 0] [--seed 1] [--large] [--json]
``--large``: each is judged as a block of many rows is, by sparse QR and random probes.  ``--loops 150``: a chain of so
many loops hangs on each; it takes no load and changes no verdict, but makes one block of all.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import reactio
from reactio.uniqueness import engine, large
from reactio.uniqueness.words import Verdict

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent))

from verdicts_matrices import Exact, exact_rows

from uniqueness import rational  # mechanisms in rational numbers live with the tests
from uniqueness.rational import DRIVEN, WRENCHES, Link, Mechanism, Pair

Array = NDArray[np.float64]
SUMS = 8  # sums of components asked for in each model
SMALLEST, LARGEST = 2, 9  # digits of the offsets
LAST_DIGIT = Fraction(1, 2**50)  # difference that doubles about 1 may not show, with some roundings
ROUNDINGS = 2.0**-46  # in a singular value or share: a row is made of some sixty numbers and products, each rounded
EQUILIBRATIONS = 20  # rows and columns are of equal size to a few per cent after so many
LABELS = {letter: ("M" if letter.isupper() else "F") + letter.lower() for letter in "xyzXYZ"}
TOO_SMALL = ("Choose an origin nearby", "would lose the smaller")  # sentences about machines of 1 µm, 4 m away
# Places from the hinge of a link of a loop, and turns, of the rods that hold it.
STOPS = {
    "planar": ((1, 2, 0, (3, 0, 0, 2)),),
    "spatial": ((2, 0, 1, (1, 0, 0, 0)), (0, 2, 1, (1, 0, 1, 0)), (1, 1, 2, (1, 1, 0, 0))),
}
Term = tuple[str, str]  # a group and its component


def mechanism(rng: np.random.Generator, digits: int, placed: bool = False) -> Mechanism:
    """A mechanism with some of its joints moved off their special places by up to six units of a digit.

    ``placed``: with joints of all types, and placed anywhere.
    """
    space = str(rng.choice(("planar", "spatial")))
    types = rational.WRENCHES if placed else rational.USUAL
    special = rational.random_mechanism(rng, space, bool(rng.integers(2)), types)
    for _ in range(int(rng.integers(1, 4))):
        special = rational.misplaced(special, rng, digits)
    return anywhere(special, rng) if placed else special


def anywhere(given: Mechanism, rng: np.random.Generator) -> Mechanism:
    """The same in other axes, another size and order, kilometres away, and with other origins of its bodies; or not."""
    planar = given.space == "planar"

    def vector(limit: int, denominator: int) -> tuple[Fraction, ...]:
        x, y, z = (Fraction(int(i), denominator) for i in rng.integers(-limit, limit, 3))
        return x, y, z * (not planar)

    if rng.random() < 0.6:
        a, b, c, d = (int(i) for i in rng.integers(-9, 10, 4))
        turn = (a, 0, 0, d) if planar else (a, b, c, d)
        given = rational.turned(given, turn) if any(turn) else given
    if rng.random() < 0.5:
        given = rational.stretched(given, Fraction(10) ** int(rng.choice((-3, -2, 2, 3))))
    if rng.random() < 0.4:
        given = rational.permuted(given, rng)
    if rng.random() < 0.4:
        far = Fraction(10) ** int(rng.integers(-2, 3))
        x, y, z = vector(300, 7)
        given = rational.moved(given, (x * far, y * far, z * far))
    if rng.random() < 0.3:
        given = rational.with_origins_moved(given, [vector(40, 3) for _ in given.links])
    return given


def is_lost_in_doubles(given: Mechanism) -> bool:
    """Do the axes of two joints differ by less than doubles can say?  Then a model file is not this mechanism.

    Two joints tilted by the same angle, one of them in two steps, are 10⁻²¹ apart.
    """
    axes = {tuple(Fraction(x, max(pair.q, key=abs)) for x in pair.q) for pair in given.pairs}
    apart = (max(abs(x - y) for x, y in zip(p, q, strict=True)) for p, q in itertools.combinations(axes, 2))
    return any(distance < LAST_DIGIT for distance in apart)


def exact(given: Mechanism) -> tuple[Exact, dict[str, list[int]], dict[Term, int]]:
    """The exact answer, the rows of each group, and the row of each component: its multiplier is the component."""
    by_name = {pair.name: pair for pair in given.pairs}
    rows: list[list[Fraction]] = []
    groups: dict[str, list[int]] = {}
    terms: dict[Term, int] = {}

    def add(group: str, label: str, row: list[Fraction]) -> None:
        terms[group, label] = len(rows)
        groups.setdefault(group, []).append(len(rows))
        rows.append(row)

    for pair in given.pairs:
        for letter in WRENCHES[given.space][pair.type]:
            add(pair.name, LABELS[letter], rational._row(given, pair, letter))
    for name in given.drives:
        letter = DRIVEN[by_name[name].type]
        add(f"drive of {name}", "F" if letter.islower() else "M", rational._row(given, by_name[name], letter))
    for i, j, ratio in given.gears:
        one, other = (rational._row(given, by_name[k], "Z") for k in (i, j))
        add(f"gear {i} {j}", "M", [x - ratio * y for x, y in zip(one, other, strict=True)])
    scale = lcm(*(x.denominator for row in rows for x in row))
    return exact_rows([[int(x * scale) for x in row] for row in rows]), groups, terms


def decided_by(truth: Exact, asked: list[list[list[int]]]) -> float:
    """The number on which answers rest: the smallest singular value, or the share in the self-stresses if smaller.

    Of the matrix with rows and columns of about equal size, by its exact rank and null space.  ``asked``: sums of
    multipliers, some for each answer; of an answer the smallest share counts, of all the largest.
    """
    A = _as_floats(truth.rows)
    A = A[:, A.any(axis=0)]
    rows, columns = np.ones(len(A)), np.ones(A.shape[1])
    for _ in range(EQUILIBRATIONS):
        rows /= np.sqrt(np.linalg.norm(A * rows[:, None] * columns, axis=1))
        columns /= np.sqrt(np.linalg.norm(A * rows[:, None] * columns, axis=0))
    sigma = np.linalg.svd(A * rows[:, None] * columns, compute_uv=False)
    smallest = float(sigma[truth.rank - 1] / sigma[0])
    count = truth.N.ncols()
    if not count:
        return smallest
    exact = [[int(truth.N[i, j]) for i in range(len(A))] for j in range(count)]
    N = np.linalg.qr(np.array([_as_floats([column])[0] for column in exact]).T / rows[:, None])[0]

    def share(p: list[int]) -> float:
        scaled = np.array(p) * rows
        return float(np.linalg.norm(scaled @ N) / np.linalg.norm(scaled))

    shares = max(min((share(p) for p in some if not truth.is_unique(p)), default=1.0) for some in asked)
    return min(smallest, shares)


def _as_floats(numbers: list[list[int]]) -> Array:
    """Whole numbers of any length as parts of the largest."""
    largest = max(abs(x) for row in numbers for x in row)
    return np.array([[float(Fraction(x, largest)) for x in row] for row in numbers])


def sums(rng: np.random.Generator, terms: dict[Term, int]) -> list[dict[Term, int]]:
    """Sums and differences of two or three components, with a drive among them where there is one."""
    names = list(terms)
    drives = [k for k, (group, _) in enumerate(names) if group.startswith("drive")]
    out = []
    for _ in range(SUMS if len(names) > 1 else 0):
        some = {int(k) for k in rng.choice(len(names), min(len(names), int(rng.integers(2, 4))), replace=False)}
        if drives and rng.random() < 0.4:
            some = {*list(some)[:1], int(rng.choice(drives))}
        out.append({names[k]: int(rng.choice((-2, -1, 1, 1, 2))) for k in sorted(some)})
    return out


def with_loops(given: Mechanism, count: int) -> Mechanism:
    """The mechanism with a chain on its first body: each link hangs on the one before it and on ground, determinately.

    Whatever the links before it do, a link has one motion, and no load on it means no load in its joints.
    """
    links, pairs, size = list(given.links), list(given.pairs), len(given.links)
    for k in range(count):
        x, y, z = (Fraction((3 + i) * k % (5 + 2 * i) - 2 - i, 2) for i in range(3))
        planar = given.space == "planar"
        links.append(Link((x, y, Fraction(0) if planar else z), (1, 0, 0, 0)))
        before, own = size + k - 1 if k else 0, size + k
        at = (x + 1, y, Fraction(0) if planar else z)
        hinge, stop = ("revolute", "revolute-translational") if planar else ("spherical", "point-on-plane")
        pairs.append(Pair(f"hinge {k}", hinge, before, own, at, (1, 0, 0, 0)))
        for j, (dx, dy, dz, q) in enumerate(STOPS[given.space]):
            place = (at[0] + dx, at[1] + dy, at[2] + dz)
            pairs.append(Pair(f"stop {k} {j}", stop, -1, own, place, q))
    return replace(given, links=tuple(links), pairs=tuple(pairs))


def judge(given: Mechanism, asked: int, label: str, counts: Counter[str], examples: list[str], loops: int = 0) -> None:
    """Compare what is said with what is so."""
    truth, groups, terms = exact(given)
    counts["models"] += 1
    if is_lost_in_doubles(given):
        counts["lost in doubles"] += 1
        return
    try:
        system = reactio.build(rational.model(with_loops(given, loops)))
        answer: Any = reactio.check(system, system.state())
    except reactio.ReactioError as error:
        counts["refused"] += 1
        counts["refused for other reasons"] += not any(words in str(error) for words in TOO_SMALL)
        return
    wrong: Counter[str] = Counter()
    words: list[str] = []
    asked_wrongly: list[list[list[int]]] = []
    known = {(name, c.name) for name in groups for c in answer[name].components}
    combined = sums(np.random.default_rng(asked), {term: row for term, row in terms.items() if term in known})
    vectors = [[sum(factor * (terms[t] == i) for t, factor in what.items()) for i in range(len(truth.rows))]
               for what in combined]  # fmt: skip

    def count(what: str, said: bool | None, so: bool, name: str, *vectors: list[int]) -> None:
        counts[what] += 1
        counts[f"{what} ambiguous"] += said is None
        if said is not None and said != so:
            kind = "false unique" if said else "false not unique"
            wrong[f"{what} {kind}"] += 1
            words.append(f"{label}: {name}: {kind}")
            asked_wrongly.append(list(vectors))

    counts["rank ambiguous"] += not answer.decision.confident
    rank = truth.rank + answer.m - len(truth.rows)  # rows of loops are independent
    if answer.decision.confident and answer.rank != rank:
        wrong["wrong rank"] += 1
        words.append(f"{label}: rank {answer.rank}, truth {rank}")
    for name, rows in groups.items():
        own, determined = truth.group(rows)
        group = answer[name]
        said = None if group.verdict is Verdict.AMBIGUOUS else group.verdict is Verdict.UNIQUE
        own_rows = [[int(i == row) for i in range(len(truth.rows))] for row in rows]
        count("joints", said, determined == own > 0, name, *own_rows)
        if said is not None and (group.rank, group.determined) != (own, determined):
            wrong["miscounted"] += 1
            words.append(f"{label}: {name}: {group.determined} of {group.rank}, truth {determined} of {own}")
            asked_wrongly.append(own_rows)
        for component in group.components:
            if (name, component.name) in terms:
                p = [int(i == terms[name, component.name]) for i in range(len(truth.rows))]
                count("components", component.unique, truth.is_unique(p), f"{name}.{component.name}", p)
    for what, p in zip(combined, vectors, strict=True):
        count("sums", answer.functional(what).unique, truth.is_unique(p), f"sum {what}", p)
    if words and decided_by(truth, asked_wrongly or [[]]) < ROUNDINGS:
        counts["below rounding"] += 1
        return
    counts.update(wrong)
    examples += words


def run(
    count: int, seed: int, first: int = 0, progress: bool = True, loops: int = 0, placed: bool = False
) -> tuple[dict[int, Counter[str]], list[str]]:
    """Judge models number ``first`` to ``count``, at all offsets in turn; the same ones for the same seed."""
    tallies: dict[int, Counter[str]] = {}
    examples: list[str] = []
    began = time.process_time()
    for k in range(first, count):
        digits = SMALLEST + k % (LARGEST - SMALLEST + 1)
        given = mechanism(np.random.default_rng((seed, k)), digits, placed)
        judge(given, k, f"#{k} 1e-{digits}", tallies.setdefault(digits, Counter()), examples, loops)
        if progress and (k + 1) % 200 == 0:
            print(f"{k + 1} of {count}, {time.process_time() - began:.0f} s, {len(examples)} wrong", file=sys.stderr)
    return tallies, examples


def main() -> None:
    """Print the counts at every offset, and examples of what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="go on from this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large", action="store_true", help="judge each as a block of many rows is")
    parser.add_argument("--loops", type=int, default=0, help="of a chain on each")
    parser.add_argument("--placed", action="store_true", help="with joints of all types, and placed anywhere")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.large:
        engine.LARGEST_UNDIVIDED_SIDE = large.LARGEST_DENSE_BLOCK = 0
    tallies, examples = run(options.count, options.seed, options.first, loops=options.loops, placed=options.placed)
    if options.json:
        print(json.dumps({"counts": tallies, "examples": examples}, indent=2))
        return
    total: Counter[str] = sum(tallies.values(), Counter())
    for digits, tally in [*sorted(tallies.items()), ("all", total)]:
        shares = ", ".join(
            f"{what} {100.0 * tally[f'{what} ambiguous'] / max(tally[what], 1):.2f} %"
            for what in ("joints", "components", "sums")
        )
        print(f"offset 1e-{digits}: {tally['models']} models; ambiguous: {shares}")
        for key in sorted(
            k
            for k in tally
            if "false" in k or k in ("wrong rank", "miscounted", "lost in doubles", "below rounding") or "refused" in k
        ):
            print(f"    {key}: {tally[key]}")
    for example in itertools.islice(examples, 40):
        print(" ", example)


if __name__ == "__main__":
    main()
