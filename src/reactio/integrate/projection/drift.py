"""How far the rows of a motion are off their constraints, in one compiled call."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``posed`` is linked in for each space; @kernel sees this file
from __future__ import annotations

from functools import cache

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import PLAIN, Kernel
from reactio.system.equations import workspace
from reactio.system.kernels import evaluator
from reactio.system.plan import Plan, Work
from reactio.system.types import System


def drift(system: System, t: Floats, q: Floats, v: Floats) -> tuple[float, float]:
    """The largest |Φ| and |C v − ν| over all rows."""
    worst = np.zeros(2)
    rows = (np.ascontiguousarray(part, dtype=float) for part in (t, q, v))
    _kernel(system.space, system.primitive_names, system.kind_names)(
        system.plan, workspace(system), *system.C_pattern, *rows, worst
    )
    return float(worst[0]), float(worst[1])


def _off(
    plan: Plan, work: Work, indptr: Ints, indices: Ints, t: Floats, q: Floats, v: Floats, worst: Floats
) -> None:  # fmt: skip
    """The largest |Φ| and |C v − ν| over some states."""
    for k in range(t.shape[0]):
        posed(plan, work, t[k], q[k])
        for i in range(work.Phi.shape[0]):
            speed = -work.nu[i]
            for e in range(indptr[i], indptr[i + 1]):
                speed += work.C[e] * v[k, indices[e]]
            worst[0] = max(worst[0], abs(work.Phi[i]))
            worst[1] = max(worst[1], abs(speed))


@cache
def _kernel(space: str, primitive_names: tuple[str, ...], kind_names: tuple[str, ...]) -> Kernel[..., None]:
    evaluate = evaluator(space, primitive_names, kind_names)
    return Kernel(_off, PLAIN, {"posed": evaluate.links["posed"]}, evaluate.tag)
