"""Rows between the rows of a run: the same steps are taken once more."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from reactio.arrays import Floats
from reactio.dynamics.motion import Checkpoint, Motion, integrate

if TYPE_CHECKING:
    from reactio.dynamics.trajectory import Trajectory


def again(run: Trajectory, start: Checkpoint, times: Floats) -> Motion | Trajectory:
    """Rows at increasing times (k,) behind the start of one of the segments of a run, on its own way."""
    if run.system.model.share_points:
        from reactio.dynamics.shared_run import simulate_shared

        return simulate_shared(run.system, start, float(times[-1]), run.tol, output=times)
    return integrate(run.system, start, float(times[-1]), output=times, **asdict(run.way))
