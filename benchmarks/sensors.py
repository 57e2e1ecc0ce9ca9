"""Proposed sensors of random mechanisms: do they make everything unique, can one be left out, how good are they?

    python benchmarks/sensors.py [--count 500] [--first 0]

For each mechanism (1 to 6 redundant equations) the best set is looked for by exchanges, as for large mechanisms, and by
trying all sets where there are at most 60,000.  Counted: sets after which some reaction is still open, sets of which a
sensor can be left out, and the ratio of the amplification by exchanges to the best there is.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import reactio
from reactio.design import sensors as module

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from design.random_mechanisms import random_mechanism


def known(model: reactio.Model, names: tuple[str, ...]) -> int:
    """Multipliers that equilibrium Cᵀλ = f and the readings P λ determine together: rank [Cᵀ; P]."""
    eqs = reactio.equations(reactio.build(model))
    table = module.components_in_self_stresses(eqs)
    rows = [table.names.index(name) for name in names]
    both = np.vstack([eqs.C.toarray().T, table.P[rows]])
    return int(np.linalg.matrix_rank(both / np.linalg.norm(both, axis=1, keepdims=True).clip(1e-12), tol=1e-9))


def study(first: int, count: int) -> tuple[int, int, list[float], int]:
    """Sets that leave something open, sets with one too many, ratios to the best, and mechanisms with too many sets."""
    still_open = one_too_many = untried = 0
    ratios = []
    usual = module.MOST_SENSOR_SETS
    for seed in range(first, first + count):
        model = random_mechanism(seed)
        best = reactio.sensors(model)
        module.MOST_SENSOR_SETS = 0
        try:
            found = reactio.sensors(model).sets[0]
        finally:
            module.MOST_SENSOR_SETS = usual
        m = reactio.build(model).m
        for one in (found, best.sets[0]):
            still_open += known(model, one.names) != m
            one_too_many += any(known(model, one.names[:k] + one.names[k + 1 :]) == m for k in range(len(one.names)))
        if best.exhaustive:
            ratios.append(found.amplification / best.sets[0].amplification)
        else:
            untried += 1
    return still_open, one_too_many, ratios, untried


def main() -> None:
    """Run the study and print its counts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    begun = time.process_time()
    still_open, one_too_many, ratios, untried = study(given.first, given.count)
    took = time.process_time() - begun
    worst = np.array(ratios)
    print(f"{given.count} mechanisms from {given.first}: {still_open} sets leave something open, {one_too_many} have "
          f"one too many; by exchange / best of all: worst {worst.max():.4f}, above 1.1: {int((worst > 1.1).sum())} of "
          f"{len(ratios)}; {untried} have more than {module.MOST_SENSOR_SETS:,} sets; {took:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
