"""Reactions by stiffness: ``B.Fz.flexible`` in joint axes, with equilibrium in the displaced pose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, register
from reactio.system.constraints import LABELS
from reactio.system.elasticity.compliance import has_elastic_parts


def available(case: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Force and moment of every joint, where something gives way."""
    if not has_elastic_parts(case.model):
        return {}
    labels = LABELS[case.model.space]
    names = [joint.name for joint in case.model.joints]
    return {f"{name}.{labels[k]}.flexible": partial(_component, name, k) for name in names for k in range(len(labels))}


def _component(name: str, k: int, case: Case) -> OutputValue:
    return float(case.flexible[name][k])


register(Results("flexible", "JOINT.COMPONENT.flexible (by stiffness, joint axes)", available))
