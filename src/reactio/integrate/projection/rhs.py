"""The right-hand side (ḋ, v̇) of the projected equations of motion at a displacement d from a pose."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from functools import cache
from typing import Any

from reactio.arrays import Floats
from reactio.integrate.projection.formulated import project_and_accelerate_kernel
from reactio.integrate.projection.mass_projection import copy
from reactio.integrate.projection.project import FINE
from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, Kernel


def _right_hand_side(
    projection: Projection, t: float, q0: Floats, y: Floats, F: Floats, close: float, limit: float
) -> int:
    """F (2, n) = (ḋ, v̇) at y (2, n) = (d, v), d counted from the pose q0; the reason of a refusal (or FINE) returns.

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
    displacement_rates(projection.plan, p.d, p.v, F[0])
    copy(p.vdot, F[1])
    return FINE


@cache
def rhs_kernel(evaluate: Kernel[..., None]) -> Kernel[..., int]:
    """rhs(projection, t, q0, y, F, close, limit) with the functions of an evaluation."""
    links: dict[str, Kernel[..., Any]] = {
        "project_and_accelerate": project_and_accelerate_kernel(evaluate),
        "displacement_rates": evaluate.links["displacement_rates"],
    }
    return Kernel(_right_hand_side, NO_ARRAYS, links)
