"""Every mechanism of the library, driven from rest and ended at random times, by every method.

Each mechanism is brought to rest, and one of its joints driven by a smooth step, a cubic polynomial and a harmonic
function that starts with no speed; mechanisms with drives keep their joint.  A run is ended at ten random times.  What
counts: a run that says it reached its end has a drift below its promise, recomputed here with NumPy from the equations,
and ends where Newton's method assembles the pose of that time; every other run says so by its status.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/driven_from_rest.py [--times 10] [--seed 1] [--only NAME] [--limit 60]
     … --sample 100   that many runs of all mechanisms, functions, methods and times, at random
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import reactio
from reactio import library
from reactio.arrays import Floats
from reactio.catalogue.places import CoordinateName
from reactio.errors import ReactioError
from reactio.functions.harmonic import Harmonic
from reactio.functions.polynomial import Polynomial
from reactio.functions.program import Function
from reactio.functions.step import Step
from reactio.functions.sum import Sum
from reactio.integrate.drift_bounds import drift_bounds
from reactio.model.model import Model
from reactio.model.specs import Drive
from reactio.simulation.trajectory import Trajectory
from reactio.system.types import State

SPAN = 2.0  # [s] that a drive acts
FAR = 0.2  # [rad, m] that it moves its joint
METHODS = ("dop853", "radau5", "auto")
FUNCTIONS: dict[str, Function] = {
    "step": Step(0.0, SPAN, 0.0, FAR),
    "polynomial": Polynomial((0.0, 0.0, 0.0, FAR / SPAN**3)),
    "harmonic": Harmonic(FAR / 2, 0.5 / SPAN, -np.pi / 2, FAR / 2),
}
SAME = 1e-6  # [m, quaternions] by which an end may be off the assembled one: far more than tolerances leave


Case = tuple[str, Model, str, float]  # label, model, method and end [s] of a run


@dataclass
class Figures:
    """What the runs of one mechanism came to."""

    ends: Counter[str] = field(default_factory=Counter)
    drift: float = 0.0  # the largest of runs that reached their end, in promises
    off: float = 0.0  # the largest distance of such an end from the assembled one
    slowest: float = 0.0  # [s]
    wrong: list[str] = field(default_factory=list)


def at_rest(model: Model) -> Model:
    """The model without velocities, events and stops."""
    bodies = tuple(replace(body, velocity=(), angular_velocity=()) for body in model.bodies)
    return replace(model, bodies=bodies, events=(), stops=(), source="")


def drivable(model: Model) -> CoordinateName | None:
    """A joint whose coordinate the mechanism can move: that of its drive, or the first that can be driven."""
    if model.drives:
        return model.drives[0].along
    for joint in model.joints:
        along = CoordinateName(joint.name)
        try:
            system = reactio.build(replace(model, drives=(Drive("m", along, Polynomial((0.0, 1.0))),)))
            reactio.assemble(system)
        except ReactioError:
            continue
        return along
    return None


def coordinate(model: Model, along: CoordinateName) -> float:
    """The value [rad, m] of a joint coordinate in the given pose: what a drive at zero leaves open."""
    system = reactio.build(replace(model, drives=(Drive("m", along, Polynomial((0.0,))),)))
    return float(reactio.equations(system).Phi[system.group("m").start])


def drift_in_promises(run: Trajectory) -> float:
    """|Φ| and |C v − ν| at the end, as parts of what is promised, by NumPy."""
    c, system = run.checkpoint, run.system
    eqs = reactio.equations(system, State(c.t, c.q, c.v))
    rows = np.array([system.length if unit == "m" else 1.0 for g in system.groups for unit in g.units])
    columns = np.where(np.array(system.column_units) == "rad/s", 1.0, system.length)
    promised, pace = drift_bounds(run.tol, 0.0, c.limit), 1.0 + np.abs(c.v / columns).max(initial=0.0)
    opened, sliding = np.abs(eqs.Phi / rows), np.abs((eqs.C @ c.v - eqs.nu) / rows)
    return float(
        max(opened.max(initial=0.0) / promised.position, sliding.max(initial=0.0) / (promised.velocity * pace))
    )


def judged(run: Trajectory, figures: Figures, label: str) -> None:
    """Count a run; one that is wrong about itself is kept by name."""
    figures.ends[run.status.name] += 1
    if run.status.name != "DONE":
        return
    c = run.checkpoint
    drift, off = drift_in_promises(run), float("inf")
    with contextlib.suppress(ReactioError):
        off = float(np.abs(reactio.assemble(run.system, State(c.t, c.q, c.v)).q - c.q).max())
    figures.drift, figures.off = max(figures.drift, drift), max(figures.off, off)
    if not (drift <= 1.0 and off <= SAME):
        figures.wrong.append(f"{label}: drift {drift:.2g} promises, {off:.2g} off the assembled end")


def sampled(rng: np.random.Generator, names: Sequence[str], count: int) -> Iterator[Case]:
    """Runs drawn at random: a mechanism that can be driven, a function, a method and an end."""
    found = 0
    while found < count:
        runs = list(cases(at_rest(reactio.load(str(rng.choice(names)))), rng.uniform(0.0, 1.2 * SPAN, 1)))
        if runs:
            found += 1
            yield runs[int(rng.integers(len(runs)))]


def cases(model: Model, times: Floats) -> Iterator[Case]:
    """Label, model, method and end of every run."""
    along = drivable(model)
    if along is None:
        return
    given = coordinate(model, along)
    for name, function in FUNCTIONS.items():
        law = Sum((Polynomial((given,)), function))
        driven = replace(model, drives=(Drive("m", along, law), *model.drives[1:]))
        for method in METHODS:
            for until in times.tolist():
                yield f"{model.name} {name} {method} until {until:.17g}", driven, method, until


def raced(runs: Iterable[Case], limit: int, **options: Any) -> Figures:
    """Some runs; one that takes longer than the limit [s] of processor time hangs."""
    figures = Figures()

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, give_up)
    for label, driven, method, until in runs:
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, limit)
        try:
            judged(reactio.simulate(driven, until, method=method, **options), figures, label)
        except TimeoutError:
            figures.ends["HANGS"] += 1
            figures.wrong.append(f"{label}: no end within {limit} s")
        except ReactioError as error:
            figures.ends[type(error).__name__] += 1
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        figures.slowest = max(figures.slowest, time.process_time() - begun)
    return figures


def show_sample(runs: Iterator[Case], limit: int) -> None:
    """A line for each run of a sample, and what they come to."""
    ends: Counter[str] = Counter()
    wrong: list[str] = []
    for one in runs:
        found = raced([one], limit)
        ends += found.ends
        wrong += found.wrong
        print(f"{one[0]:90} {found.drift:8.1e} {found.slowest:7.2f} s  {', '.join(found.ends)}", flush=True)
    print(f"{sum(ends.values())} runs: {dict(ends)}; wrong about themselves: {len(wrong)}")
    print("\n".join(wrong))


def main() -> None:
    """Print a line for each mechanism, and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--limit", type=int, default=60, help="[s] of processor time for one run")
    parser.add_argument("--sample", type=int, default=0)
    chosen = parser.parse_args()
    names = chosen.only or library.names()
    if chosen.sample:
        show_sample(sampled(np.random.default_rng(chosen.seed), names, chosen.sample), chosen.limit)
        return
    times = np.sort(np.random.default_rng(chosen.seed).uniform(0.0, 1.2 * SPAN, chosen.times))
    wrong: list[str] = []
    print(f"{'mechanism':28} {'runs':>5}  {'drift/drift_bounds':>13} {'off [m]':>8} {'slowest s':>9}  ends")
    for name in names:
        found = raced(cases(at_rest(reactio.load(name)), times), chosen.limit)
        wrong += found.wrong
        ends = ", ".join(f"{count} {end}" for end, count in sorted(found.ends.items()))
        runs = sum(found.ends.values())
        print(f"{name:28} {runs:5}  {found.drift:13.1e} {found.off:8.1e} {found.slowest:9.2f}  {ends}", flush=True)
    print(f"wrong about themselves: {len(wrong)}")
    print("\n".join(wrong))


if __name__ == "__main__":
    main()
