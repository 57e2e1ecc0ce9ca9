"""Bounds: ``B.Fz.low``, ``B.Fz.high``, ``load_factor``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.errors import ReactioError
from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, components_of, register


def available(case: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Both ends of every component."""
    results: dict[str, Callable[[Case], OutputValue]] = {"load_factor": _factor}
    for name, labels in components_of(case):
        for end in ("low", "high"):
            results |= {f"{name}.{label}.{end}": partial(_end, name, label, end) for label in labels}
    return results


def _factor(case: Case) -> OutputValue:
    return case.bounds.load_factor


def _end(name: str, label: str, end: str, case: Case) -> OutputValue:
    interval = case.bounds[name]
    if label not in interval:
        raise ReactioError(f"'{name}' has no component {label} here.")
    return float(getattr(interval[label], end))


register(Results("bounds", "JOINT.COMPONENT.low, JOINT.COMPONENT.high, load_factor", available))
