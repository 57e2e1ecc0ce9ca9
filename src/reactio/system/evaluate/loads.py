"""Functions of drives and forces by the names of what they belong to: which of them has no value at an instant?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reactio.forces import FORCES, Effort, MatrixLoad, Wrench
from reactio.functions import Function
from reactio.functions.machine import jet
from reactio.functions.spline import Spline
from reactio.functions.sum import Sum
from reactio.model.model import Model
from reactio.system.plan import Work
from reactio.system.types import System

OVERFLOWING = 1e100  # forces, rows and velocities this large have squares that leave double precision


def owners(model: Model) -> Iterator[tuple[str, Function]]:
    """The functions of a model in the order in which a system keeps them, each with its owner in words."""
    for drive in model.drives:
        yield f"drive '{drive.name}'", drive.function
    for force in model.forces:
        for load in FORCES.get(force.type).loads(force.parameters):
            own = (
                (*load.force, *load.moment)
                if isinstance(load, Wrench)
                else (load.law,)
                if isinstance(load, Effort)
                else ()
            )
            yield from ((f"force '{force.name}' ({force.type})", function) for function in own)


def effort_names(model: Model) -> list[str]:
    """The force that each effort of a system belongs to; one with a matrix has an effort for each of its measures."""
    loads = ((force.name, load) for force in model.forces for load in FORCES.get(force.type).loads(force.parameters))
    counts = ((name, len(x.measures) if isinstance(x, MatrixLoad) else int(isinstance(x, Effort))) for name, x in loads)
    return [name for name, count in counts for _ in range(count)]


def undefined_load(system: System, work: Work, t: float) -> str | None:
    """A sentence on the first drive or force whose function has no finite value at this instant, None if all have."""
    efforts = system.plan.pushes.effort
    at = {int(function): (work.value[measure], work.rate[measure]) for measure, function, _ in efforts}
    for k, (owner, function) in enumerate(owners(system.model)):
        value = _value(system, k, t, *at.get(k, (0.0, 0.0)))
        if not abs(value) < OVERFLOWING:
            if np.isfinite(value):
                return f"{owner} has the value {value:g} at t = {t:.9g} s: its square leaves double precision. Mend it."
            return f"{owner} has no finite value at t = {t:.9g} s: {_reason(function, t)}"
    return None


def _value(system: System, function: int, t: float, s: float, rate: float) -> float:
    """The largest of f, ∂f/∂t and ∂²f/∂t²: loads need the first, drives all of them."""
    programs, out = system.plan.programs, np.empty(3)
    stack = np.empty((max(1, system.depth), 3))
    with np.errstate(all="ignore"):
        jet(programs.code, programs.data, programs.start, function, t, float(s), float(rate), stack, out)
    driven = function < len(system.model.drives)
    return float(np.max(np.abs(out if driven else out[:1])))


def _reason(function: Function, t: float) -> str:
    for table in _tables(function):
        first, last = table.times[0], table.times[-1]
        if not first <= t <= last:
            return f"its table runs from {first:g} s to {last:g} s. Extend it, or end the run before."
    return "its function, or a derivative of it that is needed, is not defined there. Mend it, or end the run before."


def _tables(function: Function) -> Iterator[Spline]:
    if isinstance(function, Sum):
        for term in function.terms:
            yield from _tables(term)
    elif isinstance(function, Spline):
        yield function
