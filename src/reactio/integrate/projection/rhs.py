"""The right-hand side (ḋ, v̇) of the projected equations of motion at a displacement d from a pose."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``project_and_accelerate`` and ``flow`` are linked in for each space; @kernel sees this file
from __future__ import annotations

from functools import cache
from typing import Any

from reactio.arrays import Floats
from reactio.integrate.projection.mass_projection import copy
from reactio.integrate.projection.project import (
    FINE,
    INSIDE,
    Projection,
    displacement_rates,
    project_and_accelerate_kernel,
)
from reactio.kernels import Kernel


def _right_hand_side(
    projection: Projection, t: float, q0: Floats, y: Floats, F: Floats, close: float, limit: float
) -> int:
    """F (2, n) = (ḋ, v̇) at y (2, n) = (d, v), d counted from the pose q0; why that fails (or FINE) returns.

    The projected state stays in ``p``, its factors in ``m``.
    """
    p = projection.p
    copy(q0, p.q0)
    copy(q0, p.q)
    copy(y[0], p.d)
    copy(y[1], p.v)
    reason = project_and_accelerate(projection, t, close, limit)
    if reason != FINE:
        return int(reason)
    flow(projection.plan.bodies, p.d, p.v, F[0], 0)
    copy(p.vdot, F[1])
    return FINE


@cache
def rhs_kernel(evaluate: Kernel[..., None], space: str, kind_names: tuple[str, ...]) -> Kernel[..., int]:
    """rhs(projection, t, q0, y, F, close, limit) for the registered primitives and body kinds."""
    links: dict[str, Kernel[..., Any]] = {
        "project_and_accelerate": project_and_accelerate_kernel(evaluate, space, kind_names),
        "flow": displacement_rates(space, kind_names),
    }
    return Kernel(_right_hand_side, INSIDE, links, evaluate.tag)
