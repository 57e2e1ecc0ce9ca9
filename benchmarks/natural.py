"""Cost of the analysis in absolute and in natural coordinates: numeric for the library, symbolic with SymPy.

Symbolic: the whole mechanism, ground included, is turned by an angle ψ that stays a symbol, so that it is on its
constraints for every ψ; C comes from the very formulas of the kernels, run on symbols.  Absolute coordinates hold
cos ψ and sin ψ; natural ones points and vectors, rational in t = tan ψ/2.  Then r, and r_i, r_−i for every joint.
Symbolic times are those of the processor.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/natural.py        (needs sympy)
"""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy
from sympy.polys.matrices import DomainMatrix

import reactio
from reactio.solvability import solvability
from reactio.system.equations import evaluate
from reactio.system.kernels import chains

NUMERIC = ("sharma-ghosal", "mobile-robot", "four-bar-spatial", "bennett", "sarrus", "spatial-parallelogram")
SYMBOLIC = ("sharma-ghosal",)  # the mechanism of the paper; SymPy needs minutes for it
JOINED = {"n-four-bar": {"N": 30, "spatial": 1}}


def best(call: Callable[[], object], repeat: int = 5) -> float:
    """Shortest time of one call [s]."""
    call()
    number = max(1, int(0.01 / max(timeit.timeit(call, number=1), 1e-6)))
    return min(timeit.repeat(call, number=number, repeat=repeat)) / number


def numeric() -> None:
    """Evaluation and verdicts, and half a second of motion."""
    print(
        f"{'mechanism':24s} {'absolute':>11s} {'natural':>11s}   evaluation [µs]   verdicts [ms]    motion, 0.5 s [ms]"
    )
    for name in (*NUMERIC, *JOINED):
        model = reactio.load(name, **JOINED.get(name, {}))
        sizes, evaluations, verdicts, motions = [], [], [], []
        for one in (model, reactio.natural(model)):
            system = reactio.build(one)
            state = reactio.start(system)
            matrix = reactio.equations(system, state).constraints
            sizes.append(f"{system.m} × {system.n}")
            evaluations.append(1e6 * best(lambda s=system, x=state: evaluate(s, 0.0, x.q, x.v)))
            verdicts.append(1e3 * best(lambda m=matrix: solvability(m)))
            motions.append(1e3 * min(reactio.simulate(system, 0.5, output=2).wall_s for _ in range(2)))
        pairs = (f"{a:7.1f} {b:7.1f}" for a, b in (evaluations, verdicts, motions))
        print(f"{name:24s} {sizes[0]:>11s} {sizes[1]:>11s}   " + "   ".join(pairs))


class Symbols:
    """``math`` for symbols."""

    tau, pi = 2 * sympy.pi, sympy.pi
    cos, sin, sqrt = staticmethod(sympy.cos), staticmethod(sympy.sin), staticmethod(sympy.sqrt)

    @staticmethod
    def atan2(y: Any, x: Any) -> Any:
        """Only values need angles, C does not."""
        return sympy.Integer(0)


def symbolic_matrix(system: reactio.System, q: Any, ground: Any) -> sympy.Matrix:
    """C of symbolic coordinates, from the loops of the evaluation."""
    plan = system.plan
    loops = {
        name: loop.over(math=Symbols, unwrapped=lambda angle, memory: angle)
        for name, loop in chains(system.space, system.primitive_names, system.kind_names).items()
    }
    exact = np.vectorize(lambda x: sympy.nsimplify(x, rational=True, tolerance=1e-14), otypes=[object])
    zeros = lambda *shape: np.full(shape, sympy.Integer(0), dtype=object)  # noqa: E731
    F, v, count = ground(exact(system.F0)), zeros(system.n), len(plan.measures.p)
    local = exact(plan.frames.local)
    loops["frames"](plan.frames._replace(local=local), q, v, F, 0)
    D = zeros(count, 6)
    loops["measures"](plan.measures, q, F, zeros(count), zeros(count), D, zeros(count), 0)
    data = zeros(len(system.C_pattern[1]))
    loops["matrix"](plan.entries._replace(factor=exact(plan.entries.factor)), local, D, F, data, 0)
    bodies = plan.bodies._replace(p=exact(plan.bodies.p))
    loops["rigidities"](bodies, q, v, zeros(system.m), zeros(system.m), data, 0)
    C = zeros(system.m, system.n)
    indptr, indices = system.C_pattern
    C[np.repeat(np.arange(system.m), np.diff(indptr)), indices] = data
    return sympy.Matrix(C).applyfunc(lambda x: sympy.nsimplify(x, rational=True))


