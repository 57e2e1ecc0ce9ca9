"""Which drive or force has no value at an instant?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.functions import Function
from reactio.functions.machine import jet
from reactio.functions.spline import Spline
from reactio.functions.sum import Sum
from reactio.system.evaluate.workspace import OVERFLOWING
from reactio.system.plan import EFFORT_FUNCTION, Work
from reactio.system.types import System


class UndefinedLoad(NamedTuple):
    """A drive or force without a finite value."""

    sentence: str
    path: tuple[str, ...]  # to it in the model


def undefined_load(system: System, work: Work, t: float) -> UndefinedLoad | None:
    """The first drive or force that has no finite value at this instant, None if all have one."""
    laws = dict(zip(system.plan.efforts.effort[:, EFFORT_FUNCTION].tolist(), work.law.tolist(), strict=True))
    for k, (owner, function) in enumerate(system.functions):
        needed = 3 if k < len(system.model.drives) else 1  # drives need both derivatives
        value = laws[k] if k in laws else float(np.abs(function_and_derivatives(system, k, t, work)[:needed]).max())
        if not abs(value) < OVERFLOWING:
            return UndefinedLoad(_sentence(owner, value, t, _reason(function, t)), _path(system, owner))
    for owner, value in zip(system.effort_owners, work.law.tolist(), strict=True):
        if not abs(value) < OVERFLOWING:
            why = "its coordinate, or the rate of it, has none; where its two ends meet, a length has no direction."
            return UndefinedLoad(_sentence(owner, value, t, why), _path(system, owner))
    return None


def _path(system: System, owner: str) -> tuple[str, ...]:
    """The path of the drive or force that a sentence begins with."""
    names = {"drive": [drive.name for drive in system.model.drives], "force": [f.name for f in system.model.forces]}
    paths = [(kind, name) for kind, of_kind in names.items() for name in of_kind]
    return next(((f"{kind}s", name) for kind, name in paths if owner.startswith(f"{kind} '{name}'")), ())


def _sentence(owner: str, value: float, t: float, reason: str) -> str:
    if np.isfinite(value):
        return f"{owner} has the value {value:g} at t = {t:.9g} s: its square overflows double precision. Correct it."
    return f"{owner} has no finite value at t = {t:.9g} s: {reason}"


def function_and_derivatives(system: System, function: int, t: float, work: Work | None = None) -> Floats:
    """(3,) f, ∂f/∂t and ∂²f/∂t² of a function of a system; coordinates are those evaluated last, or zero."""
    programs, out, stack = system.plan.programs, np.empty(3), np.empty((max(1, system.depth), 3))
    zero = np.zeros(len(system.plan.measures.p))
    values, rates = (zero, zero) if work is None else (work.value, work.rate)
    with np.errstate(all="ignore"):
        jet(programs.code, programs.data, programs.start, function, t, values, rates, stack, out)
    return out


def _reason(function: Function, t: float) -> str:
    for table in _tables(function):
        first, last = table.times[0], table.times[-1]
        if not first <= t <= last:
            return f"its table runs from {first:g} s to {last:g} s. Extend it, or end the run before."
    return "its function, or a derivative that is needed, is not defined there. Correct it, or end the run before."


def _tables(function: Function) -> Iterator[Spline]:
    if isinstance(function, Sum):
        for term in function.terms:
            yield from _tables(term)
    elif isinstance(function, Spline):
        yield function
