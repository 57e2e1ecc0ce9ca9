"""Time steps with contacts and friction: steps a second, and what a step costs in evaluations of its system.

Boxes on four rough corners each: side by side and sliding, dropped, stacked, and as a leaning tower of growing masses.
What counts: no step without convergence, the largest residual and growth of energy, and ratios, which hold on any
machine: the processor time of a step over that of one evaluation of its equations, and over a step of one box.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/time_steps.py [--boxes 20] [--steps 300] [--only NAME]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

import reactio
from reactio.contact_motion.contact_system import contact_system
from reactio.kernels import compiled_throughout
from reactio.model.model import Model
from reactio.simulation.stepped import SteppedTrajectory
from reactio.system.equations import equations

CORNERS = ((-0.15, -0.1), (0.15, -0.1), (0.15, 0.1), (-0.15, 0.1))
EVALUATIONS = 50  # that the time of one is the mean of


def _body(k: int, place: tuple[float, float, float], mass: float = 2.0, moves: str = "") -> str:
    return f"  b{k}: {{mass: {mass}, inertia: [0.02, 0.02, 0.02], position: {list(place)}{moves}}}"


def _feet(k: int, under: str, height: float) -> list[str]:
    plane = f"plane: {{body: {under}, point: [0, 0, {height}], normal: [0, 0, 1]}}"
    return [
        f"  c{k}_{j}: {{type: point-on-plane, {plane}, point: {{body: b{k}, point: [{x}, {y}, -0.1]}}, friction: 0.5}}"
        for j, (x, y) in enumerate(CORNERS)
    ]


def _model(bodies: Sequence[str], feet: Sequence[str]) -> Model:
    return reactio.parse_model(
        "\n".join(["space: spatial", "gravity: [0, 0, -9.81]", "bodies:", *bodies, "contacts:", *feet])
    )


def side_by_side(count: int, height: float = 0.1) -> Model:
    """Boxes that slide and spin, each on its own place; those higher than 0.1 m fall first."""
    bodies = [
        _body(k, (1.0 * k, 0.0, height), moves=f", velocity: [0.5, {0.1 * k}, 0], angular_velocity: [0, 0, 1]")
        for k in range(count)
    ]
    return _model(bodies, [foot for k in range(count) for foot in _feet(k, "ground", 0.0)])


def stack(count: int, lean: tuple[float, float] = (0.0, 0.0), heavier: float = 0.0) -> Model:
    """Boxes on top of each other, each moved on by ``lean`` [m] and heavier than the one below it by so much [kg]."""
    bodies = [_body(k, (k * lean[0], k * lean[1], 0.1 + 0.2 * k), 2.0 + heavier * k) for k in range(count)]
    feet = [foot for k in range(count) for foot in (_feet(k, f"b{k - 1}", 0.1) if k else _feet(k, "ground", 0.0))]
    return _model(bodies, feet)


CASES: dict[str, Callable[[int], Model]] = {
    "one box": lambda _: side_by_side(1),
    "sliding": side_by_side,
    "dropped": lambda count: side_by_side(count, 0.11),
    "stack": stack,
    "leaning tower": lambda count: stack(count // 2, (0.03, 0.02), 1.0),
}


class Figures(NamedTuple):
    """What a run came to."""

    step: float  # processor time [s]
    evaluations: float  # the same in evaluations of the equations
    residual: float  # largest of a contact problem [m/s]
    iterations: int  # most of a step
    growth: float  # of the energy [J]


def measured(model: Model, steps: int, h: float = 1e-3) -> Figures:
    """The figures of a run of so many steps of h [s]."""
    with compiled_throughout():
        system = contact_system(model, stops=True, rough=True).whole
        reactio.simulate(model, 2 * h, method="moreau", step=h)  # kernels are loaded
        state = system.state()
        begun = time.process_time()
        for _ in range(EVALUATIONS):
            equations(system, state)
        once = (time.process_time() - begun) / EVALUATIONS
        begun = time.process_time()
        run = reactio.simulate(model, steps * h, method="moreau", step=h)
        each = (time.process_time() - begun) / steps
    assert isinstance(run, SteppedTrajectory)
    return Figures(each, each / once, run.residual, run.iterations, run.energy_growth)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the cases and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=20)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--only", choices=CASES)
    chosen = parser.parse_args(arguments)
    print(
        f"{'':16}{'steps/s':>9}{'evaluations':>13}{'residual':>11}{'iterations':>12}{'growth J':>11}{'to one box':>12}"
    )
    single = np.nan
    for name, build in CASES.items():
        if chosen.only not in (None, name):
            continue
        found = measured(build(chosen.boxes), chosen.steps)
        single = found.step if name == "one box" else single
        print(
            f"{name:16}{1 / found.step:9.0f}{found.evaluations:13.1f}{found.residual:11.1e}{found.iterations:12d}"
            f"{found.growth:11.1e}{found.step / single:12.1f}"
        )


if __name__ == "__main__":
    main()
