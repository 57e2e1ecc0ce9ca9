"""The drift of a motion: how far its rows violate their constraints, in one compiled call."""

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
from reactio.system.evaluate.kernels import addresses_bound, evaluator
from reactio.system.evaluate.workspace import workspace
from reactio.system.plan import Plan, Work
from reactio.system.types import System


class Drift(NamedTuple):
    """The largest violations of constraints over some states; NaN where a residual is NaN."""

    position: float  # |Φ| [m, rad]
    velocity: float  # |C v − ν| [m/s, rad/s]
    scaled_position: float  # |Φ| [characteristic lengths, rad]
    scaled_velocity: float  # |C v − ν| over 1 + |v| [characteristic lengths/s, rad/s]


# Places of the fields of Drift in the array that the kernel fills.
POSITION, VELOCITY, SCALED_POSITION, SCALED_VELOCITY = range(len(Drift._fields))


def drift(system: System, t: Floats, q: Floats, v: Floats) -> Drift:
    """The largest |Φ| and |C v − ν| over all rows."""
    largest = np.zeros(len(Drift._fields))
    rows = (np.ascontiguousarray(part, dtype=float) for part in (t, q, v))
    work = workspace(system)
    with addresses_bound(system):
        _kernel(evaluator(system))(
            system.plan, work, *system.C_pattern, system.row_scale, system.column_scale, *rows, largest
        )
    return Drift(*largest.tolist())


def _largest_violations(
    plan: Plan, work: Work, indptr: Ints, indices: Ints, rows: Floats, columns: Floats,
    t: Floats, q: Floats, v: Floats, violations: Floats,
) -> None:  # fmt: skip
    """The largest |Φ| and |C v − ν| over some states, as they are and in characteristic lengths."""
    for k in range(t.shape[0]):
        position_terms(plan, work, t[k], q[k])
        size = 1.0 + largest(v[k], columns)
        for i in range(work.Phi.shape[0]):
            speed = -work.nu[i]
            for e in range(indptr[i], indptr[i + 1]):
                speed += work.C[e] * v[k, indices[e]]
            enlarge(violations, POSITION, abs(work.Phi[i]))
            enlarge(violations, VELOCITY, abs(speed))
            enlarge(violations, SCALED_POSITION, abs(work.Phi[i]) / rows[i])
            enlarge(violations, SCALED_VELOCITY, abs(speed) / (rows[i] * size))


@kernel(**NO_ARRAYS)
def enlarge(largest: Floats, k: int, size: float) -> None:
    """largest[k] = max(largest[k], size), where NaN counts as the largest."""
    if not size <= largest[k] and largest[k] == largest[k]:
        largest[k] = size


@cache
def _kernel(evaluate: Kernel[..., None]) -> Kernel[..., None]:
    return Kernel(_largest_violations, NO_ARRAYS, {"position_terms": evaluate.links["position_terms"]})
