"""Cost of carrying T from one instant to the next, beside the QR factorisation that is needed anyway.

    python benchmarks/continuation.py

C is sampled along the motion of each mechanism; times are the median over the samples of one transport, T (n, f).
``plain`` is QR with column pivoting of Cᵀ alone; every transport contains one such factorisation of the new C.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import reactio
from reactio.arrays import Floats
from reactio.integrate.integrator import integrate
from reactio.kinematics.scaled_matrix import scaled_matrix
from reactio.linear.continuation import TRANSPORTS, continued
from reactio.linear.pivoted import pivoted
from reactio.system.types import State

CASES: tuple[tuple[str, dict[str, float]], ...] = (
    ("modified-triple-four-bar", {}),
    ("two-by-two-four-bar", {}),
    ("spatial-parallelogram", {}),
    ("n-four-bar", {"N": 10}),
    ("n-four-bar", {"N": 40}),
)
ROWS = 41
STEP = 0.01  # [s]


def matrices(name: str, parameters: dict[str, float]) -> tuple[list[Floats], int]:
    """C along the motion, and the size of T."""
    system = reactio.build(reactio.load(name, **parameters))
    times = STEP * np.arange(ROWS)
    run = integrate(system, reactio.assemble(system), float(times[-1]), output=times)
    C = [scaled_matrix(reactio.equations(system, State(t, q, v))) for t, q, v in zip(run.t, run.q, run.v, strict=True)]
    return C, system.n - pivoted(C[0]).rank


def median(call: Callable[[int], object], count: int) -> float:
    """The median time of calls 1 … count − 1 [µs]."""
    taken = []
    for k in range(1, count):
        begun = time.perf_counter()
        call(k)
        taken.append(time.perf_counter() - begun)
    return 1e6 * float(np.median(taken))


def main() -> None:
    """Print the table."""
    names = list(TRANSPORTS)
    print(f"{'mechanism':28s} {'m':>4s} {'n':>4s} {'f':>3s} {'plain µs':>9s} " + " ".join(f"{n:>20s}" for n in names))
    for name, parameters in CASES:
        C, f = matrices(name, parameters)
        T = list(continued(C, pivoted(C[0]).T))
        plain = median(lambda k, C=C: pivoted(C[k]), ROWS)  # type: ignore[misc]
        row = []
        for one in names:
            cost = median(lambda k, C=C, T=T, one=one: TRANSPORTS[one](T[k - 1], C[k - 1], C[k]), ROWS)  # type: ignore[misc]
            row.append(f"{cost:10.0f} ({cost / plain:5.2f} ×)")
        title = f"{name} {parameters.get('N', '')}"
        print(
            f"{title:28s} {C[0].shape[0]:4d} {C[0].shape[1]:4d} {f:3d} {plain:9.0f} "
            + " ".join(f"{c:>20s}" for c in row)
        )


if __name__ == "__main__":
    main()
