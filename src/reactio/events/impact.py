"""Impacts on end stops: a jump of the velocities that keeps all constraints satisfied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import CoordinateName
from reactio.errors import ReactioError
from reactio.events.event_functions import EventFunction
from reactio.events.event_state import EventState
from reactio.forward_dynamics.accelerate import response
from reactio.linear.precision import SOLUTION
from reactio.system.equations import equations
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.joint_coordinates import measure_of

# Part of J M⁻¹ Jᵀ, the response of free bodies, up to which constraints hold a coordinate.
HELD_COORDINATE = SOLUTION / 10


@dataclass(frozen=True, slots=True, eq=False)
class Impact:
    """The result of an impact on an end stop."""

    v: Floats  # (n,) velocities after it
    work: float  # kinetic energy gained, negative for a loss [J]


def row_of(now: EventState, along: CoordinateName) -> Floats:
    """J (n,) of a joint coordinate, ṡ = J v: its rate for unit velocities of the bodies it joins."""
    system, i = now.system, measure_of(now.system, along)
    assert i is not None, "a system measures the coordinates of its stops"
    J = np.zeros(system.n)
    for b in system.group(along.joint).bodies:
        for k in range(system.body_v[b], system.body_v[b + 1]) if b >= 0 else ():
            unit = np.zeros(system.n)
            unit[k] = 1.0
            J[k] = evaluate(system, now.t, now.q, unit).rate[i]
    return J


def impact(now: EventState, watch: EventFunction) -> Impact:
    """v⁺ that is nearest to v in the metric of M among those with C v⁺ = C v and J v⁺ = −e J v.

        v⁺ = v − (1 + e) (J v)/(J x) x,     M x + Cᵀμ = Jᵀ,  C x = 0

    J (n,): row of the coordinate; e: restitution.  Joint friction is left out.  The work is
    ½ v⁺ᵀM v⁺ − ½ vᵀM v, with that of moving drives.
    """
    assert watch.along is not None
    eqs = equations(now.system, now.state)
    J = row_of(now, watch.along)
    x, free = response(eqs, J)
    if not J @ x > HELD_COORDINATE * free:
        raise ReactioError(
            f"stop '{watch.name}' is hit at t = {now.t:.6g} s, but drives or joints hold {watch.along} there: "
            "no impulse along it can turn it back. Move the limit, or end the run there with `action: stop`."
        )
    jump = -(1 + watch.restitution) * float(J @ now.v) / float(J @ x) * x
    return Impact(now.v + jump, float(jump @ (eqs.M @ (now.v + 0.5 * jump))))


class GapMotion(NamedTuple):
    """How the gap g between a coordinate and its stop changes."""

    rate: float  # ġ [m/s or rad/s]
    acceleration: float  # g̈ [m/s² or rad/s²]


def gap_motion(now: EventState, watch: EventFunction, vdot: Floats) -> GapMotion:
    """ġ and g̈ of the gap g at a state with accelerations v̇ (n,): g̈ = ±(J v̇ + bias)."""
    assert watch.along is not None
    i = measure_of(now.system, watch.along)
    assert i is not None
    along = float(row_of(now, watch.along) @ vdot) + float(now.work.bias[i])
    return GapMotion(watch.side * float(now.work.rate[i]), watch.side * along)


def stays_at_rest(rate: float, acceleration: float, height: float) -> bool:
    """Is a rebound lower than ``height``, so that the coordinate counts as at rest?

    Its height is rate²/(2 |acceleration|); one lower than the tolerance of a step cannot be distinguished from rest.
    """
    if acceleration >= 0.0:
        return rate <= height and acceleration <= height
    return rate * rate <= 2.0 * abs(acceleration) * height
