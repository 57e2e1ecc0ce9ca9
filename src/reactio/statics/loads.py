"""Loads on a mechanism at rest, and the size of the largest of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.evaluation import unit_effort_load
from reactio.system.types import State, System


def equations_at_rest(system: System, t: float, q: Floats) -> Equations:
    """The equations at rest in a pose, with drives held where they are at this time: v = 0, C v = 0, C v̇ = 0."""
    eqs = equations(system, State(t, q, np.zeros(system.n)))
    still = np.zeros(system.m)
    return replace(eqs, work=eqs.work._replace(nu=still, nudot=still, Gamma=still))


def largest_load(eqs: Equations) -> float:
    """The largest single load: a weight, an applied force or moment, a spring [J per characteristic length or radian].

    The sum Q of all loads may be zero where single ones are not, as where a weight hangs on a spring.
    """
    system, scale = eqs.system, eqs.system.column_scale
    gravity = float(np.linalg.norm(system.model.gravity))
    sizes = [system.length * gravity * (body.mass or 0.0) for body in system.model.bodies]
    sizes.append(float(np.abs(scale * eqs.Q).max(initial=0.0)))
    forces = system.dimension
    for value in np.abs(eqs.work.load):
        sizes += [system.length * float(value[:forces].max()), float(value[forces:].max())]
    for k, effort in enumerate(eqs.work.effort.tolist()):
        if effort:
            sizes.append(float(np.abs(effort * scale * unit_effort_load(eqs, k)).max()))
    return max(sizes, default=0.0)
