"""Reactions by stiffness: ``B.Fz.flexible`` in joint axes, with equilibrium in the displaced pose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, register
from reactio.system.constraints import LABELS
from reactio.system.elasticity.compliance import has_elastic_parts


def available(case: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Force and moment of every joint and contact that may bear, where something gives way."""
    if not has_elastic_parts(case.model):
        return {}
    return {
        f"{joint.name}.{label}.flexible": partial(_component, joint.name, k)
        for joint in case.giving_way.model.joints
        for k, label in enumerate(case.giving_way.group(joint.name).line_labels or LABELS[case.model.space])
    }


def _component(name: str, k: int, case: Case) -> OutputValue:
    return float(case.flexible[name][k])


register(Results("flexible", "JOINT.COMPONENT.flexible (by stiffness, joint axes)", available))
