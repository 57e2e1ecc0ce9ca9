"""Verdicts on random mechanisms against exact arithmetic on their unrounded geometry.

Each mechanism is rational, so its rank and the determined components of every joint are known exactly.  It is then made
hard in the ways that real models are: an equation whose terms cancel, gears whose self-stress spans up to 26 decades,
lengths in units over 12 decades, and geometry rounded to 3 … 9 digits with that accuracy stated.

Counted: joints called unique that are not, ranks that are wrong and called certain, joints left ambiguous.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/verdicts.py --count 10000 [--first 0] [--seed 1] [--json]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

import reactio
from reactio.model.accuracy import Accuracy

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from uniqueness import rational  # mechanisms in rational numbers live with the tests
from uniqueness.rational import Link, Mechanism, Pair

LARGEST = 130  # a model takes ratios up to 2¹³²
KINDS = ("noise", "graded", "units", "rounded", "rounded, units, noise")


@dataclass
class Tally:
    """What was said about the mechanisms of one kind."""

    mechanisms: int = 0
    joints: int = 0
    false_unique: int = 0
    wrong_rank: int = 0
    false_not: int = 0
    ambiguous: int = 0
    refused: int = 0
    examples: list[str] = field(default_factory=list)


def with_noise(mechanism: Mechanism, rng: np.random.Generator) -> Mechanism:
    """A second revolute on the line of one there is, and a gear between both that says 0 = 0."""
    turning = [p for p in mechanism.pairs if p.type == "revolute" and not mechanism.links[p.b].particle]
    if not turning:
        return mechanism
    one = turning[int(rng.integers(len(turning)))]
    swapped = bool(rng.integers(2)) and one.a >= 0
    ends = (one.b, one.a) if swapped else (one.a, one.b)
    along = rational.matrix(one.q)[:, 2] * Fraction(int(rng.integers(-2, 3)), 3)
    spatial = mechanism.space == "spatial"
    at = tuple(x + d for x, d in zip(one.at, along, strict=True)) if spatial else one.at
    twin = replace(one, name="N", a=ends[0], b=ends[1], at=at)
    gear = (one.name, "N", -1 if swapped else 1)
    return replace(mechanism, pairs=(*mechanism.pairs, twin), gears=(*mechanism.gears, gear))


def with_ring(mechanism: Mechanism, rng: np.random.Generator) -> Mechanism:
    """Wheels on ground and a ring of gears that closes: each gear has a share of its self-stress, however small."""
    size, most = int(rng.integers(3, 9)), int(rng.choice((1, 4, 16, 44)))
    first, q = len(mechanism.links), rational.TURNS[mechanism.space][int(rng.integers(3))]
    links = tuple(Link((Fraction(k), Fraction(0), Fraction(0)), (1, 0, 0, 0)) for k in range(size))
    pairs = tuple(Pair(f"W{k}", "revolute", -1, first + k, links[k].r, q) for k in range(size))
    powers = rng.integers(0, most + 1, size - 1)
    powers[np.cumsum(powers) > LARGEST] = 0
    gears = [(f"W{k}", f"W{k + 1}", 2 ** int(e)) for k, e in enumerate(powers)]
    gears.append(("W0", f"W{size - 1}", 2 ** int(powers.sum())))
    return replace(
        mechanism,
        links=(*mechanism.links, *links),
        pairs=(*mechanism.pairs, *pairs),
        gears=(*mechanism.gears, *gears),
    )


def made(mechanism: Mechanism, unit: float, digits: int | None) -> reactio.Model:
    """The model with lengths in another unit and its geometry rounded to some digits after the point."""
    model = rational.model(mechanism)

    def cut(x: float, size: float) -> float:
        return size * (x if digits is None else round(x, digits))

    def lengths(values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(cut(x, unit) for x in values)

    def angles(values: tuple[float, ...]) -> tuple[float, ...]:
        found = tuple(cut(x, 1.0) for x in values)
        size = math.hypot(*found) if len(found) == 4 else 1.0
        return tuple(x / size for x in found)

    bodies = tuple(
        replace(
            b,
            position=lengths(b.position),
            orientation=angles(b.orientation),
            inertia=tuple(x * unit * unit for x in b.inertia),
        )
        for b in model.bodies
    )
    joints = tuple(
        replace(
            j,
            a=replace(j.a, point=lengths(j.a.point), orientation=angles(j.a.orientation)),
            b=replace(j.b, point=lengths(j.b.point), orientation=angles(j.b.orientation)),
        )
        for j in model.joints
    )
    accuracy = None if digits is None else Accuracy(unit * 10.0**-digits, 10.0**-digits)
    return replace(model, bodies=bodies, joints=joints, accuracy=accuracy)


def draw(rng: np.random.Generator, kind: str) -> tuple[Mechanism, float, int | None]:
    """A mechanism of one kind, its unit of length, and the digits of its geometry."""
    space = str(rng.choice(("planar", "spatial")))
    mechanism = rational.random_mechanism(rng, space, extras=bool(rng.integers(2)))
    if "noise" in kind:
        mechanism = with_noise(mechanism, rng)
    if kind == "graded":
        mechanism = with_ring(mechanism, rng)
    unit = 10.0 ** float(rng.uniform(-6, 6)) if "units" in kind else 1.0
    digits = int(rng.integers(3, 10)) if "rounded" in kind else None
    return mechanism, unit, digits


def judge(mechanism: Mechanism, unit: float, digits: int | None, tally: Tally, label: str) -> None:
    """Compare what is said with what is so."""
    exact = rational.exact_rows(mechanism)
    rank, counts = truth(exact)
    tally.mechanisms += 1
    try:
        system = reactio.build(made(mechanism, unit, digits))
        answer = reactio.check(system, system.state())
    except reactio.ReactioError as error:
        tally.refused += 1
        tally.examples.append(f"{label}: refused: {error}")
        return
    if answer.decision.confident and answer.rank != rank:
        tally.wrong_rank += 1
        tally.examples.append(f"{label}: rank {answer.rank}, truth {rank}")
    for group in answer:
        own, determined = counts[group.name]
        unique = determined == own > 0
        tally.joints += 1
        tally.ambiguous += group.verdict.value == "ambiguous"
        if group.verdict.value == "unique" and not unique:
            tally.false_unique += 1
            tally.examples.append(f"{label}: {group.name} called unique, {determined} of {own} are")
        tally.false_not += group.verdict.value in ("not unique", "partly unique") and unique


def truth(exact: dict[str, list[list[int]]]) -> tuple[int, dict[str, tuple[int, int]]]:
    """The rank, and (rank of the wrench, determined components) of each group, in integers."""
    from flint import fmpz_mat

    def rank(rows: list[list[int]]) -> int:
        return int(fmpz_mat(rows).rank()) if rows else 0

    whole = rank([row for rows in exact.values() for row in rows])
    counts = {}
    for name, own in exact.items():
        outside = rank([row for other, rows in exact.items() if other != name for row in rows])
        counts[name] = (rank(own), whole - outside)
    return whole, counts


def run(count: int, seed: int, progress: bool = True, first: int = 0) -> dict[str, Tally]:
    """Judge mechanisms number ``first`` to ``count``, all kinds in turn; the same ones for the same seed."""
    tallies: dict[str, Tally] = {}
    began = time.monotonic()
    try:
        for k in range(first, count):
            kind = KINDS[k % len(KINDS)]
            mechanism, unit, digits = draw(np.random.default_rng((seed, k)), kind)
            key = kind if digits is None else f"{kind}, {digits} digits"
            judge(mechanism, unit, digits, tallies.setdefault(key, Tally()), f"#{k} {key}, unit {unit:.1e}")
            if progress and (k + 1) % 200 == 0:
                print(
                    f"{k + 1} of {count}, {time.monotonic() - began:.0f} s, {dict(total(tallies))}",
                    file=sys.stderr,
                    flush=True,
                )
    except KeyboardInterrupt:
        print("interrupted: the figures are those so far", file=sys.stderr)
    return tallies


def total(tallies: dict[str, Tally]) -> Counter[str]:
    """Sums over all kinds."""
    names = ("mechanisms", "joints", "false_unique", "wrong_rank", "false_not", "ambiguous", "refused")
    return Counter({name: sum(getattr(t, name) for t in tallies.values()) for name in names})


def main() -> None:
    """Print one line per kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="go on from this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tallies = run(options.count, options.seed, first=options.first)
    if options.json:
        print(json.dumps({key: vars(t) for key, t in sorted(tallies.items())}, indent=2))
        return
    print(f"{'kind':38s} mechanisms  joints  false unique  wrong rank  not, is unique  ambiguous  refused")
    for key, t in sorted(tallies.items()):
        share = 100.0 * t.ambiguous / max(t.joints, 1)
        print(
            f"{key:38s} {t.mechanisms:10d} {t.joints:7d} {t.false_unique:13d} {t.wrong_rank:11d} {t.false_not:15d} "
            f"{share:8.2f} % {t.refused:8d}"
        )
    print(dict(total(tallies)))
    for example in [e for t in tallies.values() for e in t.examples][:30]:
        print(" ", example)


if __name__ == "__main__":
    main()
