"""What an adapter offers: ways to run a mechanism, each with one knob for its accuracy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reactio.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One integrator of one engine with all its options but the accuracy."""

    label: str
    setting: Callable[[int], Any]  # level → step size [s] or tolerance, for the table
    run: Callable[[Any], tuple[Floats, float]]  # setting → (SAMPLES, bodies, 3) centres, time it took [s]
    growth: float = 1.09  # cost of a level against the one before
    levels: int = 160


def halved(until: float, samples: int, coarsest: float) -> Callable[[int], float]:
    """Step sizes that divide the time between samples: level k has 2^(k/8) times as many steps as the coarsest."""
    first = max(1, round(until / samples / coarsest))
    return lambda level: until / samples / round(first * 2 ** (level / 8))


CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
clock: list[str] = ["wall"]  # set by the command
repeats: list[int] = [1]  # set by the race


def timed(work: Callable[[], Any], clean: Callable[[], Any] = lambda: None, most: float = 2.0) -> tuple[Any, float]:
    """A result and the shortest time of a number of runs, of fewer where they take long."""
    best, spent, now = float("inf"), 0.0, CLOCKS[clock[0]]
    for _ in range(repeats[0]):
        clean()
        begun = now()
        found = work()
        took = now() - begun
        best, spent = min(best, took), spent + took
        if spent > most:
            break
    return found, best


def steps_between(times: Sequence[float], h: float) -> int:
    """Steps from one sample to the next."""
    return round(float(times[0]) / h)
