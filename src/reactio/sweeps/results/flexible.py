"""Reactions by stiffness: ``B.Fz.flexible`` in joint axes, with equilibrium in the displaced pose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, register
from reactio.system.constraints import LABELS
from reactio.system.elasticity.compliance import has_elastic_parts
from reactio.system.types import EFFORT, RowGroup


def available(case: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Force and moment of every joint, drive, coupling and contact that may bear, where something gives way."""
    if not has_elastic_parts(case.model):
        return {}
    return {
        f"{group.name}.{label}.flexible": partial(_component, group.name, k)
        for group in case.giving_way.reacting
        for k, label in enumerate(_labels(group, case.model.space))
    }


def _labels(group: RowGroup, space: str) -> tuple[str, ...]:
    if group.frames is None:
        return tuple(EFFORT[unit][0] for unit in group.units)
    return group.line_labels or LABELS[space]


def _component(name: str, k: int, case: Case) -> OutputValue:
    return float(case.flexible[name][k])


register(Results("flexible", "JOINT.COMPONENT.flexible (by stiffness, joint axes)", available))
