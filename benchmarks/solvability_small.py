"""Time of the verdicts from a ready constraint matrix: the 22 × 21 mobile robot, then other mechanisms.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/solvability_small.py
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable
from pathlib import Path

import numpy as np

import reactio

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from reactio.uniqueness import solvability
from uniqueness import mechanisms, mobile_robot  # the matrix of the paper lives with its test


def best(call: Callable[[], object], repeat: int = 50) -> float:
    """Shortest time of one call [s]."""
    call()
    number = max(1, int(0.005 / max(timeit.timeit(call, number=1), 1e-6)))
    return min(timeit.repeat(call, number=number, repeat=repeat)) / number


def main() -> None:
    """Print one line per case."""
    robot = mobile_robot.labelled()
    answer = solvability(robot)
    print("mobile robot, 22 × 21, 14 groups")
    for method in ("nullspace", "qr", "svd", "rank"):
        print(f"  method {method:10s} {1e3 * best(lambda m=method: solvability(robot, method=m)):8.3f} ms")
    groups = {g.name: range(g.start, g.stop) for g in robot.rows.groups}
    print(f"  bare array, groups  {1e3 * best(lambda: solvability(robot.C, groups)):8.3f} ms")
    print(f"  with all verdicts   {1e3 * best(lambda: solvability(robot).groups):8.3f} ms")
    print(f"  why (B): shares     {1e3 * best(lambda: answer['B'].shares_with):8.3f} ms")
    print(f"  one SVD of C alone  {1e3 * best(lambda: np.linalg.svd(robot.C)):8.3f} ms")
    print("from the library, C ready: time [ms], and of one SVD of the same C")
    for name in ("mobile-robot", "four-bar-planar", "four-bar-spatial", "bennett", "spatial-parallelogram", "door"):
        ready = reactio.equations(reactio.build(reactio.load(name))).constraints
        dense = ready.C.toarray()
        here, plain = best(lambda R=ready: solvability(R)), best(lambda D=dense: np.linalg.svd(D))
        print(f"  {name:22s} {ready.shape!s:10s} {1e3 * here:8.3f} {1e3 * plain:8.3f}")
    print("larger mechanisms: time [ms] in blocks or by sparse QR, and of one dense SVD of the same C")
    for name, matrix in {
        "cells 30": mechanisms.cells(30),
        "cells 100": mechanisms.cells(100),
        "scissor 5 × 5": mechanisms.scissor(5, 5),
        "scissor 10 × 10": mechanisms.scissor(10, 10),
        "n-four-bar 100": mechanisms.n_four_bar(100),
    }.items():
        dense = matrix.C.toarray()
        here = best(lambda M=matrix: solvability(M), 5)
        plain = best(lambda D=dense: np.linalg.svd(D), 1)
        print(f"  {name:16s} {matrix.shape!s:14s} {1e3 * here:9.2f} {1e3 * plain:9.2f}")


if __name__ == "__main__":
    main()
