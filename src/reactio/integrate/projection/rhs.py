"""The field of a motion, f∘P of reactio.integrate.projection.project, at a displacement from a pose."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``settle`` and ``flow`` are linked in for each space; @kernel sees this file
from __future__ import annotations

from functools import cache
from typing import Any

from reactio.arrays import Floats
from reactio.integrate.projection.mass_projection import copy
from reactio.integrate.projection.project import FINE, INSIDE, Projection, flows, settler
from reactio.kernels import Kernel


def _ask(projection: Projection, t: float, q0: Floats, y: Floats, F: Floats, close: float, limit: float) -> int:
    """F (2, n) = (ḋ, v̇) at y (2, n) = (d, v), d counted from the pose q0; why that fails (or FINE) returns.

    The projected state stays in ``p``, its factors in ``m``.
    """
    p = projection.p
    copy(q0, p.q0)
    copy(q0, p.q)
    copy(y[0], p.d)
    copy(y[1], p.v)
    reason = settle(projection, t, close, limit)
    if reason != FINE:
        return int(reason)
    flow(projection.plan.bodies, p.d, p.v, F[0], 0)
    copy(p.vdot, F[1])
    return FINE


@cache
def asker(evaluate: Kernel[..., None], space: str, kind_names: tuple[str, ...]) -> Kernel[..., int]:
    """ask(manifold, t, q0, y, F, close, limit) for the registered primitives and body kinds."""
    links: dict[str, Kernel[..., Any]] = {
        "settle": settler(evaluate, space, kind_names),
        "flow": flows(space, kind_names),
    }
    return Kernel(_ask, INSIDE, links, evaluate.tag)
