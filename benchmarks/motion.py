"""Cost of a motion: wall time per simulated second at position errors of 1e-3 and 1e-6.

    python benchmarks/motion.py

The tolerance is the largest power of ten that meets the error.  The reference of a chain is its one-degree-of-freedom
solution (all cranks stay parallel), of the others the same motion at 1e-10.
The time per evaluation and loop of the chain must not grow with the number of loops.
The second table compares the methods on stiff springs, as ratios to dop853.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import reactio
from reactio.integrate.checkpoint import Motion
from reactio.integrate.integrator import integrate
from reactio.system.types import State, System

CASES: tuple[tuple[str, str, dict[str, float], float], ...] = (
    *((f"n-four-bar {N}", "n-four-bar", {"N": float(N)}, 10.0) for N in (2, 10, 40, 100, 400)),
    ("modified double four-bar", "modified-double-four-bar", {}, 10.0),
    ("spatial parallelogram", "spatial-parallelogram", {}, 2.0),
)


def timed(system: System, state: State, until: float, tol: float, method: str = "dop853") -> tuple[Motion, float]:
    """The motion to a tolerance, and the shortest of three runs [s]."""
    integrate(system, state, 1e-3 * until, tol=tol, method=method)  # compiled, or read from the cache
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        motion = integrate(system, state, until, tol=tol, output=[until], method=method)
        times.append(time.perf_counter() - begun)
    return motion, min(times)


def crank(N: float, t: float) -> Any:
    """The angle of all cranks of a chain: ((N + 1)/3 + N) θ̈ = −g ((N + 1)/2 + N) cos θ."""
    from scipy.integrate import solve_ivp

    ratio = 9.81 * ((N + 1) / 2 + N) / ((N + 1) / 3 + N)
    run = solve_ivp(
        lambda _, y: [y[1], -ratio * np.cos(y[0])], (0, t), [np.pi / 2, -1.0], method="DOP853", rtol=1e-13, atol=1e-13
    )
    return run.y[0, -1]


STIFF = """
space: planar
gravity: [0, -9.81]
bodies:
  a: {{mass: 1, inertia: 1/12, position: [0.5, 0]}}
  b: {{kind: point, mass: 1, position: [2, 0]}}
joints: {{A: {{type: revolute, bodies: [ground, a], at: [0, 0]}}}}
forces: {{k: {{type: spring-damper, a: {{body: a, point: [0.5, 0]}}, b: b, stiffness: {k}, length: 1, damping: {c}}}}}
"""
SPRINGS = ((1e4, 0.0), (1e7, 0.0), (1e7, 1e3), (1e7, 1e5), (1e9, 1e3), (1e11, 1e3))  # stiffness [N/m], damping [N s/m]


def stiff() -> None:
    """All methods on a pendulum whose second link is a spring, one second; ratios of times to those of dop853.

    ``step`` is the time of a step, ``call`` that of an evaluation, ``speed`` how many times faster the run is.
    """
    print(
        f"\n{'spring pendulum':22s} {'tol':>6s} {'method':>8s} {'steps':>7s} {'again':>6s} {'calls':>8s} {'ms':>9s} "
        f"{'step':>6s} {'call':>6s} {'speed':>7s}"
    )
    for k, c in SPRINGS:
        system = reactio.build(reactio.parse_model(STIFF.format(k=k, c=c)))
        state = reactio.assemble(system)
        for tol in (1e-4, 1e-6):
            base: tuple[float, float, float] | None = None
            for method in ("dop853", "radau5", "auto"):
                run, seconds = timed(system, state, 1.0, tol, method)
                each = seconds / run.steps, seconds / run.evaluations, seconds
                base = base or each
                step, call, whole = (one / other for one, other in zip(each, base, strict=True))
                print(
                    f"{f'{k:.0e} N/m, {c:.0e} N s/m':22s} {tol:6.0e} {method:>8s} {run.steps:7d} {run.rejected:6d} "
                    f"{run.evaluations:8d} {1e3 * seconds:9.1f} {step:6.2f} {call:6.2f} {1 / whole:7.2f}"
                )


def main() -> None:
    """Print the table."""
    heads = f"{'mechanism':26s} {'n':>5s} {'error':>8s} {'tol':>6s} {'steps':>6s} {'again':>6s} {'calls':>6s}"
    print(f"{heads} {'ms/s':>8s} {'us/call':>8s}")
    for title, name, parameters, until in CASES:
        system = reactio.build(reactio.load(name, **parameters))
        state = reactio.assemble(system)
        if "N" in parameters:
            reference, places = crank(parameters["N"], until), slice(2, None, 6)
        else:
            reference, places = integrate(system, state, until, tol=1e-10, output=[until]).q[-1], slice(None)
        for wanted in (1e-3, 1e-6):
            for tol in 10.0 ** -np.arange(3, 9):
                motion, seconds = timed(system, state, until, float(tol))
                error = float(np.abs(motion.q[-1, places] - reference).max()) if len(motion.t) else np.inf
                if error <= wanted:
                    break
            calls = motion.evaluations
            print(
                f"{title:26s} {system.n:5d} {error:8.1e} {tol:6.0e} {motion.steps:6d} {motion.rejected:6d} {calls:6d} "
                f"{1e3 * seconds / until:8.2f} {1e6 * seconds / calls:8.1f}"
            )


if __name__ == "__main__":
    main()
    stiff()
