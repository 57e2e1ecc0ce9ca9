"""Bounds: ``B.Fz.low``, ``B.Fz.high``, ``load_factor``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.errors import ReactioError
from reactio.sweeps.case import Case
from reactio.sweeps.results import Found, Results, components_of, register


def offered(case: Case) -> dict[str, Callable[[Case], Found]]:
    """Both ends of every component."""
    found: dict[str, Callable[[Case], Found]] = {"load_factor": _factor}
    for name, labels in components_of(case):
        for end in ("low", "high"):
            found |= {f"{name}.{label}.{end}": partial(_end, name, label, end) for label in labels}
    return found


def _factor(case: Case) -> Found:
    return case.bounds.load_factor


def _end(name: str, label: str, end: str, case: Case) -> Found:
    one = case.bounds[name]
    if label not in one:
        raise ReactioError(f"'{name}' has no component {label} here.")
    return float(getattr(one[label], end))


register(Results("bounds", "JOINT.COMPONENT.low, JOINT.COMPONENT.high, load_factor", offered))
