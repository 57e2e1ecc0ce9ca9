"""Every table of docs/performance.md in short: what was measured, its reference, their ratio, the target, met or not.

    OPENBLAS_NUM_THREADS=1 python benchmarks/all.py --quick [--only motion]

Times are processor times of one run, so that other work on the machine changes them little; targets are ratios wherever
a reference can be measured in the same run.  The targets of batches, overhead, importing, ready and peers are goals of
the project; the others are limits that a change for the worse would cross.  ``--quick`` is the only mode: the commands
that the page names print the tables in full.  A table whose libraries are not installed is named as not measured.
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import reactio
from reactio.integrate.integrator import integrate
from reactio.kernels import compiled_throughout
from reactio.linear.continuation import TRANSPORTS, continued
from reactio.linear.pivoted import pivoted
from reactio.simulation.peaks import peaks
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.types import System
from reactio.uniqueness import solvability

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "peers")]


class Row(NamedTuple):
    """A line of a table: ``value`` and ``reference`` in ``unit``; their ratio, or the value alone, has a target."""

    what: str
    value: float
    unit: str
    target: float
    reference: float | None = None
    at_least: bool = False  # else the target is a limit from above

    @property
    def compared(self) -> float:
        """What the target is about."""
        return self.value if self.reference is None else self.value / self.reference

    @property
    def met(self) -> bool:
        """Is the target met?"""
        return self.compared >= self.target if self.at_least else self.compared <= self.target


class NotMeasured(Exception):
    """A table that cannot be measured here."""


def spent() -> float:
    """Processor time [s] of this process and of those it has started, which have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def least(call: Callable[[], object], repeats: int = 5, calls: int = 1) -> float:
    """The least processor time of a call [s], after one that is not counted."""
    call()
    times = []
    for _ in range(repeats):
        before = time.process_time()
        for _ in range(calls):
            call()
        times.append((time.process_time() - before) / calls)
    return min(times)


def equations() -> Iterator[Row]:
    """Time of an evaluation per joint: chains of 1,000 loops against chains of 100."""
    for space, spatial in (("plane", 0), ("space", 1)):
        per_joint = []
        for N in (100, 1000):
            system = reactio.build(reactio.load("n-four-bar", N=N, spatial=spatial))
            state = system.state()
            seconds = least(lambda s=system, x=state: evaluate(s, 0.0, x.q, x.v), calls=10)
            per_joint.append(1e9 * seconds / len(system.model.joints))
        yield Row(f"n-four-bar, {space}, N = 1,000 against 100", per_joint[1], "ns/joint", 1.5, per_joint[0])


def verdicts() -> Iterator[Row]:
    """From a ready C to all verdicts, against one SVD of the same C."""
    for name, parameters, target in (
        ("mobile-robot", {}, 10.0),
        ("spatial-parallelogram", {}, 10.0),
        ("n-four-bar", {"N": 100, "spatial": 1}, 0.1),
    ):
        matrix = reactio.equations(reactio.build(reactio.load(name, **parameters))).constraints
        dense = matrix.C if isinstance(matrix.C, np.ndarray) else matrix.C.toarray()
        svd = least(lambda C=dense: np.linalg.svd(C), 2 if len(dense) > 500 else 7)
        yield Row(
            f"{name} {parameters.get('N', '')}", 1e3 * least(lambda M=matrix: solvability(M)), "ms", target, 1e3 * svd
        )


def batches() -> Iterator[Row]:
    """Verdicts by the batch: from poses to verdicts, per state."""
    from check_many import timing

    for (name, _, batch, one, _), target in zip(timing(), (25.0, 60.0), strict=True):
        yield Row(f"{name}, check_many", batch, "µs", target)
        yield Row(f"{name}, solvability against check_many", one, "µs", 20.0, batch, at_least=True)


def overhead() -> Iterator[Row]:
    """``check(system)`` and the verdicts of all its joints, against one evaluation and one SVD.

    A system is laid out for the kernels with its first question, which is a row of its own: that of a system whose
    topology another one had.
    """
    for name in ("mobile-robot", "spatial-parallelogram"):
        model = reactio.load(name)
        system = reactio.build(model)
        C = reactio.equations(system).constraints.C
        bare = 1e3 * least(lambda s=system, C=C: (reactio.equations(s), np.linalg.svd(C)), calls=5)

        def asked(system: System = system) -> list[object]:
            return [one.verdict for one in reactio.check(system)]

        new = iter([reactio.build(model) for _ in range(8)])
        yield Row(f"{name}, check", 1e3 * least(asked, 9, 5), "ms", 3.0, bare)
        first = 1e3 * least(lambda new=new, asked=asked: asked(next(new)), 7)
        yield Row(f"{name}, first check", first, "ms", 3.0, bare)
        yield Row(f"{name}, check and notes", 1e3 * least(lambda s=system: reactio.check(s).notes), "ms", 3.0, bare)


