"""Cost of the analysis in absolute and in natural coordinates: numeric for the library, symbolic with SymPy.

Symbolic: the whole mechanism, ground included, is turned about z by an angle ψ that stays a symbol, so that it is on
its constraints for every ψ; C comes from the very formulas of the kernels, run on symbols.  Absolute coordinates hold
cos ψ and sin ψ, in space unit quaternions with cos ψ/2 and sin ψ/2; natural ones points and vectors.  All but angles of
the plane are rational in t = tan ψ/2, or tan ψ/4 for quaternions.  Then r, and r_i, r_−i for every joint, by three
eliminations (``by_values``, ``by_field``, ``by_expressions``).  Symbolic times are those of the processor; eliminations
that take longer than LIMIT end with "> LIMIT".

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/natural.py [numeric] [planar] [spatial]    (needs sympy, python-flint)
"""

from __future__ import annotations

import signal
import sys
import time
import timeit
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import sympy
from sympy.polys.matrices import DomainMatrix

import reactio
from reactio.kernels import in_turn
from reactio.model.transform.natural import natural
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.evaluate.kernels import loops_by_name
from reactio.uniqueness import solvability

NUMERIC = ("sharma-ghosal", "mobile-robot", "four-bar-spatial", "bennett", "sarrus", "spatial-parallelogram")
PLANAR = "sharma-ghosal"  # the mechanism of the paper; SymPy needs minutes for it
# In space a Bennett linkage with sin α = 3/5 and sin β = 5/13, all of whose points and axes are rational.
SPATIAL = "bennett"
RATIONAL: dict[str, float | str] = {"a": 1, "b": "25/39", "alpha": "2*atan(1/3)", "theta": "2*atan(2)"}
LIMIT = 120  # seconds of processor time for the ranks of one C
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
        for one in (model, natural(model)):
            system = reactio.build(one)
            state = reactio.assemble(system)
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


def fraction(x: float) -> sympy.Rational:
    """The fraction with a denominator up to 10⁶ that a number is up to rounding."""
    return sympy.Rational(Fraction(float(x)).limit_denominator(10**6))


def symbolic_matrix(system: reactio.System, q: Any, ground: Any) -> sympy.Matrix:
    """C of symbolic coordinates, from the loops of the evaluation."""
    plan = system.plan
    loops = {
        name: in_turn(
            [loop.replacing(math=Symbols, unwrapped=lambda angle, memory: angle, unit=lambda p: p) for loop in copies]
        )
        for name, copies in loops_by_name(system).items()
    }
    exact = np.vectorize(fraction, otypes=[object])
    zeros = lambda *shape: np.full(shape, sympy.Integer(0), dtype=object)  # noqa: E731
    F, count = ground(exact(system.F0)), len(plan.measures.p)
    R = zeros(len(plan.bodies.table), 2 if system.space == "planar" else 9)
    bodies, frames = plan.bodies._replace(p=exact(plan.bodies.p)), plan.frames._replace(local=exact(plan.frames.local))
    loops["orientations"](bodies, q, R)
    loops["frame_poses"](frames, bodies.p, q, R, F)
    D = zeros(count, 6 if system.space == "planar" else 12)
    loops["measures"](plan.measures, q, F, zeros(count), D)
    data = zeros(len(system.C_pattern[1]))
    entries = plan.entries._replace(factor=exact(plan.entries.factor))
    loops["matrix"](entries, frames, bodies.p, q, R, D, F, data)
    loops["all_intrinsic_rows"](bodies, q, zeros(system.m), data)
    C = zeros(system.m, system.n)
    indptr, indices = system.C_pattern
    C[np.repeat(np.arange(system.m), np.diff(indptr)), indices] = data
    # Constants of the formulas, such as 0.5, make floats of what they multiply.
    return sympy.Matrix(C).applyfunc(lambda x: x.xreplace({f: fraction(f) for f in x.atoms(sympy.Float)}))


def turned(system: reactio.System, c: Any, s: Any, turn: Any) -> tuple[Any, Any]:
    """q with everything turned about z, and what turns the frames of ground.

    ``turn`` is the angle in the plane, and (cos ψ/2, sin ψ/2) in space.
    """
    q = np.array([fraction(x) for x in system.q0], dtype=object)
    size = 2 if system.space == "planar" else 3
    for b, body in enumerate(system.model.bodies):
        first = int(system.body_q[b])
        for k in range(first, first + ({2: 4, 3: 12}[size] if body.kind == "natural" else size), size):
            q[k], q[k + 1] = c * q[k] - s * q[k + 1], s * q[k] + c * q[k + 1]
        if body.kind == "rigid" and size == 2:
            q[first + 2] += turn
        elif body.kind == "rigid":
            w, x, y, z = q[first + 3 : first + 7]
            h, e = turn
            q[first + 3 : first + 7] = [h * w - e * z, h * x - e * y, h * y + e * x, h * z + e * w]

    def ground(F: Any) -> Any:
        for k in (0, 2) if size == 2 else (0, 3, 6, 9):
            F[:, k], F[:, k + 1] = c * F[:, k] - s * F[:, k + 1], s * F[:, k] + c * F[:, k + 1]
        return F

    return q, ground


