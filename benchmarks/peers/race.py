"""The search for the cheapest setting of an engine that reaches an error, in a process of its own.

    python race.py PEER CASE SECONDS CLOCK

prints a line of JSON for every run: variant, setting, error [m], time per simulated second [s].
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
from variant import Variant, clock

ERRORS = (1e-3, 1e-6)  # largest distance of a centre of mass from the reference, at any sample [m]
FAILURES = 4  # in a row, after which a variant is given up
PEERS = ("reactio", "exudyn", "pin", "mujoco", "drake")
MODULES = {peer: f"{'pinocchio' if peer == 'pin' else peer}_peer" for peer in PEERS}


def runs(peer: str, case: Case, seconds: float) -> Iterator[dict[str, Any]]:
    """Runs of all variants, the cheapest next one first, until the finest error is reached or time is up."""
    adapter = importlib.import_module(MODULES[peer])
    built = prepared(case)
    wanted = reference(case, built)
    end = time.perf_counter() + seconds
    best = float("inf")  # cheapest run that reached the finest error
    queue = [(0.0, k, 0, 0, variant) for k, variant in enumerate(adapter.variants(case, built))]
    while queue:
        predicted, k, level, failures, variant = heapq.heappop(queue)
        if predicted >= best or time.perf_counter() + predicted > end or level >= variant.levels:
            continue
        found = one(variant, level, wanted)
        yield found | {"per_second": found["wall"] / case.until if found["wall"] else None}
        if found["error"] is not None and found["error"] <= min(ERRORS):
            best = min(best, found["wall"])
        elif found["wall"] is not None:
            heapq.heappush(queue, (found["wall"] * variant.growth, k, level + 1, 0, variant))
        elif failures < FAILURES:  # a finer setting may not fail
            heapq.heappush(queue, (max(predicted, 1e-3) * variant.growth, k, level + 1, failures + 1, variant))


def one(variant: Variant, level: int, wanted: Any) -> dict[str, Any]:
    """One run and its error; none where the engine gave up."""
    setting = variant.setting(level)
    try:
        positions, wall = variant.run(setting)
    except Exception as problem:
        words = str(problem).strip().split("\n")[0][:200]
        return {"variant": variant.label, "setting": setting, "error": None, "wall": None, "problem": words}
    whole = positions.shape == wanted.shape and bool(np.isfinite(positions).all())
    error = float(np.linalg.norm(positions - wanted, axis=2).max()) if whole else None
    return {"variant": variant.label, "setting": setting, "error": error, "wall": wall, "problem": None}


def main() -> None:
    """Print the runs as they come."""
    peer, case, seconds, clock[:] = *sys.argv[1:4], sys.argv[4:]
    for found in runs(peer, CASES[case], float(seconds)):
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
