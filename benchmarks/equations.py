"""Cost of the equations: time for C, Γ, Φ, ν, M, Q per joint, for chains of growing length.

    python benchmarks/equations.py

The time per joint must not grow with the number of joints; the ratio to the shortest chain is printed.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import reactio
from reactio.system.evaluate.evaluation import evaluate


def best(call: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs [s]."""
    call()
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def main() -> None:
    """Print the table."""
    heads = ("joints", "rows", "build s", "eval us", "ns/joint", "ratio")
    print(f"{'mechanism':24s} " + " ".join(f"{h:>{w}s}" for h, w in zip(heads, (8, 8, 8, 9, 9, 6), strict=True)))
    for spatial in (0, 1):
        first = 0.0
        for N in (100, 1000, 10000):
            model = reactio.load("n-four-bar", N=N, spatial=spatial)
            begun = time.perf_counter()
            system = reactio.build(model)
            built = time.perf_counter() - begun
            state = system.state()
            seconds = best(lambda s=system, x=state: evaluate(s, 0.0, x.q, x.v), 30)  # type: ignore[misc]
            per = 1e9 * seconds / len(model.joints)
            first = first or per
            name = f"n-four-bar {model.space} {N}"
            print(
                f"{name:24s} {len(model.joints):8d} {system.m:8d} {built:8.2f} {1e6 * seconds:9.0f} {per:9.0f} "
                f"{per / first:6.2f}"
            )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