def size() -> Iterator[Row]:
    """Processor time of commands per joint: 3,001 joints against 901."""
    from size import FEW, fixed, seconds

    for command in ("check", "reactions"):
        _, once = fixed(command)
        small, large = (
            (min(seconds(command, loops) for _ in range(2)) - once) / (3 * (loops - FEW)) for loops in (300, 1000)
        )
        yield Row(f"{command}, N = 1,000 against 300", 1e6 * large, "µs/joint", 2.0, 1e6 * small)


def motion() -> Iterator[Row]:
    """Time of one right-hand side per loop of a chain, and the simulated second of two four-bars."""
    per_loop = []
    for N in (2, 10, 40):
        system = reactio.build(reactio.load("n-four-bar", N=N))
        state = reactio.assemble(system)
        calls = integrate(system, state, 2.0, tol=1e-6, output=[2.0]).evaluations
        seconds = least(lambda s=system, x=state: integrate(s, x, 2.0, tol=1e-6, output=[2.0]), 3)
        per_loop.append(1e6 * seconds / calls / N)
        if N == 2:
            yield Row("n-four-bar, N = 2, tolerance 1e-6", 1e3 * seconds / 2.0, "ms/s", 3.0)
    yield Row("n-four-bar, N = 40 against 10, per call and loop", per_loop[2], "µs", 1.2, per_loop[1])
    for name in ("bennett", "spatial-parallelogram"):
        system = reactio.build(reactio.load(name))
        state = reactio.assemble(system)
        coarse, fine = (integrate(system, state, 2.0, tol=tol, output=[2.0]).evaluations for tol in (1e-4, 1e-6))
        yield Row(f"{name}, evaluations at 1e-4 against 1e-6", float(coarse), "", 1.0, float(fine))


def afterwards() -> Iterator[Row]:
    """Peaks and singular passages of a run of 10 s, against the run itself."""
    for name in (
        "double-four-bar",
        "modified-double-four-bar",
        "two-by-two-four-bar",
        "four-bar-spatial",
        "spatial-parallelogram",
        "bennett",
        "slider-crank",
    ):
        system = reactio.build(reactio.load(name))
        runs = [reactio.simulate(system, until=10.0) for _ in range(6)]
        once = 1e3 * least(lambda s=system: reactio.simulate(s, until=10.0), 2)
        for what, ask in (("peaks", peaks), ("passages", lambda run: run.singular_passages)):
            new = iter(runs[:3] if what == "peaks" else runs[3:])
            yield Row(f"{name}, {what}", 1e3 * least(lambda ask=ask, new=new: ask(next(new)), 2), "ms", 1.0, once)


def continuation() -> Iterator[Row]:
    """T carried to the next instant by the default, against QR with column pivoting alone."""
    from continuation import ROWS, matrices

    default = next(iter(TRANSPORTS))
    for name, parameters in (
        ("modified-triple-four-bar", {}),
        ("spatial-parallelogram", {}),
        ("n-four-bar", {"N": 40}),
    ):
        C, _ = matrices(name, parameters)
        T = list(continued(C, pivoted(C[0]).T))

        def carry(C: list[object] = C, T: list[object] = T) -> None:
            for k in range(1, ROWS):
                TRANSPORTS[default](T[k - 1], C[k - 1], C[k])

        plain = least(lambda C=C: [pivoted(C[k]) for k in range(1, ROWS)]) / (ROWS - 1)
        yield Row(f"{name} {parameters.get('N', '')}", 1e6 * least(carry) / (ROWS - 1), "µs", 2.5, 1e6 * plain)


def gaps() -> Iterator[Row]:
    """The load distribution with play along a motion, and in a group of bolts; and a few random trials of it."""
    from gaps import AGREEMENT, FAMILIES, bolts, difference, instants

    yield Row("2,000 instants of 20 joints with play", instants(), "s", 5.0)
    yield Row("300 bolts with clearance", bolts(), "s", 1.0)
    for name, family in FAMILIES.items():
        rng = np.random.default_rng(time.time_ns())
        wrong = sum(not difference(family(rng)) <= AGREEMENT for _ in range(20))
        yield Row(f"20 random {name}, wrong", float(wrong), "", 0.0)


