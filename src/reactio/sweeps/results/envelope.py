"""Extremes over a motion: ``B.Fz.max``, ``B.radial.rmc``, ``B.L10``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.design.envelope import BEARING_LOADS
from reactio.errors import ReactioError
from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, components_of, register

ENDS = {"min": "least", "max": "largest", "t_min": "t_least", "t_max": "t_largest", "rmc": "cubic"}
LIVES = {"L10": "millions", "L10_hours": "hours"}


def available(case: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Least, largest and root-mean-cube of every component and part, and the life of bearings."""
    results: dict[str, Callable[[Case], OutputValue]] = {}
    parts = [part.name for part in BEARING_LOADS[case.model.space]]
    for name, labels in components_of(case):
        joint = name in case.model.joint_index
        for part in (*labels, *(parts if joint else ())):
            results |= {f"{name}.{part}.{end}": partial(_load, f"{name}.{part}", key) for end, key in ENDS.items()}
        if joint and case.model.joint(name).bearing:
            results |= {f"{name}.{word}": partial(_life, name, key) for word, key in LIVES.items()}
    return results


def _load(name: str, key: str, case: Case) -> OutputValue:
    value: float | None = getattr(case.envelope[name], key)
    return value


def _life(name: str, key: str, case: Case) -> OutputValue:
    for life in case.envelope.lives:
        if life.joint == name:
            value: float | None = getattr(life, key)
            return value
    raise ReactioError(f"'{name}' has no bearing here.")


register(
    Results(
        "envelope",
        "JOINT.PART.min, .max, .rmc, .t_min, .t_max with the components and radial, axial, bending; JOINT.L10, "
        "JOINT.L10_hours",
        available,
        motion=True,
    )
)
