"""Verdicts by the batch: are they those of ``solvability``, and how long does one take?

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/check_many.py --states 1000000 [--seed 1] [--only mobile-robot]
     OPENBLAS_NUM_THREADS=1 python benchmarks/check_many.py --time

Poses are those of random motions of the mechanisms of the library, also at the singular configurations among their
parameters, some moved off by displacements of 1e-16 … 1e-1 and left open.  Prints for each mechanism the states,
the part that went to the full analysis, those with ambiguous verdicts, and the differences: there must be none.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import reactio
from reactio.arrays import Floats
from reactio.diagnosis.check_many import VerdictTable, check_many, full_analysis
from reactio.kernels import compiled_throughout
from reactio.kinematics.assemble import displaced_pose
from reactio.library import names
from reactio.model.contacts import may_stand_open
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System
from reactio.uniqueness import solvability

LARGEST_SIDE = 150  # of C: larger models are judged block by block, one by one
# Angles of variants of the mechanisms that have one among their parameters: singular configurations, and close to them.
ANGLES = {"double-four-bar": "theta", "modified-double-four-bar": "theta", "two-by-two-four-bar": "theta1"}
SPECIAL_ANGLES = (0.0, 1e-9, 1e-7, 1e-5, 1e-3)
BASES = 40  # poses along random motions of each mechanism; the others are displaced from them
TIMED_STATES, REPEATS = 4000, 7


class Mechanism(NamedTuple):
    """A system by name."""

    name: str
    system: System


def mechanisms(only: str | None = None) -> Iterator[Mechanism]:
    """The mechanisms of the library that are small enough, with their special variants.

    Those with contacts and cables are left out: displaced poses open some, and a batch refuses those.
    """
    for name in names():
        if only is None or name == only:
            special = [{ANGLES[name]: angle} for angle in SPECIAL_ANGLES] if name in ANGLES else []
            for parameters in ({}, *special):
                model = reactio.load(name, **parameters)
                if may_stand_open(model):
                    continue
                system = reactio.build(model)
                if max(system.m, system.n) <= LARGEST_SIDE:
                    yield Mechanism(" ".join([name, *(f"{k}={v:g}" for k, v in parameters.items())]), system)


def poses(system: System, count: int, rng: np.random.Generator) -> Floats:
    """Poses (count, nq): random motions, then displacements of all sizes from them, closed or not."""
    bases = [State(0.0, start_pose(system), np.zeros(system.n))]
    for _ in range(min(BASES, count) - 1):
        answer = solvability(reactio.equations(system, bases[-1]).constraints)
        if not answer.mobility:
            break
        d = answer.T @ rng.standard_normal(answer.mobility)
        d *= (
            10.0 ** rng.choice([rng.uniform(-1.5, -0.3), rng.uniform(-10.0, -2.0)])
            / np.abs(d / system.column_scale).max()
        )
        there = displaced_pose(system, bases[-1], d)
        bases.append(bases[0] if there is None else there)
    every = [state.q for state in bases]
    while len(every) < count:
        q = bases[rng.integers(len(bases))].q
        size = 10.0 ** rng.uniform(-16.0, -1.0)
        every.append(advance(system, q, size * system.column_scale * rng.standard_normal(system.n)))
    return np.array(every[:count])


def start_pose(system: System) -> Floats:
    """The assembled pose, or the given one where it cannot be assembled."""
    try:
        return np.array(reactio.assemble(system).q)
    except reactio.ReactioError:
        return np.array(system.q0)


def differences(system: System, q: Floats) -> tuple[VerdictTable, int]:
    """The table of a batch, and in how many of the states that bounds settled it differs from the full analysis.

    The other states have been judged by the full analysis itself.
    """
    table = check_many(system, q)
    settled = np.flatnonzero(~table.full)
    full = full_analysis(system, q[settled], table.times[settled])
    same = (table.rank[settled] == full.rank) & (table.confident[settled] == full.confident)
    for name in ("verdict", "determined", "component_verdict"):
        equal = getattr(table, name)[settled] == getattr(full, name)
        same &= equal.all(axis=tuple(range(1, equal.ndim)))
    same &= table.margin[settled] <= full.margin * (1.0 + 1e-9)  # a lower bound, up to rounding
    return table, int((~same).sum())


def compare(states: int, seed: int, only: str | None) -> int:
    """Print a line for each mechanism; the number of differences."""
    rng, every, total = np.random.default_rng(seed), list(mechanisms(only)), 0
    print(f"{'mechanism':34s} {'C':>9s} {'states':>8s} {'full':>7s} {'ambiguous':>9s} {'differences':>11s}")
    for name, system in every:
        q = poses(system, max(2, states // len(every)), rng)
        table, different = differences(system, q)
        total += different
        ambiguous = float((~table.confident).mean())
        print(
            f"{name:34s} {system.m:4d}×{system.n:<4d} {len(q):8,d} {table.full.mean():7.1%} {ambiguous:9.1%} "
            f"{different:11d}",
            flush=True,
        )
    print(f"differences in all: {total}")
    return total


def timing() -> list[tuple[str, tuple[int, int], float, float, float]]:
    """Microseconds of processor time per state: by the batch, by ``solvability`` of a ready C, and of one SVD."""
    rows = []
    for name in ("mobile-robot", "spatial-parallelogram"):
        system = reactio.build(reactio.load(name))
        q = np.tile(start_pose(system), (TIMED_STATES, 1))
        matrix = reactio.equations(system, State(0.0, q[0], np.zeros(system.n))).constraints
        with compiled_throughout():
            batch = least(lambda s=system, q=q: check_many(s, q)) / len(q)
        one = least(lambda M=matrix: [solvability(M) for _ in range(20)]) / 20
        svd = least(lambda C=matrix.C: [np.linalg.svd(C) for _ in range(100)]) / 100
        rows.append((name, matrix.shape, 1e6 * batch, 1e6 * one, 1e6 * svd))
    return rows


def least(call: object) -> float:
    """The least processor time of a call [s]; the first one is not counted."""
    assert callable(call)
    call()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Compare or time."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--states", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only")
    options.add_argument("--time", action="store_true")
    given = options.parse_args()
    if given.time:
        for name, shape, batch, one, svd in timing():
            print(f"{name:24s} {shape!s:9s} batch {batch:6.1f} µs  solvability {one:7.0f} µs  SVD {svd:6.0f} µs")
        return
    with compiled_throughout():
        raise SystemExit(compare(given.states, given.seed, given.only) > 0)


if __name__ == "__main__":
    main()