def by_values(C: sympy.Matrix) -> int:
    """The largest rank of C(t) at as many integers t as decide it, each without rounding.

    With its rows cleared of denominators C(t) is a matrix of polynomials, and its minors have at most the degree
    d = min(Σ degrees of rows, Σ degrees of columns).  A minor that is zero at d + 1 values of t is zero for every t, so
    that the largest rank at d + 1 values is the rank for almost all t: a proof, not a sample.
    """
    (t,) = C.free_symbols
    _, cleared = DomainMatrix.from_Matrix(C.applyfunc(sympy.cancel)).to_field().clear_denoms_rowwise(convert=True)
    polynomials = np.array([[sympy.Poly(x, t) for x in row] for row in cleared.to_Matrix().tolist()], dtype=object)
    degrees = np.vectorize(lambda p: max(int(p.degree()), 0) if p else 0)(polynomials)
    most = int(min(degrees.max(axis=1).sum(), degrees.max(axis=0).sum()))
    full, rank = min(C.shape), 0
    for value in range(-(most // 2), most - most // 2 + 1):
        entries = [[int(p.eval(value)) for p in row] for row in polynomials]
        rank = max(rank, int(flint.fmpz_mat(entries).rank()))
        if rank == full:
            break
    return rank


def by_expressions(C: sympy.Matrix) -> int:
    """Elimination on expressions, each tested for zero by simplifying it: what a computer algebra does by default."""
    return int(C.rank())


def by_field(C: sympy.Matrix) -> int:
    """Elimination in the field of rational functions of the symbols; cos ψ and sin ψ count as independent there."""
    return int(DomainMatrix.from_Matrix(C.applyfunc(sympy.cancel)).to_field().rank())


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


Case = tuple[bool, Any, Any, Any]  # natural?, cos ψ, sin ψ, what turns a rigid body


def half(t: Any) -> tuple[Any, Any]:
    """Cosine and sine of twice the angle whose tangent is t."""
    return (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)


def planar_cases() -> dict[str, Case]:
    """Coordinates of a planar mechanism."""
    psi, t = sympy.symbols("psi t", real=True)
    c, s = sympy.cos(psi), sympy.sin(psi)
    return {
        "absolute, cos ψ": (False, c, s, psi),
        "natural, cos ψ": (True, c, s, psi),
        "natural, t": (True, *half(t), psi),
    }


def spatial_cases() -> dict[str, Case]:
    """Coordinates of a spatial mechanism."""
    psi, t = sympy.symbols("psi t", real=True)
    c, s, quarter = sympy.cos(psi), sympy.sin(psi), half(t)
    h, e = quarter
    return {
        "absolute, cos ψ": (False, c, s, (sympy.cos(psi / 2), sympy.sin(psi / 2))),
        "natural, cos ψ": (True, c, s, None),
        "absolute, t": (False, h * h - e * e, 2 * h * e, quarter),
        "natural, t": (True, *half(t), None),
    }


def symbolic(model: reactio.Model, cases: dict[str, Case]) -> None:
    """Time to write C down and to find its ranks."""
    heads = f"{'r':>4s} {'operations':>10s} {'write C [s]':>12s} {'ranks [s]':>10s}"
    print(f"{'mechanism':16s} {'coordinates':18s} {'elimination':16s} {'C':>9s} {heads}")
    for word, (in_natural, c, s, turn) in cases.items():
        system = reactio.build(natural(model) if in_natural else model)
        begun = time.process_time()
        q, ground = turned(system, c, s, turn)
        C = symbolic_matrix(system, q, ground)
        written = time.process_time() - begun
        for method in (by_values, by_field, by_expressions):
            # Values are those of a polynomial in t.
            if method is by_values and "cos" in word:
                continue
            # In space C has its rank only where c² + s² = 1, which a field of two independent symbols does not know.
            if method is by_field and system.space == "spatial" and "cos" in word:
                continue
            line = judged(C, system, method, written)
            print(f"{model.name:16s} {word:18s} {method.__name__[3:]:16s} {line}", flush=True)


def judged(C: sympy.Matrix, system: reactio.System, method: Callable[[sympy.Matrix], int], written: float) -> str:
    """Ranks with their time, beside the numeric ones."""
    size, operations = f"{system.m} × {system.n}", sympy.count_ops(C)
    begun = time.process_time()
    try:
        r, found = within(LIMIT, lambda: ranks(C, system, method))
    except TimeoutError:
        return f"{size:>9s} {'?':>4s} {operations:10d} {written:12.2f} {'> ' + str(LIMIT):>10s}"
    took = time.process_time() - begun
    answer = reactio.check(system)
    agrees = r == answer.rank and all((answer[k].rank, answer[k].rank_outside) == x for k, x in found.items())
    note = "" if agrees else "   differs from the numeric ranks"
    return f"{size:>9s} {r:4d} {operations:10d} {written:12.2f} {took:10.2f}{note}"


def within(seconds: float, call: Callable[[], Any]) -> Any:
    """The answer of a call, or TimeoutError after so many seconds of processor time."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)  # again and again: SymPy catches errors on its way
    try:
        return call()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    asked = sys.argv[1:] or ["numeric", "planar", "spatial"]
    if "numeric" in asked:
        numeric()
    if "planar" in asked:
        symbolic(reactio.load(PLANAR), planar_cases())
    if "spatial" in asked:
        symbolic(reactio.load(SPATIAL, **RATIONAL), spatial_cases())
