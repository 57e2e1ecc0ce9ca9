"""The field of a motion, f∘P of reactio.dynamics.manifold, at several points in one compiled call."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - ``settle`` and ``flow`` are linked in for each space; @kernel sees this file
from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.dynamics.manifold import FINE, Manifold, flows, settler
from reactio.dynamics.metric import copy
from reactio.kernels import PLAIN, Kernel
from reactio.system.kernels import evaluator
from reactio.system.types import System


class Points(NamedTuple):
    """Where the field is asked for, and the answer."""

    q0: Floats  # (nq,) the pose from which displacements count
    t: Floats  # (k,)
    Y: Floats  # (k, 2, n) d and v
    F: Floats  # (k, 2, n) ḋ and v̇
    moved: Floats  # (k, 2) largest change of d and of v by the projection
    weak: Ints  # (k,) pivots that are nearly zero


def points(q0: Floats, t: Floats, Y: Floats) -> Points:
    """A question about k points."""
    k = len(t)
    return Points(q0, t, Y, np.zeros_like(Y), np.zeros((k, 2)), np.zeros(k, dtype=np.int64))


def _field(on: Manifold, asked: Points, close: float, limit: float) -> int:
    """Fill F, point after point; why that fails (or FINE) returns."""
    p = on.p
    for k in range(asked.t.shape[0]):
        copy(asked.q0, p.q0)
        copy(asked.q0, p.q)
        copy(asked.Y[k, 0], p.d)
        copy(asked.Y[k, 1], p.v)
        reason = settle(on, asked.t[k], close, limit)
        if reason != FINE:
            return int(reason)
        flow(on.plan.bodies, p.d, p.v, asked.F[k, 0], 0)
        copy(p.vdot, asked.F[k, 1])
        asked.moved[k, 0] = p.moved[0]
        asked.moved[k, 1] = p.moved[1]
        asked.weak[k] = on.m.gram.weak[0]
    return FINE


def field(system: System) -> Kernel[..., int]:
    """field(manifold, points, close, limit) of a system."""
    evaluate = evaluator(system.space, system.primitive_names, system.kind_names)
    return _linked(evaluate, system.space, system.kind_names)


@cache
def _linked(evaluate: Kernel[..., None], space: str, kind_names: tuple[str, ...]) -> Kernel[..., int]:
    links: dict[str, Kernel[..., Any]] = {
        "settle": settler(evaluate, space, kind_names),
        "flow": flows(space, kind_names),
    }
    return Kernel(_field, PLAIN, links, evaluate.tag)
