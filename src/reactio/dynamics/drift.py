"""How far the rows of a motion are off their constraints."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.system.equations import workspace
from reactio.system.kernels import evaluator
from reactio.system.types import System


def drift(system: System, t: Floats, q: Floats, v: Floats) -> tuple[float, float]:
    """The largest |Φ| and |C v − ν| over all rows."""
    work, run = workspace(system), evaluator(system.space, system.primitive_names, system.kind_names)
    indptr, indices = system.C_pattern
    row = np.repeat(np.arange(system.m), np.diff(indptr))
    position = velocity = 0.0
    for k in range(len(t)):
        run(system.plan, work, float(t[k]), q[k], v[k])
        wrong = np.bincount(row, work.C * v[k][indices], system.m) - work.nu
        position = max(position, float(np.abs(work.Phi).max(initial=0.0)))
        velocity = max(velocity, float(np.abs(wrong).max(initial=0.0)))
    return position, velocity