def flexible() -> Iterator[Row]:
    """Level 3 without a mode that vibrates, against level 1 at 21 instants of half a second; one flexible link, six; a
    plate against Exudyn's floating frame.
    """
    from flexibility import cost, swinging_plate

    (first, third), (_, alone) = (cost(0.5, 0, links) for links in (6, 1))
    yield Row("six flexible links, level 3 against level 1", 1e3 * third, "ms", 100.0, 1e3 * first, at_least=True)
    yield Row("level 3, one flexible link against six", 1e3 * alone, "ms", 1.0, 1e3 * third)
    if importlib.util.find_spec("exudyn"):
        ((ours, theirs),) = swinging_plate().costs([1e-3])
        yield Row("swinging plate, forces to 1e-3, Exudyn", 1e3 * theirs, "ms", 20.0, 1e3 * ours, at_least=True)


def start() -> Iterator[Row]:
    """``import reactio`` in a new process, above the start of Python."""
    nothing, importing = (
        min(_process([sys.executable, "-c", code]) for _ in range(3)) for code in ("pass", "import numpy, reactio")
    )
    numpy = min(_process([sys.executable, "-c", "import numpy"]) for _ in range(3))
    yield Row("import reactio, above NumPy", max(importing - numpy, 0.0), "s", 0.05)
    yield Row("import reactio with NumPy, above Python", importing - nothing, "s", 0.3)


def _process(words: list[str]) -> float:
    """Processor time of a process [s]."""
    before = spent()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return spent() - before


def importing() -> Iterator[Row]:
    """Import of a chain per body, which 100,000 bodies in 20 s ask for."""
    from import_size import FEW, command, seconds, urdf

    with tempfile.TemporaryDirectory() as folder:
        times = []
        for bodies in (FEW, 3000):
            path = Path(folder) / f"chain{bodies}.urdf"
            urdf(path, bodies)
            times.append(seconds(command("import", path)))
    yield Row("URDF, chain of 3,000 bodies", 1e6 * (times[1] - times[0]) / 3000, "µs/body", 200.0)


def corners() -> Iterator[Row]:
    """Where commands took minutes: loops that cannot close, open legs, a wall on 1,000 contacts, a lattice of 35 × 40.

    ``corners.py wall`` has 10,000 rows.
    """
    from corners import bounded_wall, imported, lattice_step

    refused = imported(closes=False)
    yield Row("a leg with eleven loops, of which some cannot close: a word", refused.first, "s", 2.0)
    yield Row("the same, refused", refused.total, "s", 5.0)
    yield Row("a leg with eleven open loops, closed", imported(closes=True).total, "s", 1.0)
    measured = bounded_wall(1000)
    yield Row("intervals of a wall of bricks, 1,000 rows", 1e3 * measured.seconds / measured.rows, "ms/row", 2.0)
    yield Row("lattice of 35 × 40, first step", lattice_step(), "s", 5.0)


def ready() -> Iterator[Row]:
    """Commands from an empty cache and from a full one; processor time of all their processes."""
    from ready import measured

    with tempfile.TemporaryDirectory() as cache:
        cold = f"report spatial-parallelogram --until 1 --output {cache}/report.html"
        yield Row("cold report spatial-parallelogram --until 1", measured(cold, cache)[1], "s", 5.0)
        for command, target in (("check mobile-robot", 0.4), ("simulate double-four-bar --until 10", 0.6)):
            measured(command, cache)
            yield Row(f"warm {command}", min(measured(command, cache)[1] for _ in range(3)), "s", target)


def sweeps() -> Iterator[Row]:
    """A sweep of 200 checks in this process, against a bare loop over them; sweeps have been made before."""
    from sweep import PARAMETER, SOURCE, of_verdicts, values

    of_verdicts(2, 0)
    cases = values(200)
    bare = least(lambda: [reactio.check(reactio.load(SOURCE, **{PARAMETER: x})) for x in cases], 1) / len(cases)
    with tempfile.TemporaryDirectory() as name:
        before = spent()
        reactio.sweep(SOURCE, {PARAMETER: cases}, "redundancy, mobility", processes=0, folder=Path(name) / "out")
        each = (spent() - before) / len(cases)
    yield Row("200 checks of double-four-bar, a case", 1e3 * each, "ms", 1.25, 1e3 * bare)
    yield Row("batches of 1,000 poses, a verdict", 1e6 * of_verdicts(60, 0), "µs", 60.0)


