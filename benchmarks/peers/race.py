"""The search for the cheapest setting of an engine that reaches an error, in a process of its own.

    python race.py PEER CASE SECONDS CLOCK

prints a line of JSON for every run: variant, setting, error [m], time of the run [s].
"""

from __future__ import annotations

import heapq
import importlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from cases import CASES, Case, prepared, reference
from variant import Variant, clock, repeats

ERRORS = (1e-3, 1e-6)  # largest distance of a centre of mass from the reference, at any sample [m]
FAILURES = 5  # in a row, after which a variant is given up
UNKNOWN = 4  # levels to go on by where the order is not known
PEERS = ("reactio", "exudyn", "pin", "mujoco", "drake")
MODULES = {peer: f"{'pinocchio' if peer == 'pin' else peer}_peer" for peer in PEERS}


def runs(peer: str, case: Case, seconds: float) -> Iterator[dict[str, Any]]:
    """One run of each setting, the cheapest next one first, while time lasts; then the best ones again and again.

    A variant is done when it has reached the finest error or would cost more than one that has.
    """
    adapter = importlib.import_module(MODULES[peer])
    built = prepared(case)
    wanted = reference(case, built)
    end = time.perf_counter() + 0.8 * seconds
    queue = [(0.0, k, 0, Trail(variant)) for k, variant in enumerate(adapter.variants(case, built))]
    best: dict[float, tuple[float, Variant, int]] = {}  # error → cheapest run within it
    while queue:
        predicted, k, level, trail = heapq.heappop(queue)
        cheapest = best[min(ERRORS)][0] if min(ERRORS) in best else float("inf")
        if predicted >= cheapest or time.perf_counter() + predicted > end or level >= trail.variant.levels:
            continue
        repeats[0], begun = 1, time.perf_counter()
        found = one(trail.variant, level, wanted)
        yield found
        for error in ERRORS:
            if found["error"] is not None and found["error"] <= error:
                best[error] = min(best.get(error, (float("inf"),)), (found["time"], trail.variant, level), key=_cost)
        if (ahead := trail.after(level, found)) is not None:
            cost = (found["time"] or time.perf_counter() - begun) * trail.variant.growth**ahead
            heapq.heappush(queue, (cost, k, level + ahead, trail))
    for variant, level in {(variant, level) for _, variant, level in best.values()}:
        repeats[0] = 40  # the shortest counts: a run of milliseconds beside other work needs as many
        yield one(variant, level, wanted)


def _cost(run: tuple[Any, ...]) -> float:
    return float(run[0])


class Trail:
    """The errors of a variant so far, and how many levels to go on by."""

    def __init__(self, variant: Variant) -> None:
        self.variant, self.failures, self.last = variant, 0, (-1, 0.0)

    def after(self, level: int, found: dict[str, Any]) -> int | None:
        """Levels to the next run: as many as its order asks for, some where it is unknown, none where it is done."""
        error = found["error"]
        if error is None:  # a finer setting may not fail
            self.failures += 1
            return UNKNOWN if self.failures < FAILURES else None
        self.failures = 0
        if error <= min(ERRORS):
            return None
        before, self.last = self.last, (level, error)
        goal = max(e for e in ERRORS if e < error)
        if before[0] < 0 or not error < 0.8 * before[1]:
            return UNKNOWN
        rate = np.log(before[1] / error) / (level - before[0])
        return int(np.clip(np.log(error / goal) / rate, 1, 24))


def one(variant: Variant, level: int, wanted: Any) -> dict[str, Any]:
    """One run and its error; none where the engine gave up."""
    setting = variant.setting(level)
    try:
        positions, took = variant.run(setting)
    except Exception as problem:
        words = str(problem).strip().split("\n")[0][:200]
        return {"variant": variant.label, "setting": setting, "error": None, "time": None, "problem": words}
    whole = positions.shape == wanted.shape and bool(np.isfinite(positions).all())
    error = float(np.linalg.norm(positions - wanted, axis=2).max()) if whole else None
    return {"variant": variant.label, "setting": setting, "error": error, "time": took, "problem": None}


def main() -> None:
    """Print the runs as they come."""
    peer, case, seconds, clock[:] = *sys.argv[1:4], sys.argv[4:]
    for found in runs(peer, CASES[case], float(seconds)):
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
