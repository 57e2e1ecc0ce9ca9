"""Verdicts from four bars to 100,000 joints, against bare factorisations: sparse QR, dense SVD, dense pivoted QR.

The factorisations only find the rank; ours gives a verdict for every joint.  The dense ones are tried until they
give up.

python benchmarks/solvability.py [--quick]
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np
from scipy.linalg import qr, svdvals

import reactio
from reactio.integrate.warm import warm
from reactio.linear.scaling import equilibrate
from reactio.linear.sparse.sparse_qr import sparse_qr
from reactio.model.model import Model

DENSE = 4000  # columns up to which the dense methods are tried: beyond, they take minutes and gigabytes


def timed(call):  # type: ignore[no-untyped-def]
    """(seconds, result), the quicker of two runs for short ones."""
    begun = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - begun
    if seconds < 2:
        begun = time.perf_counter()
        call()
        seconds = min(seconds, time.perf_counter() - begun)
    return seconds, result


def row(name: str, model: Model) -> None:
    """One line of the table."""
    system = reactio.build(model)
    matrix = reactio.equations(system).constraints
    seconds, answer = timed(lambda: reactio.solvability(matrix))
    counts = {
        str(v): int(c)
        for v, c in zip(*np.unique([str(g.verdict) for g in answer.groups], return_counts=True), strict=True)
    }
    dense = f"{'–':>9s} {'–':>9s}"
    if system.n <= DENSE:
        C = matrix.C.toarray()
        with_svd = timed(lambda: svdvals(C))[0]
        with_qr = timed(lambda: qr(C.T, mode="r", pivoting=True))[0]
        dense = f"{with_svd:9.3f} {with_qr:9.3f}"
    scaled = equilibrate(matrix.C, matrix.columns.angular, matrix.length, matrix.columns.twists)
    with_sparse = timed(lambda: sparse_qr(scaled.C, system.body_v))[0]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sizes = f"{len(model.joints):8,d} {system.m:8,d} {answer.redundancy:8,d}"
    print(f"{name:26s} {sizes} {seconds:9.3f} {with_sparse:9.3f} {dense} {memory:7.0f}  {counts}", flush=True)


def main() -> None:
    """Print the table."""
    warm("large")  # compile first
    quick = "--quick" in sys.argv
    heads = (
        ("joints", 8),
        ("rows", 8),
        ("p", 8),
        ("reactio s", 9),
        ("SparseQR", 9),
        ("SVD s", 9),
        ("QRP s", 9),
        ("MB", 7),
    )
    print(f"{'mechanism':26s} " + " ".join(f"{head:>{width}s}" for head, width in heads) + "  verdicts")
    for name in ("mobile-robot", "spatial-parallelogram", "bricard"):
        row(name, reactio.load(name))
    for N in (10, 100, 300) if quick else (10, 100, 300, 1000, 10000):
        row(f"n-four-bar spatial {N}", reactio.load("n-four-bar", N=N, spatial=1))
    for N in (100,) if quick else (100, 1000, 33333):
        row(f"n-four-bar planar {N}", reactio.load("n-four-bar", N=N))
    for k in (5, 15) if quick else (5, 15, 32, 100, 160):
        row(f"scissor-lattice {k} x {k}", reactio.load("scissor-lattice", rows=k, columns=k))


if __name__ == "__main__":
    main()