def cluster() -> Iterator[Row]:
    """A case of a sweep on a Dask cluster of this machine, 8 workers against 1: processor time beyond that of rest."""
    if not importlib.util.find_spec("distributed"):
        raise NotMeasured("Dask is not installed (extra `cluster`)")
    from sweep import of_cluster

    one, eight = of_cluster(1, 400), of_cluster(8, 400)
    yield Row("checks of double-four-bar, a case", 1e3 * eight.seconds, "ms", 1.25, 1e3 * one.seconds)
    yield Row("memory of a worker", eight.megabytes, "MB", 300.0)


def sensors() -> Iterator[Row]:
    """Proposed sensors of 12 random mechanisms: amplification of the quick search over the best there is."""
    from sensors import study

    still_open, one_too_many, ratios, _ = study(0, 12)
    yield Row("worst amplification over the best", max(ratios), "", 1.1)
    yield Row("sets that leave something open, or have one too many", float(still_open + one_too_many), "sets", 0.0)


def peers() -> Iterator[Row]:
    """Cheapest run of another engine over ours, at equal error; engines that are installed."""
    from run import ERRORS, cheapest, raced

    modules = {"pin": "pinocchio", "exudyn": "exudyn", "mujoco": "mujoco", "drake": "pydrake"}
    installed = [peer for peer, module in modules.items() if importlib.util.find_spec(module)]
    if not installed:
        raise NotMeasured("no other engine is installed (extra `peers`)")
    cases = {
        "four-bar-2": (1.0, 10.0),
        "bennett": (3.0, 10.0),
        "parallelogram": (3.0, 20.0),
        "four-bar-40": (4.0, 30.0),
    }
    for case, (target, limit) in cases.items():  # least ratio, and the time for each engine [s]
        ours = raced("reactio", case, limit, "cpu")
        for peer in installed:
            if case == "four-bar-40" and peer != "mujoco":
                continue  # the others need minutes there
            theirs = raced(peer, case, limit, "cpu")
            for error in ERRORS:
                a, b = cheapest(ours, error), cheapest(theirs, error)
                if a and b:
                    yield Row(
                        f"{case}, {error:.0e}, {peer}", 1e3 * b["time"], "ms", target, 1e3 * a["time"], at_least=True
                    )


TABLES: dict[str, Callable[[], Iterator[Row]]] = {
    table.__name__: table
    for table in (
        equations,
        verdicts,
        batches,
        overhead,
        size,
        motion,
        afterwards,
        continuation,
        gaps,
        flexible,
        start,
        importing,
        corners,
        ready,
        sweeps,
        cluster,
        sensors,
        peers,
    )
}


def print_table(table: Callable[[], Iterator[Row]]) -> tuple[int, int]:
    """Print one table; the number of its rows, and of targets that are missed."""
    rows = missed = 0
    begun = time.perf_counter()
    print(f"\n{table.__name__}: {' '.join((table.__doc__ or '').split())}")
    try:
        with compiled_throughout():
            for row in table():
                rows, missed = rows + 1, missed + (not row.met)
                against = "" if row.reference is None else f"{row.reference:9.3g}"
                ratio = "" if row.reference is None else f"{row.compared:7.2f} ×"
                sign, word = ("≥" if row.at_least else "≤"), ("met" if row.met else "MISSED")
                unit = " ×" if row.reference is not None else f" {row.unit}"
                print(
                    f"  {row.what:52s} {row.value:9.3g} {row.unit:9s} {against:>9s} {ratio:>9s}  "
                    f"{sign} {row.target:g}{unit}: {word}",
                    flush=True,
                )
    except NotMeasured as reason:
        print(f"  not measured: {reason}")
    except Exception:  # one table that fails does not take the others with it, and counts as missed
        traceback.print_exc(limit=-2, file=sys.stdout)
        print("  not measured: the error above")
        missed += 1
    print(f"  ({time.perf_counter() - begun:.0f} s)")
    return rows, missed


def main() -> None:
    """Print all tables and count the targets."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="all tables within minutes")
    options.add_argument("--only", choices=TABLES, action="append")
    given = options.parse_args()
    if not given.quick and not given.only:
        options.error("give --quick; the tables in full are printed by the commands in docs/performance.md")
    begun = time.perf_counter()
    counts = [print_table(TABLES[name]) for name in given.only or TABLES]
    rows, missed = (sum(part) for part in zip(*counts, strict=True))
    print(f"\n{rows} targets, {missed} missed; {time.perf_counter() - begun:.0f} s by the clock.")


if __name__ == "__main__":
    main()