def turned(system: reactio.System, c: Any, s: Any, angle: Any) -> tuple[Any, Any]:
    """q with everything turned, and what turns the frames of ground."""
    q = np.array([sympy.nsimplify(x, rational=True, tolerance=1e-14) for x in system.q0], dtype=object)
    for b, body in enumerate(system.model.bodies):
        first = int(system.body_q[b])
        pairs = range(first, first + (4 if body.kind == "natural" else 2), 2)
        for k in pairs:
            q[k], q[k + 1] = c * q[k] - s * q[k + 1], s * q[k] + c * q[k + 1]
        if body.kind == "rigid":
            q[first + 2] += angle

    def ground(F: Any) -> Any:
        for k in (0, 2):
            F[:, k], F[:, k + 1] = c * F[:, k] - s * F[:, k + 1], s * F[:, k] + c * F[:, k + 1]
        return F

    return q, ground


def by_expressions(C: sympy.Matrix) -> int:
    """Elimination on expressions, each tested for zero by simplifying it: what a computer algebra does by default."""
    return int(C.rank())


def by_field(C: sympy.Matrix) -> int:
    """Elimination in the field of rational functions of the symbols; cos ψ and sin ψ count as independent there."""
    return int(DomainMatrix.from_Matrix(C).to_field().rank())


def ranks(
    C: sympy.Matrix, system: reactio.System, rank: Callable[[sympy.Matrix], int]
) -> tuple[int, dict[str, tuple[int, int]]]:
    """r, and r_i, r_−i of every joint (Sharma & Ghosal, Sect. 2.2)."""
    found = {}
    for group in system.reacting:
        rows = list(range(group.start, group.stop))
        rest = [i for i in range(system.m) if i not in rows]
        found[group.name] = (rank(C.extract(rows, range(system.n))), rank(C.extract(rest, range(system.n))))
    return rank(C), found


def symbolic() -> None:
    """Time to write C down and to find its ranks."""
    psi, t = sympy.symbols("psi t", real=True)
    half = ((1 - t**2) / (1 + t**2), 2 * t / (1 + t**2))
    cases = {
        "absolute, cos ψ": (False, sympy.cos(psi), sympy.sin(psi)),
        "natural, cos ψ": (True, sympy.cos(psi), sympy.sin(psi)),
        "natural, t": (True, *half),
    }
    heads = f"{'r':>4s} {'operations':>10s} {'write C [s]':>12s} {'ranks [s]':>10s}"
    print(f"{'mechanism':16s} {'coordinates':18s} {'elimination':16s} {'C':>9s} {heads}")
    for name in SYMBOLIC:
        for word, (natural, c, s) in cases.items():
            model = reactio.load(name)
            system = reactio.build(reactio.natural(model) if natural else model)
            begun = time.process_time()
            q, ground = turned(system, c, s, psi)
            C = symbolic_matrix(system, q, ground)
            written = time.process_time() - begun
            for method in (by_field, by_expressions):
                line = judged(C, system, method, written)
                print(f"{name:16s} {word:18s} {method.__name__[3:]:16s} {line}", flush=True)


def judged(C: sympy.Matrix, system: reactio.System, method: Callable[[sympy.Matrix], int], written: float) -> str:
    """Ranks with their time, beside the numeric ones."""
    begun = time.process_time()
    r, found = ranks(C, system, method)
    took = time.process_time() - begun
    answer = reactio.check(system)
    agrees = r == answer.rank and all((answer[k].rank, answer[k].rank_outside) == x for k, x in found.items())
    size, operations = f"{system.m} × {system.n}", sympy.count_ops(C)
    note = "" if agrees else "   differs from the numeric ranks"
    return f"{size:>9s} {r:4d} {operations:10d} {written:12.2f} {took:10.2f}{note}"


if __name__ == "__main__":
    numeric()
    symbolic()
