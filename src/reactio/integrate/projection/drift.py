"""How far the rows of a motion are off their constraints, in one compiled call."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.integrate.projection.project import largest
from reactio.kernels import NO_ARRAYS, Kernel, kernel
from reactio.system.evaluate.kernels import bind_addresses, evaluator
from reactio.system.evaluate.workspace import workspace
from reactio.system.plan import Plan, Work
from reactio.system.types import System


class Drift(NamedTuple):
    """The largest violations of constraints over some states; NaN where a residual is NaN."""

    position: float  # |Φ| [m, rad]
    velocity: float  # |C v − ν| [m/s, rad/s]
    open: float  # |Φ| [characteristic lengths, rad]
    sliding: float  # |C v − ν| over 1 + |v| [characteristic lengths/s, rad/s]


WORST_POSITION, WORST_VELOCITY, WORST_OPEN, WORST_SLIDING = range(
    len(Drift._fields)
)  # places in ``worst``, as in Drift


def drift(system: System, t: Floats, q: Floats, v: Floats) -> Drift:
    """The largest |Φ| and |C v − ν| over all rows."""
    worst = np.zeros(len(Drift._fields))
    rows = (np.ascontiguousarray(part, dtype=float) for part in (t, q, v))
    work = workspace(system)
    bind_addresses(system)
    _kernel(evaluator(system))(
        system.plan, work, *system.C_pattern, system.row_scale, system.column_scale, *rows, worst
    )
    return Drift(
        position=float(worst[WORST_POSITION]),
        velocity=float(worst[WORST_VELOCITY]),
        open=float(worst[WORST_OPEN]),
        sliding=float(worst[WORST_SLIDING]),
    )


def _off(
    plan: Plan, work: Work, indptr: Ints, indices: Ints, rows: Floats, columns: Floats,
    t: Floats, q: Floats, v: Floats, worst: Floats,
) -> None:  # fmt: skip
    """The largest |Φ| and |C v − ν| over some states, as they are and in characteristic lengths."""
    for k in range(t.shape[0]):
        posed(plan, work, t[k], q[k])
        size = 1.0 + largest(v[k], columns)
        for i in range(work.Phi.shape[0]):
            speed = -work.nu[i]
            for e in range(indptr[i], indptr[i + 1]):
                speed += work.C[e] * v[k, indices[e]]
            enlarge(worst, WORST_POSITION, abs(work.Phi[i]))
            enlarge(worst, WORST_VELOCITY, abs(speed))
            enlarge(worst, WORST_OPEN, abs(work.Phi[i]) / rows[i])
            enlarge(worst, WORST_SLIDING, abs(speed) / (rows[i] * size))


@kernel(**NO_ARRAYS)
def enlarge(worst: Floats, k: int, size: float) -> None:
    """worst[k] = max(worst[k], size), where NaN counts as the largest."""
    if not size <= worst[k] and worst[k] == worst[k]:
        worst[k] = size


@cache
def _kernel(evaluate: Kernel[..., None]) -> Kernel[..., None]:
    return Kernel(_off, NO_ARRAYS, {"posed": evaluate.links["posed"]})
