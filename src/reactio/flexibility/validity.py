"""How far the split by compliance can be trusted: elastic rotations, and the inertia of elastic motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.remarks import centrifugal, euler_ratios
from reactio.kinematics.assemble import assemble
from reactio.results.as_data import Result
from reactio.sharing.compliance import Relaxation
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State

# Of the time in which the mechanism moves by its own size: second differences of smooth curves to 1e-4.
TIME_STEP = 1e-2


@dataclass(frozen=True, slots=True)
class Validity(Result):
    """Two numbers that must be small compared with 1, and the elastic displacements they come from."""

    KEYS = (
        "elastic_rotation=rotation elastic_displacement=displacement elastic_inertia=inertia centrifugal buckling level"
    )

    rotation: float  # largest elastic rotation of a body [rad], against 1
    displacement: float  # largest elastic displacement of a body [m]
    inertia: float | None  # |M ξ̈| / |f|; None where the states just before and after cannot be assembled
    # Largest change of a joint force by the centrifugal stretch of flexible bodies [N]; None where it is not known.
    centrifugal: float | None = 0.0
    buckling: float = 0.0  # largest N / N_Euler of a straight flexible beam
    level: ClassVar[str] = "1: rigid motion and least complementary energy; no vibration after sudden loads"


def validity(now: Instant, relaxation: Relaxation) -> Validity:
    """ξ against 1, and M ξ̈ against the loads."""
    xi = now.displacements(relaxation)
    turning = now.eqs.system.angular
    try:
        part = _relative(now, now.eqs.M @ elastic_acceleration(now, relaxation, xi))
    except ReactioError:
        part = None
    rotation, displacement = (float(np.abs(xi[which]).max(initial=0.0)) for which in (turning, ~turning))
    buckling = max(euler_ratios(now, relaxation).values(), default=0.0)
    return Validity(rotation, displacement, part, centrifugal(now, relaxation), buckling)


def _relative(now: Instant, inertial: Floats) -> float:
    """A load against f, moments over the characteristic length."""
    scale = now.eqs.system.column_scale
    size = float(np.linalg.norm(scale * now.motion.f))
    return float(np.linalg.norm(scale * inertial)) / size if size > 0 else 0.0


def elastic_acceleration(now: Instant, relaxation: Relaxation, xi: Floats) -> Floats:
    """ξ̈ (n,) by second differences along the rigid motion."""
    eqs = now.eqs
    system, v, a = eqs.system, eqs.state.v, now.motion.solution
    scale = system.column_scale
    rate = max(float(np.abs(v / scale).max(initial=0.0)), float(np.sqrt(np.abs(a / scale).max(initial=0.0))))
    if rate == 0.0:
        return np.zeros_like(xi)
    h = TIME_STEP / rate
    before, after = (_displacements_at(now, relaxation, s * h, v, a) for s in (-1.0, 1.0))
    return np.asarray((before - 2 * xi + after) / h**2)


def _displacements_at(now: Instant, relaxation: Relaxation, h: float, v: Floats, a: Floats) -> Floats:
    """ξ at a time h later, with the same parts flexible."""
    eqs: Equations = now.eqs
    state = State(eqs.state.t + h, advance(eqs.system, eqs.state.q, h * v + h * h / 2 * a), v + h * a)
    later = instant(equations(eqs.system, assemble(eqs.system, state)))
    rigid = [part.name for part in relaxation.elastic.parts if not part.is_flexible]
    return later.displacements(later.relaxed(later.elastic.rigid(rigid)))
